/** Completion for zsh. */
import { quotePosixList, quoteFor, type CompletionPlace } from './places.ts';

/** A script to source, or to install as `_linewatch` in a folder of `fpath`. */
export function writeZshCompletion(places: readonly CompletionPlace[]): string {
  return SCRIPT.replace('@PLACES@', () => places.map(caseOf).join('\n'));
}

function caseOf({ at, commands, options, words }: CompletionPlace): string {
  const [below, flags] = [quotePosixList(commands), quotePosixList(options)];
  return `  ${quoteFor('posix', at)}) own=${quoteFor('posix', words)} below=(${below}) flags=(${flags}) ;;`;
}

const SCRIPT = `#compdef linewatch
# zsh completion for linewatch, made by \`linewatch completion zsh\`.
# To have it in every shell, in a folder of $fpath: linewatch completion zsh >~/.zfunc/_linewatch

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
  for flag in $flags; do
    [[ \${flag%%$'\\t'*} == $1 ]] || continue
    kind=\${\${flag#*$'\\t'}%%$'\\t'*}
    [[ $kind != - ]]
    return
  done
  return 1
}

# Offers what $1, a kind of value, says.
_linewatch_value() {
  local -a choices shown
  local row
  case $1 in
  FILE) _files ;;
  DIR) _files -/ ;;
  @*)
    choices=(\${(f)"$(\${words[1]} completion --values \${1#@} 2>/dev/null)"})
    for row in $choices; do shown+=("\${\${row%%$'\\t'*}//:/\\\\:}:\${row#*$'\\t'}"); done
    _describe value shown
    ;;
  - | ANY) _message 'a value' ;;
  *)
    choices=(\${(s:|:)1})
    compadd -a choices
    ;;
  esac
}

_linewatch() {
  local at= kind= own= word row i
  local -a below flags shown
  _linewatch_at ''
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if [[ $word == --* ]]; then
      _linewatch_kind $word || continue
      ((i++))
      ((i < CURRENT)) && continue
      _linewatch_value $kind
      return
    fi
    [[ $at == '' && $word == help ]] && continue
    if _linewatch_at "\${at:+$at }$word"; then at="\${at:+$at }$word"; fi
  done
  word=\${words[CURRENT]}
  if [[ $word == --*=* ]]; then
    _linewatch_kind \${word%%=*} || return 1
    compset -P '*='
    _linewatch_value $kind
  elif [[ $word == -* ]]; then
    for row in $flags; do shown+=("\${row%%$'\\t'*}:\${row##*$'\\t'}"); done
    _describe option shown
  elif ((\${#below} > 0)); then
    for row in $below; do shown+=("\${row%%$'\\t'*}:\${row##*$'\\t'}"); done
    _describe command shown
  else
    _linewatch_value $own
  fi
}

# Read by the completion system it is the function itself; sourced, it has to say what it is for.
if [[ $funcstack[1] == _linewatch ]]; then _linewatch "$@"; else compdef _linewatch linewatch; fi
`;
