/** Completion for bash 4 and later. */
import { quotePosixList, quoteFor, type CompletionPlace } from './places.ts';

/** A script to source. */
export function writeBashCompletion(places: readonly CompletionPlace[]): string {
  return SCRIPT.replace('@PLACES@', () => places.map(caseOf).join('\n'));
}

function caseOf({ at, commands, options, words }: CompletionPlace): string {
  const [below, flags] = [quotePosixList(commands, 1), quotePosixList(options, 2)];
  return `  ${quoteFor('posix', at)}) words=${quoteFor('posix', words)} below=(${below}) flags=(${flags}) ;;`;
}

const SCRIPT = `# bash completion for linewatch, made by \`linewatch completion bash\`.
# To have it in every shell: linewatch completion bash >~/.local/share/bash-completion/completions/linewatch

# What may follow the words of a command: its own words, commands, and options with what their values are.
_linewatch_at() {
  case $1 in
@PLACES@
  *) return 1 ;;
  esac
}

# The kind of value that option $1 takes; fails where it takes none.
_linewatch_kind() {
  local flag
  for flag in "\${flags[@]}"; do
    [[ \${flag%%$'\\t'*} == "$1" ]] || continue
    kind=\${flag#*$'\\t'}
    [[ $kind != - ]]
    return
  done
  return 1
}

# Offers what $1, a kind of value, says.
_linewatch_value() {
  local choice choices
  case $1 in
  FILE | DIR)
    compopt -o filenames
    if [[ $1 == DIR ]]; then choice=-d; else choice=-f; fi
    mapfile -t COMPREPLY < <(compgen "$choice" -- "$cur")
    ;;
  - | ANY) ;;
  @*)
    while IFS=$'\\t' read -r choice _; do
      [[ $choice == "$cur"* ]] && COMPREPLY+=("$choice")
    done < <("\${COMP_WORDS[0]}" completion --values "\${1#@}" 2>/dev/null)
    ;;
  *)
    IFS='|' read -ra choices <<<"$1"
    for choice in "\${choices[@]}"; do
      [[ $choice == "$cur"* ]] && COMPREPLY+=("$(printf '%q' "$choice")")
    done
    ;;
  esac
}

_linewatch() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at='' kind words below flags word i
  COMPREPLY=()
  _linewatch_at ''
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == --* ]]; then
      _linewatch_kind "$word" || continue
      i=$((i + 1))
      # Bash takes --name=value apart.
      [[ $i -lt $COMP_CWORD && \${COMP_WORDS[i]} == = ]] && i=$((i + 1))
      [[ $i -lt $COMP_CWORD ]] && continue
      [[ $cur == = ]] && cur=''
      _linewatch_value "$kind"
      return
    fi
    [[ $at == '' && $word == help ]] && continue
    if _linewatch_at "\${at:+$at }$word"; then at=\${at:+$at }$word; fi
  done
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "\${flags[*]%%$'\\t'*}" -- "$cur")
  elif ((\${#below[@]} > 0)); then
    mapfile -t COMPREPLY < <(compgen -W "\${below[*]}" -- "$cur")
  else
    _linewatch_value "$words"
  fi
}
complete -F _linewatch linewatch
`;
