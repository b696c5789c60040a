/** `linewatch alert`: list open alerts, show one alert's full story, acknowledge one. */
import type { Config } from '../../config/config.ts';
import { capitalize, formatList, toOneLine, toSentence } from '../../core/text/plain.ts';
import { readStory, type StoryHistory } from '../../core/view/story/known-story.ts';
import { reportAlert } from '../../core/view/status-report.ts';
import type { AlertReport } from '../../core/view/story/alert-schema.ts';
import { reportStory } from '../../core/view/story/story-report.ts';
import type { StoryReport } from '../../core/view/story/story-schema.ts';
import { openKeptHistory, UnreadableHistory } from '../../daemon/recording/kept-history.ts';
import { formatStory } from './alert-story.ts';
import { CommandFailure, defineCommand, EXIT, flag, text, UsageError } from '../command.ts';
import type { Platform } from '../platform.ts';
import { readKeptState } from '../kept-state.ts';
import { findReachableDaemon } from '../reach-daemon.ts';
import { formatHeld, formatAcknowledgement } from '../status/status-text.ts';
import { toTerminalJson, writeLines } from '../terminal-text.ts';
import { formatReaderSince, type ReaderTime } from '../time-text.ts';

export const alertList = defineCommand({
  description: 'Lists what is open, the worst first. Without a daemon it tells what was last committed.',
  options: { json: flag('for programs') },
  examples: [['linewatch alert list', 'what is open, and who has it']],
  async run({ platform, config: file, options }) {
    const { reader, askIfRunning, requireConfig } = await findReachableDaemon(platform, file);
    const alerts =
      (await askIfRunning('alert.list', {})) ??
      (await readKeptState(requireConfig(), platform)).status().open.map(reportAlert);
    const lines = alerts.flatMap((alert) => alertLines(alert, reader));
    if (options.json) platform.out.write(`${toTerminalJson(alerts)}\n`);
    else writeLines(platform.out, lines, 'Nothing is open.');
    return EXIT.done;
  },
});

export const alertShow = defineCommand({
  description:
    'Tells the whole story of one alert: what happened in turn, from what to what, with the provider’s words as they ' +
    'were at each time and who was told; whom it hits, and why somebody was not told.',
  words: [['<NUMBER>', 'the alert, as messages and `alert list` number it']],
  options: { json: flag('for programs') },
  examples: [['linewatch alert show 12', 'the story of alert #12']],
  async run({ platform, config: file, args, options }) {
    const number = readAlertNumber(args[0]);
    const { reader, askIfRunning, requireConfig } = await findReachableDaemon(platform, file);
    const story =
      (await askIfRunning('alert.show', { number })) ?? (await keptStory(requireConfig(), platform, number));
    if (options.json) platform.out.write(`${toTerminalJson(story)}\n`);
    else writeLines(platform.out, formatStory(story, reader));
    return EXIT.done;
  },
});

export const alertAck = defineCommand({
  description:
    'Says that you have an alert in hand. Nobody is reminded of it any more, and everybody who was told of it hears who ' +
    'has it. Its growth and its end are still told, and once it worsens the reminders come back.',
  words: [['<NUMBER>', 'the alert, as messages and `alert list` number it']],
  options: {
    comment: text('TEXT', 'what you do about it'),
    by: text('NAME', 'who has it; default: your name on this machine'),
    json: flag('for programs'),
  },
  examples: [['linewatch alert ack 12 --comment "on the phone with the carrier"', 'you have alert #12']],
  async run({ platform, config: file, args, options }) {
    const wanted = {
      number: readAlertNumber(args[0]),
      by: options.by ?? nameUser(platform),
      comment: options.comment ?? '',
    };
    if (wanted.by.trim() === '') throw new UsageError('--by is needed: who has it?');
    const { change } = await findReachableDaemon(platform, file);
    const answer = await change('alert.ack', wanted);
    const { alert, told: notified } = answer;
    const hears =
      notified.length === 0
        ? 'Nobody had been told of it.'
        : `${capitalize(formatList(notified))} ${notified.length === 1 ? 'hears' : 'hear'} of it.`;
    const line = `#${alert.number} ${toOneLine(alert.title)}: ${toOneLine(wanted.by)} has it. ${hears}`;
    platform.out.write(`${options.json ? toTerminalJson(answer) : line}\n`);
    return EXIT.done;
  },
});

export const alertRelease = defineCommand({
  description:
    'Ends the acknowledgement of an alert, yours or another. Reminders go on, and its receivers are notified.',
  words: [['<NUMBER>', 'the alert, as messages and `alert list` number it']],
  options: {
    by: text('NAME', 'who releases it; default: your name on this machine'),
    json: flag('for programs'),
  },
  examples: [['linewatch alert release 12', 'alert #12 waits for somebody else']],
  async run({ platform, config: file, args, options }) {
    const wanted = { number: readAlertNumber(args[0]), by: options.by ?? nameUser(platform) };
    if (wanted.by.trim() === '') throw new UsageError('--by is needed: who releases it?');
    const { change } = await findReachableDaemon(platform, file);
    const answer = await change('alert.release', wanted);
    const { alert, told: receivers } = answer;
    const notified = receivers.length === 0 ? '' : ` Notified: ${formatList(receivers)}.`;
    const line = `#${alert.number} ${toOneLine(alert.title)}: released, reminders go on.${notified}`;
    platform.out.write(`${options.json ? toTerminalJson(answer) : line}\n`);
    return EXIT.done;
  },
});

/**
 * Empty if the system does not say: a service or container may have no user in its environment, and no name for its id.
 */
export function nameUser({ env, user, userName }: Pick<Platform, 'env' | 'user' | 'userName'>): string {
  const names = [env['SUDO_USER'], env['USER'], env['LOGNAME'], userName(), user === null ? '' : `user ${user}`];
  return names.find((name) => name !== undefined && name !== null && name.trim() !== '') ?? '';
}

/** `12` or `#12`. */
export function readAlertNumber(written = ''): number {
  const number = /^#?\d{1,9}$/.test(written) ? Number(written.replace('#', '')) : 0;
  if (number > 0) return number;
  throw new UsageError(`an alert has a number, such as 12, not '${written}'`);
}

/** The last committed state, with the record in the history. */
async function keptStory(config: Config, platform: Platform, number: number): Promise<StoryReport> {
  const { alert } = await readKeptState(config, platform);
  const kept = openKeptHistory(config);
  const history: StoryHistory = {
    story: (known, id) => kept.read((reader) => reader.story(known, id)).catch(whyUnread),
  };
  const failed = (what: string): void => platform.err.write(`linewatch: note: ${what} cannot be shown\n`);
  try {
    const { story, history: recorded, unread } = await readStory({ alert, history, failed }, number);
    if (story === null) throw new CommandFailure(unread ?? `There is no alert #${number}, or it is forgotten.`);
    return reportStory(story, recorded, unread);
  } finally {
    await kept.close();
  }
}

function whyUnread(error: unknown): string {
  if (error instanceof UnreadableHistory) return toSentence(error.message);
  throw error;
}

function alertLines(alert: AlertReport, reader: ReaderTime): string[] {
  const { number, severity, title, started_at: at, acknowledged } = alert;
  return [
    `#${number}  ${severity}  ${toOneLine(title)}, ${formatReaderSince(at, reader)}`,
    ...(acknowledged === undefined ? [] : [`    ${formatAcknowledgement(acknowledged)}`]),
    ...formatHeld(alert, reader).map((line) => `    ${line}`),
  ];
}
