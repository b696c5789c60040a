/** `linewatch silence`: mute alerts for a time, list silences, end one early. */
import { parseDuration } from '../../core/text/duration.ts';
import { defineCommand, EXIT, flag, text, texts, UsageError } from '../command.ts';
import { nameUser, readAlertNumber } from './alert-commands.ts';
import { findReachableDaemon } from '../reach-daemon.ts';
import { checkMatchers, readMatchers } from './written-matchers.ts';
import { toTerminalJson, writeLines } from '../terminal-text.ts';
import { toOneLine } from '../../core/text/plain.ts';
import { parseInstant, formatTimeWindow } from '../../core/wording/time.ts';
import type { SilenceReport } from '../../daemon/requests/silence-asks.ts';
import type { ReaderTime } from '../time-text.ts';

/** The same as the default of the page's form. */
const USUAL_LENGTH = '2h';

export const silenceAdd = defineCommand({
  description:
    'Mutes an alert by its number, or what matches, from now or from a given time, for as long as you say. Of an alert ' +
    'it mutes what the alert is about: its components, phones or account, and no other customer. The running daemon ' +
    'takes it up at once. Observation goes on: what is still open when the silence ends is told then, and what opened ' +
    'and ended inside it is summarised.',
  words: [['[NUMBER]', 'the alert, as messages and `alert list` number it; without it --match says what to mute']],
  options: {
    match: texts(
      'KEY=VALUE',
      'what to mute: severity, source, kind, component, extension, site or a label; globs allowed; keys are and-ed, values or-ed',
    ),
    for: text('DURATION', `how long, such as 30m, 2h or 1d; default for an alert: ${USUAL_LENGTH}`),
    from: text('TIME', 'when it begins, such as 2026-03-24T22:00+11:00; default: now'),
    comment: text('TEXT', 'why, for those who find it; default for an alert: its title'),
    json: flag('for programs; of an alert a list'),
  },
  examples: [
    ['linewatch silence add 3', 'mutes alert #3 for two hours'],
    [
      'linewatch silence add --match source=provider --for 2h --comment "carrier works on our trunks"',
      'mutes one source',
    ],
    [
      "linewatch silence add --match 'component=SMS*' --match severity=info,warning --for 1d",
      'mutes what is not critical about SMS',
    ],
  ],
  async run({ platform, config: file, options, args }) {
    const number = args[0] === undefined ? null : readAlertNumber(args[0]);
    const matchers = readMatchers(options.match);
    const isMatched = matchers.size > 0;
    if (number !== null && isMatched) throw new UsageError('give the number of an alert or --match, not both');
    if (number === null && !isMatched) {
      throw new UsageError(
        'the number of an alert or --match is needed: a silence without either would mute everything',
      );
    }
    const written = options.for ?? (number === null ? undefined : USUAL_LENGTH);
    if (written === undefined) throw new UsageError('--for is needed: how long, such as 30m, 2h or 1d');
    const length = parseDuration(written);
    if (length === null) throw new UsageError(`--for wants a duration such as 30m, 2h or 1d, not '${written}'`);
    const from = options.from === undefined ? platform.clock.now() : readInstant(options.from);
    const { config, reader, change } = await findReachableDaemon(platform, file);
    const by = nameUser(platform);
    const times = { from, until: from + length, comment: options.comment ?? '', ...(by !== '' && { by }) };
    if (number !== null) {
      const silences = await change('alert.mute', { number, ...times });
      const lines = options.json
        ? [toTerminalJson(silences)]
        : silences.map((silence) => formatSilence(silence, reader));
      platform.out.write(`${lines.join('\n')}\n`);
      return EXIT.done;
    }
    // The daemon validates them as well, against its running configuration.
    if (config !== null) checkMatchers(matchers, config);
    const silence = await change('silence.add', { matchers: Object.fromEntries(matchers), ...times });
    platform.out.write(`${options.json ? toTerminalJson(silence) : formatSilence(silence, reader)}\n`);
    return EXIT.done;
  },
});

/** A time without a zone would be ambiguous. */
function readInstant(written: string): number {
  const at = /(?:Z|[+-]\d\d:?\d\d)$/i.test(written) ? Date.parse(written) : NaN;
  if (Number.isNaN(at)) {
    throw new UsageError(`--from wants a time with its zone, such as 2026-03-24T22:00+11:00, not '${written}'`);
  }
  return at;
}

export const silenceList = defineCommand({
  description:
    'Lists the silences of the running daemon: those to come, those active, and with --expired those that have ended.',
  options: { expired: flag('also those that have ended'), json: flag('for programs') },
  examples: [['linewatch silence list', 'what is muted now, and what will be']],
  async run({ platform, config: file, options }) {
    const { reader, ask } = await findReachableDaemon(platform, file);
    const all = await ask('silence.list', {});
    const shown = all.filter(({ state }) => options.expired || state !== 'expired');
    const lines = shown.map((silence) => formatSilence(silence, reader));
    if (options.json) platform.out.write(`${toTerminalJson(shown)}\n`);
    else writeLines(platform.out, lines, 'No silences.');
    return EXIT.done;
  },
});

export const silenceExpire = defineCommand({
  description:
    'Ends a silence now. What it held back goes out at once: what is still open as it stands, the rest summarised.',
  words: [['<ID>', 'the silence, as `silence list` shows it; its first characters are enough']],
  options: {},
  examples: [['linewatch silence expire 3f2a', 'ends the silence whose id begins so']],
  async run({ platform, config: file, args }) {
    const { reader, change } = await findReachableDaemon(platform, file);
    const silence = await change('silence.expire', { id: args[0] ?? '' });
    platform.out.write(`${formatSilence(silence, reader)}\n`);
    return EXIT.done;
  },
});

/** `3f2a91bc  active  Tue 24 Mar 14:43–16:43 AEDT  source=provider  “carrier works”`. */
export function formatSilence(silence: SilenceReport, { timezone, now }: ReaderTime): string {
  const { id, state, from, until, matchers, comment, by } = silence;
  const window = formatTimeWindow(parseInstant(from), parseInstant(until), timezone, now);
  const what = Object.entries(matchers).map(([key, values]) => `${key}=${values.join(',')}`);
  return `${id}  ${state}  ${window}  ${toOneLine(what.join(' and '))}${comment === '' ? '' : `  “${toOneLine(comment)}”`}${by === undefined ? '' : `  by ${toOneLine(by)}`}`;
}
