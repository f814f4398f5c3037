#!/bin/sh
# make.sh PROGRAM TABLES OUT: writes the manual pages of embedscope and of each command to OUT. help2man
# makes them from --help=all; the keys come from commands.def and view_table.def in TABLES.
set -eu
ES_PROGRAM=$1 tables=$2 out=$3 here=$(dirname "$0")
export ES_PROGRAM ES_COMMAND
mkdir -p "$out"
rm -f "$out"/*.1
day=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%F)

keys() { # a list of keys for each group of the explorer's commands, in man(7)
    sed -nE -e 's/^V\([A-Z]+, *.(.)., *"[^"]*", *[a-z]+, *"([^"]*)", *"([^"]*)", *"([^"]*)".*/\2\t\3\t*\tGO\t\4/p' \
        -e 's/^C\([A-Z0-9_]+, *"([^"]*)", *"([^"]*)", *"([^"]*)", *([A-Z]+), *(NULL|"[^"]*"), *(NULL|"[^"]*"), *"([^"]*)".*/\1\t\2\t\3\t\4\t\7/p' \
        "$tables/view_table.def" "$tables/commands.def" | awk -F'\t' '
        BEGIN {
            print "[KEYS]\nIn the explorer ? lists these, and : runs each by its name. ^x is Ctrl-x; two letters are typed"
            print "one after the other. Letters in brackets are the views of a command: Pool, Heatmap, Tree, Rank,"
            print "Corr, Jobs, D for Compare, A for Sets, S for Sheets."
            n = split("VIEW This view,RUN The run,MARK Marks,FIND Find,MOVE Move,GO Go to,COPY Copy and export,MORE More", group, ",")
        }
        {
            gsub(/\\/, "\\e"); gsub(/-/, "\\-"); gsub(/\^/, "\\(ha"); gsub(/~/, "\\(ti"); gsub(/\047/, "\\(aq"); gsub(/`/, "\\(ga")
            views = $3 == "*" ? "" : " [" $3 "]"
            text[$4] = text[$4] ".TP\n\\fB" ($2 == "" ? ":" $1 : $2) "\\fR\n\\&" $5 views "\n"
        }
        END {
            for (i = 1; i <= n; i++) {
                name = id = group[i]; sub(/ .*/, "", id); sub(/^[A-Z]+ /, "", name)
                printf ".SS \"%s\"\n%s", name, text[id]
            }
        }'
}

cat >"$out/help" <<'HELP_TEXT'
#!/bin/sh
# What help2man reads: a second synopsis, options under their heading, examples last and as typed.
"$ES_PROGRAM" $ES_COMMAND --help=all | awk '
    NR == 2 { sub(/^      /, "  or: ") }
    /^Commands:/ { commands = 1 }
    /^Examples:/ { commands = 0; held = 1 }
    held && $0 == "" { held = 0; print "Options:" }
    held { sub(/^  embedscope/, "  $ embedscope"); examples = examples "\n" $0; next }
    commands && /^  [a-z]/ { match($0, /^  [a-z]+ */); $0 = "  " $1 "   " substr($0, RLENGTH + 1) }
    { print }
    END { print examples }'
HELP_TEXT
chmod +x "$out/help"

page() { # page NAME SUMMARY INCLUDE
    help2man --no-info --source embedscope --version-string "$version" --name "$2" --include "$3" \
        --output "$out/$1.1" "$out/help"
    sed -i "s/^\\.TH HELP \"1\" \"[^\"]*\"/.TH $(echo "$1" | tr '[:lower:]' '[:upper:]') 1 \"$day\"/
        s/^help \\\\- /$1 \\\\- /" "$out/$1.1"
}

ES_COMMAND='' version=$("$ES_PROGRAM" --version | cut -d' ' -f2)
{ keys && echo && cat "$here/embedscope.h2m"; } >"$out/include"
page embedscope "choose between embedding models without labels" "$out/include"
printf '[SEE ALSO]\n.BR embedscope (1)\n' >"$out/include"
"$ES_PROGRAM" --help=all | sed -nE '/^Commands:/,/^$/s/^  ([a-z]+) +/\1 /p' >"$out/commands"
while read -r ES_COMMAND summary; do
    page "embedscope-$ES_COMMAND" "$summary" "$out/include"
done <"$out/commands"
rm "$out/help" "$out/include" "$out/commands"
