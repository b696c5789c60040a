/** What may stand where, as rows that the script of every shell carries: the same for all of them. */
import { EVERYWHERE, type CommandNode, type OptionNode } from '../command-node.ts';
import type { VALUE_KINDS } from './values.ts';
import { toOneLine } from '../../core/text/plain.ts';

/** What may follow the words of one command. */
export interface CompletionPlace {
  /** `config check`; empty for the program alone. */
  readonly at: string;
  /** In the order of `--help`: tab-separated, the name and what it means. */
  readonly commands: readonly string[];
  /** Tab-separated: the name, what its value is, and what it means. */
  readonly options: readonly string[];
  /** What its own words are. */
  readonly words: ValueKind;
}

/** A file, a folder, something else, nothing at all, one of these: `critical|warning`, or `@alerts`: the daemon knows them. */
type ValueKind = 'FILE' | 'DIR' | 'ANY' | '-' | (string & {});

/** More is cut: a description stands beside its name on one line of a terminal. */
const LONGEST = 70;

/** The program itself first, then each command, followed by those below it. */
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

type Listed = `@${(typeof VALUE_KINDS)[number]}`;

/** By the command they follow. */
const LISTED_WORDS: Readonly<Record<string, Listed>> = {
  'alert show': '@alerts',
  'alert ack': '@alerts',
  'silence add': '@alerts',
  'silence expire': '@silences',
  'deliveries retry': '@deliveries',
  'deliveries drop': '@deliveries',
  'member forget': '@members',
  'notify test': '@receivers',
};

/** By the option they follow. */
const LISTED_VALUES: Readonly<Record<string, Listed>> = {
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

/** `<bash|zsh|fish>` are three words to choose from, and `<file...>` are files. */
function kindOfWords({ words }: CommandNode): ValueKind {
  const written = words[0]?.written.replaceAll(/[<>[\].]/g, '') ?? '';
  if (written.includes('|')) return written;
  return /file|history/i.test(written) ? 'FILE' : written === '' ? '-' : 'ANY';
}

/** No sentence is longer than it is of use. */
function brief(text: string): string {
  const [first = ''] = toOneLine(text).split(/[.;] /);
  const plain = first.replace(/\.$/, '');
  return plain.length <= LONGEST ? plain : `${plain.slice(0, plain.lastIndexOf(' ', LONGEST))} …`;
}

/** A text as one word of a shell, between single quotes. */
export function quoteFor(shell: 'posix' | 'fish', text: string): string {
  if (shell === 'posix') return `'${text.replaceAll("'", "'\\''")}'`;
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Rows as the words of an array of bash or zsh, each with no more than its first `fields` columns. */
export function quotePosixList(rows: readonly string[], fields = Infinity): string {
  return rows.map((row) => quoteFor('posix', row.split('\t').slice(0, fields).join('\t'))).join(' ');
}
