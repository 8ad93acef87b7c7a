# Completion of orrery's command line in bash: the program says what may stand there.
_orrery() {
    local program=${COMP_WORDS[0]/#\~/$HOME} word
    COMPREPLY=()
    while IFS=$'\t' read -r word _; do
        if [[ $word == : ]]; then # names of files
            compopt -o filenames 2>/dev/null
            mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY \
                < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]#=}")
        else
            COMPREPLY+=("$word")
        fi
    done < <("$program" completion --words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _orrery orrery
