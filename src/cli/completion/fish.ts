/** Completion for fish 3 and later. */
import { quoteFor, type CompletionPlace } from './places.ts';

/** A script to source. */
export function writeFishCompletion(places: readonly CompletionPlace[]): string {
  return SCRIPT.replace('@PLACES@', () => places.map(caseOf).join('\n'));
}

function caseOf({ at, commands, options, words }: CompletionPlace): string {
  const set = (name: string, rows: readonly string[]): string =>
    `            set ${[name, ...rows.map((row) => quoteFor('fish', row))].join(' ')}`;
  return [
    `        case ${quoteFor('fish', at)}`,
    set('__linewatch_words', [words]),
    set('__linewatch_below', commands),
    set('__linewatch_flags', options),
  ].join('\n');
}

const SCRIPT = `# fish completion for linewatch, made by \`linewatch completion fish\`.
# To have it in every shell: linewatch completion fish >~/.config/fish/completions/linewatch.fish

# What may follow the words of a command: its own words, commands, and options with what their values are.
function __linewatch_at
    switch "$argv[1]"
@PLACES@
        case '*'
            return 1
    end
    # \`set\` leaves the status as it was.
    return 0
end

# Prints the kind of value that option $argv[1] takes; fails where it takes none.
function __linewatch_kind
    for flag in $__linewatch_flags
        set -l parts (string split \\t -- $flag)
        test "$parts[1]" = "$argv[1]"; or continue
        test "$parts[2]" != -; or return 1
        echo -- $parts[2]
        return 0
    end
    return 1
end

# Prints what a kind of value, $argv[1], offers; $argv[2] is what is written of it.
function __linewatch_value
    switch "$argv[1]"
        case FILE
            __fish_complete_path "$argv[2]"
        case DIR
            __fish_complete_directories "$argv[2]"
        case '@*'
            set -l program (commandline -opc)
            $program[1] completion --values (string sub -s 2 -- $argv[1]) 2>/dev/null
        case - ANY
        case '*'
            string split '|' -- $argv[1]
    end
end

function __linewatch_complete
    set -g __linewatch_words -
    set -g __linewatch_below
    set -g __linewatch_flags
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l at ''
    __linewatch_at ''
    set -l i 2
    while test $i -le (count $words)
        set -l word $words[$i]
        set i (math $i + 1)
        if string match -q -- '--*' "$word"
            if set -l kind (__linewatch_kind "$word")
                if test $i -gt (count $words)
                    __linewatch_value $kind "$current"
                    return
                end
                set i (math $i + 1)
            end
            continue
        end
        if test "$at" = '' -a "$word" = help
            continue
        end
        set -l next (string trim -- "$at $word")
        if __linewatch_at "$next"
            set at $next
        end
    end
    if string match -q -- '--*=*' "$current"
        set -l parts (string split -m 1 = -- "$current")
        if set -l kind (__linewatch_kind "$parts[1]")
            for value in (__linewatch_value $kind "$parts[2]")
                echo -- "$parts[1]=$value"
            end
        end
    else if string match -q -- '-*' "$current"
        string replace -r '\\t.*\\t' \\t -- $__linewatch_flags
    else if set -q __linewatch_below[1]
        printf '%s\\n' $__linewatch_below
    else
        __linewatch_value $__linewatch_words "$current"
    end
end

complete -c linewatch -f -a '(__linewatch_complete)'
`;
