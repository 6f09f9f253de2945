# Completion of murmuration for bash; installed as
# share/bash-completion/completions/murmuration.
_murmuration() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local words=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='sum info bench selftest --help --version'
  else
    case ${COMP_WORDS[1]}:$previous in
      sum:-a | sum:--algorithm) words='x86_32 x86_128 x64_128 wide32' ;;
      sum:-s | sum:--seed) return ;;
      sum:*)
        if [[ $word != -* ]]; then
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen -f -- "$word")
          return
        fi
        words='--algorithm --seed --tag --check --quiet --status --strict --warn --help' ;;
      info:*) words='--json --help' ;;
      *) words='--help' ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -F _murmuration murmuration
