# SPDX-License-Identifier: Apache-2.0
# Completion of bankshot for bash. Everything that can be completed is asked of the program itself.
_bankshot_list() { # WHAT: names of `bankshot list WHAT`; lines of explanation hold more than a name, so the first word
    "$program" list "$1" 2>/dev/null | awk 'NF > 1 && $1 ~ /^[a-z0-9_.-]+$/ { print $1 }'
}

_bankshot_values() { # values of the option $1
    case $1 in
    --gpu) _bankshot_list gpus ;;
    --mech) { echo base; _bankshot_list mechs; } ;;
    --set) _bankshot_list options | sed 's/$/=/' ;;
    --size) printf 'small\ndefault\nlarge\n' ;;
    *) return 1 ;;
    esac
}

_bankshot_words() { # arguments of the command $1 that are no options
    case $1 in
    run | compare) _bankshot_list workloads ;;
    list) printf '%s\n' gpus mechs workloads options stats claims storage ;;
    import | export) echo accelsim ;;
    help) "$program" help --words | grep -v '^-' ;;
    *) return 1 ;;
    esac
}

_bankshot() {
    local program=${COMP_WORDS[0]} cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} words
    COMPREPLY=()
    # The names of options hold = where a value follows, as the shell's own words do.
    if [ "$cur" = "=" ]; then
        cur=
    elif [ "$prev" = "=" ] && [ "$COMP_CWORD" -gt 2 ]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if [ "$COMP_CWORD" -eq 1 ]; then
        words=$("$program" help --words 2>/dev/null)
    elif words=$(_bankshot_values "$prev"); then
        :
    elif [ "${cur#-}" != "$cur" ]; then
        words=$("$program" help --words "$command" 2>/dev/null | sed 's/=$//')
    else
        words=$(_bankshot_words "$command")
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
    case ${COMPREPLY[*]} in *=) compopt -o nospace 2>/dev/null ;; esac
}
complete -o default -F _bankshot bankshot
