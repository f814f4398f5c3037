# For the tests in this folder that are scripts: what they count. Wants $work/out, what the program
# said last.
count=0 failed=0
check() { # check CODE WANTED NAME
    count=$((count + 1))
    if [ "$1" -eq "$2" ]; then
        echo "ok $count $3"
    else
        failed=1
        echo "not ok $count $3 (exit code $1, wanted $2)"
        sed 's/^/# /' "$work/out"
    fi
}
