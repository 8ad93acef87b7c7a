# Completion of orrery's command line in fish: the program says what may stand there.
function __orrery_words
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    for line in ($words[1] completion --words -- $words[2..-1] "$word" 2>/dev/null)
        if test "$line" = ":" # names of files
            __fish_complete_path "$word"
        else
            echo $line
        end
    end
end
complete -c orrery -f -a '(__orrery_words)'
