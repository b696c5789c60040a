/** `linewatch history`: prints the history of the state directory, with or without a running daemon. */
import { once } from 'node:events';
import { formatHistoryCsv } from '../core/report/csv.ts';
import type { TransitionRecord } from '../core/history/record.ts';
import type { HistoryReader } from '../core/history/rows.ts';
import { fitLines } from '../core/text/wrap.ts';
import { compileGlobs } from '../core/text/glob.ts';
import { parseDuration, explainDuration } from '../core/text/duration.ts';
import { truncate, toOneLine } from '../core/text/plain.ts';
import { KINDS, type Kind } from '../core/transition/kind.ts';
import { createPlainTitle } from '../core/alert/titles.ts';
import { formatChangeValues } from '../core/wording/change-words.ts';
import { formatTime } from '../core/wording/time.ts';
import { findAccount, findCustomer, listSourceNames, type Config } from '../config/config.ts';
import { openKeptHistory, type HistoryPlace } from '../daemon/recording/kept-history.ts';
import { CommandFailure, defineCommand, EXIT, flag, text, texts, UsageError } from './command.ts';

import { requireReadableDatabase } from './kept-state.ts';
import type { Output } from './platform.ts';
import { findReachableDaemon } from './reach-daemon.ts';
import { toTerminalJson, measureTerminal } from './terminal-text.ts';
import { readMoment, type ReaderTime } from './time-text.ts';

/** Longest text of an event; `--json` has all of it. */
const LONGEST_LINE = 300;

export const history = defineCommand({
  description:
    'Lists what happened, oldest first: every change of a page, of phones and toggles, and of Linewatch itself, as it ' +
    'was told or recorded. It reads the state directory, whether a daemon runs or not.',
  options: {
    since: text('TIME', 'from how long ago, such as 7d or 12h, or from when, such as 2026-10-01; default 7d'),
    source: text('NAME', 'only of this page or account'),
    component: texts('NAME', 'only of components whose name or id matches; * stands for anything'),
    kind: texts('KIND', 'only changes of this kind; component.* stands for all of them'),
    json: flag('for programs: an array of transitions'),
    csv: flag('for a spreadsheet'),
  },
  examples: [
    ['linewatch history --since 24h', 'what happened since yesterday'],
    ["linewatch history --since 30d --component 'SMS*' --csv", 'a table of what became of some components'],
    ["linewatch history --kind 'registration.*' --json", 'what became of phones, for programs'],
  ],
  async run({ platform, config: file, options }) {
    if (options.json && options.csv) throw new UsageError('--json and --csv cannot both be');
    const { place, config, reader } = await findReachableDaemon(platform, file);
    const { now, timezone } = reader;
    const since = parseHistoryTime(options.since ?? '7d', now, timezone);
    if (since > now) throw new UsageError(`--since: '${options.since}' is still to come`);
    const kinds = options.kind.length === 0 ? undefined : kindsOf(options.kind);
    await withHistory(place, async (kept) => {
      const sources =
        options.source === undefined ? undefined : [await requireKnownSource(kept, config, options.source)];
      const query = { since, ...(sources && { sources }), ...(kinds && { kinds }) };
      const pages = only(kept.transitionPages(query), options.component);
      const texts = options.json
        ? jsonOf(pages)
        : options.csv
          ? formatHistoryCsv(pages)
          : linesOf(pages, reader, {
              width: measureTerminal(platform.out),
              customer: (source) => config && findCustomer(config, source),
            });
      for await (const piece of texts) await writeTo(platform.out, piece);
      return {};
    });
    return EXIT.done;
  },
});

/** Reads the history of a configuration; fails with a sentence if there is none, or if it cannot be read. */
export async function withHistory<T extends object>(
  config: HistoryPlace,
  question: (reader: HistoryReader) => Promise<T>,
): Promise<T> {
  const kept = openKeptHistory({ ...config, database: config.database && requireReadableDatabase(config.database) });
  try {
    const answer = await kept.read(question);
    if (answer !== null) return answer;
  } finally {
    await kept.close();
  }
  throw new CommandFailure(`there is no history in ${kept.place} yet; "linewatch run" keeps one while it watches`);
}

