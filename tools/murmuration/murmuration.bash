# Completion of murmuration for bash; installed as
# share/bash-completion/completions/murmuration.
_murmuration() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local subcommands='sum info bench selftest help'
  local algorithms='x86_32 x86_128 x64_128 wide32'
  local words=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="$subcommands --help --version"
  else
    case ${COMP_WORDS[1]}:$previous in
      sum:-a | sum:--algorithm | bench:-a | bench:--algorithm) words=$algorithms ;;
      sum:-s | sum:--seed | bench:-[kbrt]) return ;;
      bench:--kernel | bench:--size | bench:--rounds | bench:--time) return ;;
      help:help) words=$subcommands ;;
      help:*) return ;;
      sum:*)
        if [[ $word != -* ]]; then
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen -f -- "$word")
          return
        fi
        words='--algorithm --seed --signed --tag --zero --check --ignore-missing --quiet --status
               --strict --warn --help' ;;
      info:*) words='--json --help' ;;
      bench:*) words='--algorithm --kernel --size --batch --single --rounds --time --json --help' ;;
      *) words='--help' ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -F _murmuration murmuration
