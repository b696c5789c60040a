/** Completion data shared by the scripts of all shells. */
import { EVERYWHERE, type CommandNode, type OptionNode } from '../command-node.ts';
import type { VALUE_KINDS } from './values.ts';
import { toOneLine } from '../../core/text/plain.ts';

/** Completions after the words of one command. */
export interface CompletionPlace {
  /** `config check`; empty for the program itself. */
  readonly at: string;
  /** In the order of `--help`: name and meaning, tab-separated. */
  readonly commands: readonly string[];
  /** Tab-separated: name, kind of value, meaning. */
  readonly options: readonly string[];
  /** Kind of its arguments. */
  readonly words: ValueKind;
}

/** File, folder, anything, nothing, one of a list (`critical|warning`), or a list from the daemon (`@alerts`). */
type ValueKind = 'FILE' | 'DIR' | 'ANY' | '-' | (string & {});

/** Longest description: it shares a terminal line with its name. */
const LONGEST = 70;

/** The program, then each command followed by its subcommands. */
export function listPlaces(root: CommandNode): CompletionPlace[] {
  return below(root, '');
}

function below(node: CommandNode, at: string): CompletionPlace[] {
  const place = {
    at,
    commands: node.commands.map(({ name, summary }) => `${name}\t${brief(summary)}`),
    options: [...node.options, ...EVERYWHERE].map(
      (option) => `${option.name}\t${kindOf(option)}\t${brief(option.summary)}`,
    ),
    words: LISTED_WORDS[at] ?? kindOfWords(node),
  };
  return [place, ...node.commands.flatMap((one) => below(one, `${at} ${one.name}`.trim()))];
}

type CompletedKind = `@${(typeof VALUE_KINDS)[number]}`;

/** By command. */
const LISTED_WORDS: Readonly<Record<string, CompletedKind>> = {
  'alert show': '@alerts',
  'alert ack': '@alerts',
  'silence add': '@alerts',
  'silence expire': '@silences',
  'deliveries retry': '@deliveries',
  'deliveries drop': '@deliveries',
  'member forget': '@members',
  'notify test': '@receivers',
};

/** By option. */
const LISTED_VALUES: Readonly<Record<string, CompletedKind>> = {
  '--account': '@accounts',
  '--customer': '@customers',
  '--kind': '@kinds',
  '--match': '@matchers',
  '--receiver': '@receivers',
  '--source': '@sources',
};

function kindOf({ name, placeholder, choices }: OptionNode): ValueKind {
  if (choices.length > 0) return choices.join('|');
  const listed = LISTED_VALUES[name];
  if (listed !== undefined && placeholder !== 'URL') return listed;
  if (placeholder === null) return '-';
  return placeholder === 'FILE' || placeholder === 'DIR' ? placeholder : 'ANY';
}

/** `<bash|zsh|fish>` are alternatives, `<file...>` are files. */
function kindOfWords({ words }: CommandNode): ValueKind {
  const written = words[0]?.written.replaceAll(/[<>[\].]/g, '') ?? '';
  if (written.includes('|')) return written;
  return /file|history/i.test(written) ? 'FILE' : written === '' ? '-' : 'ANY';
}

/** Shortens a description to its limit. */
function brief(text: string): string {
  const [first = ''] = toOneLine(text).split(/[.;] /);
  const plain = first.replace(/\.$/, '');
  return plain.length <= LONGEST ? plain : `${plain.slice(0, plain.lastIndexOf(' ', LONGEST))} …`;
}

/** Quotes a text as one shell word. */
export function quoteFor(shell: 'posix' | 'fish', text: string): string {
  if (shell === 'posix') return `'${text.replaceAll("'", "'\\''")}'`;
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Array elements for bash or zsh, each with at most its first `fields` columns. */
export function quotePosixList(rows: readonly string[], fields = Infinity): string {
  return rows.map((row) => quoteFor('posix', row.split('\t').slice(0, fields).join('\t'))).join(' ');
}
