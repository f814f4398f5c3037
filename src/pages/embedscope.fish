# fish completion for embedscope: the program knows what a line may go on with.
function __embedscope_line
    set -l token (commandline -ct)
    set -l before (string match -r '^--[a-z0-9-]+=' -- $token)
    set -l words (commandline -opc)
    set -l lines (command embedscope names line -- $words[2..-1] "$token" 2>/dev/null)
    set -l kinds (string split ' ' -- $lines[1])
    set -l path (string replace -r '^--[a-z0-9-]+=' '' -- "$token")
    if contains files $kinds
        string replace -r '^' "$before" -- (__fish_complete_path $path)
    else if contains folders $kinds
        string replace -r '^' "$before" -- (__fish_complete_directories $path)
    end
    set -e lines[1]
    test (count $lines) -eq 0; or printf '%s\n' $lines
end
complete -c embedscope -f -a '(__embedscope_line)'
