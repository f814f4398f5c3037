# bash completion for embedscope: the program knows what a line may go on with.
_embedscope() {
    local kinds='' line word typed open='' words=() typed_as=${COMP_WORDS[COMP_CWORD]}
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do # as the program would get them
        case $word in
        [\'\"]*) open=${word:0:1} word=${word:1} word=${word%"$open"} ;;
        *) open='' word=${word//\\/} ;;
        esac
        words+=("$word")
    done
    typed=$word
    [[ $typed != = ]] || typed='' # behind an option
    COMPREPLY=()
    while IFS=$'\t' read -r line _; do
        if [[ -z $kinds ]]; then
            kinds=" $line "
            continue
        fi
        [[ $line == "$typed"* ]] || continue
        [[ $open ]] || printf -v line %q "$line"
        COMPREPLY+=("$line")
    done < <("${COMP_WORDS[0]}" names line -- "${words[@]}" 2>/dev/null)
    [[ $kinds != *' many '* && ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
    [[ $typed_as != = ]] || typed_as=''
    for word in folders:-d files:-f; do
        [[ $kinds == *" ${word%:*} "* ]] || continue
        compopt -o filenames 2>/dev/null
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen "${word#*:}" -- "$typed_as")
    done
}
complete -F _embedscope embedscope