/** A page or account of the configuration, or one that was watched earlier. */
export async function requireKnownSource(reader: HistoryReader, config: Config | null, name: string): Promise<string> {
  const kept = await reader.sources();
  const known = [...new Set([...(config === null ? [] : listSourceNames(config)), ...kept])];
  if (known.includes(name)) return name;
  const called = findAccount(config?.accounts ?? [], name);
  if (called !== undefined) return called.name;
  throw new UsageError(`there is no source '${name}'; known are ${known.join(', ')}`);
}

/** `7d` ago, or a date or time in the zone; epoch milliseconds. */
function parseHistoryTime(written: string, now: number, timezone: string): number {
  const ago = parseDuration(written);
  if (ago !== null) return now - ago;
  const at = readMoment(written, timezone);
  if (at !== null) return at;
  const advice = /^\d{4}-/.test(written) ? `'${written}' is no time` : (explainDuration(written) ?? '');
  throw new UsageError(`--since: ${advice}; write 7d, 12h, 2026-10-01 or 2026-10-01T08:00`);
}

function kindsOf(written: readonly string[]): Kind[] {
  return written.flatMap((pattern) => {
    const kinds = KINDS.filter(compileGlobs([pattern]));
    if (kinds.length === 0) throw new UsageError(`--kind: there is no '${pattern}'; kinds are ${KINDS.join(', ')}`);
    return kinds;
  });
}

/** Matches the component itself, or a notice that affects it. */
function isOf({ transition: { subject, details } }: TransitionRecord, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  const own =
    subject.startsWith('component/') && 'path' in details ? [{ id: subject.slice(10), name: details.name }] : [];
  const hit = 'updates' in details ? (details.components ?? []) : [];
  const matches = compileGlobs(wanted);
  return [...own, ...hit].some(({ id, name }) => wanted.includes(id) || matches(name));
}

async function* only(
  pages: AsyncIterable<readonly TransitionRecord[]>,
  components: readonly string[],
): AsyncGenerator<readonly TransitionRecord[]> {
  for await (const records of pages) yield records.filter((record) => isOf(record, components));
}

/** An array in the format of `toTerminalJson`. */
async function* jsonOf(pages: AsyncIterable<readonly TransitionRecord[]>): AsyncGenerator<string> {
  let before = '[';
  for await (const records of pages) {
    for (const record of records) {
      yield `${before}\n${toTerminalJson(transitionJson(record)).replaceAll(/^/gm, '  ')}`;
      before = ',';
    }
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}

function transitionJson({ transition: { at, ...transition }, status, alert }: TransitionRecord): unknown {
  return { ...transition, at: new Date(at).toISOString(), status, alert };
}

async function* linesOf(
  pages: AsyncIterable<readonly TransitionRecord[]>,
  reader: ReaderTime,
  { width, customer }: { width: number; customer(source: string): string | null },
): AsyncGenerator<string> {
  let isEmpty = true;
  for await (const records of pages) {
    isEmpty &&= records.length === 0;
    const lines = records.map((record) => lineOf(record, reader, customer));
    yield fitLines(lines, width)
      .map((line) => `${line}\n`)
      .join('');
  }
  if (isEmpty) yield 'Nothing happened.\n';
}

function lineOf(
  { transition, status, alert }: TransitionRecord,
  { timezone, now }: ReaderTime,
  customer: (source: string) => string | null,
): string {
  const number = alert?.number === undefined || alert.number === null ? '' : ` #${alert.number}`;
  const { at, source, kind } = transition;
  const change = formatChangeValues(transition, { timezone, now, names: () => null, customer });
  const what = `${createPlainTitle(transition)}: ${change}`;
  return `${formatTime(at, timezone, now)}  ${toOneLine(customer(source) ?? source)}${number}  ${truncate(toOneLine(what), LONGEST_LINE)} (${kind}, ${statusText(transition, status)})`;
}

/** Effect on its alert, which may have been absorbed by another one. */
function statusText({ details }: TransitionRecord['transition'], status: TransitionRecord['status']): string {
  const into = 'goes_on_in' in details ? details.goes_on_in : undefined;
  return into === undefined ? status : `merged into #${into.number}`;
}

/** Resolves when the stream has room: its reader may be slower than the history. */
async function writeTo(out: Output, text: string): Promise<void> {
  out.write(text);
  if (out.stream.writableNeedDrain) await once(out.stream, 'drain');
}
