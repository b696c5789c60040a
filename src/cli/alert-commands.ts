/** `linewatch alert`: what is open, one alert's whole story, and "I have it". */
import type { Config } from '../config/config.ts';
import { capital, cut, listed, oneLine } from '../core/text/plain.ts';
import { reportAlert, type AlertReport } from '../core/view/status-report.ts';
import { reportStory, type StoryReport } from '../core/view/story-report.ts';
import { readable } from '../core/wording/markup.ts';
import { noticeLabel } from '../core/wording/state-words.ts';
import { PROVIDER, speakerOf, speakers } from '../core/wording/speaker.ts';
import { instant, span, when } from '../core/wording/time.ts';
import { heldText } from '../core/wording/why.ts';
import { CommandFailure, defineCommand, EXIT, flag, text, UsageError } from './command.ts';
import type { Platform } from './platform.ts';
import { keptState } from './kept-state.ts';
import { reachDaemon } from './reach-daemon.ts';
import { takenText } from './status-text.ts';
import { jsonText } from './terminal-text.ts';
import { sinceText, timeText, type Reader } from './time-text.ts';

/** As much of an update as is shown; all of it stands in `--json`. */
const LONGEST_WORDS = 2_000;

export const alertList = defineCommand({
  description: 'Lists what is open, the worst first. Without a daemon it tells what was last committed.',
  options: { json: flag('for programs') },
  examples: [['linewatch alert list', 'what is open, and who has it']],
  async run({ platform, config: file, options }) {
    const { reader, askIfRunning, requireConfig } = await reachDaemon(platform, file);
    const alerts =
      (await askIfRunning('alert.list', {})) ??
      (await keptState(requireConfig(), platform)).picture().open.map(reportAlert);
    const lines = options.json ? [jsonText(alerts)] : alerts.flatMap((alert) => alertLines(alert, reader));
    platform.out.write(`${lines.length === 0 ? 'Nothing is open.' : lines.join('\n')}\n`);
    return EXIT.done;
  },
});

export const alertShow = defineCommand({
  description:
    'Tells the whole story of one alert: the provider’s words as they were at each time, whom it hits, who was told and ' +
    'when, and why somebody was not.',
  words: [['<NUMBER>', 'the alert, as messages and `alert list` number it']],
  options: { json: flag('for programs') },
  examples: [['linewatch alert show 12', 'the story of alert #12']],
  async run({ platform, config: file, args, options }) {
    const number = readAlertNumber(args[0]);
    const { reader, askIfRunning, requireConfig } = await reachDaemon(platform, file);
    const story =
      (await askIfRunning('alert.show', { number })) ?? (await keptStory(requireConfig(), platform, number));
    platform.out.write(`${(options.json ? [jsonText(story)] : storyLines(story, reader)).join('\n')}\n`);
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
      by: options.by ?? userOf(platform),
      comment: options.comment ?? '',
    };
    if (wanted.by.trim() === '') throw new UsageError('--by is needed: who has it?');
    const { ask } = await reachDaemon(platform, file);
    const answer = await ask('alert.ack', wanted);
    const { alert, told } = answer;
    const hears =
      told.length === 0
        ? 'Nobody had been told of it.'
        : `${capital(listed(told))} ${told.length === 1 ? 'hears' : 'hear'} of it.`;
    const line = `#${alert.number} ${oneLine(alert.title)}: ${oneLine(wanted.by)} has it. ${hears}`;
    platform.out.write(`${options.json ? jsonText(answer) : line}\n`);
    return EXIT.done;
  },
});

/** Empty where the system does not say: a service or a container may have no user in its environment, and no name for its id. */
function userOf({ env, user, userName }: Pick<Platform, 'env' | 'user' | 'userName'>): string {
  const names = [env['SUDO_USER'], env['USER'], env['LOGNAME'], userName(), user === null ? '' : `user ${user}`];
  return names.find((name) => name !== undefined && name !== null && name.trim() !== '') ?? '';
}

/** `12` or `#12`. */
export function readAlertNumber(written = ''): number {
  const number = /^#?\d{1,9}$/.test(written) ? Number(written.replace('#', '')) : 0;
  if (number > 0) return number;
  throw new UsageError(`an alert has a number, such as 12, not '${written}'`);
}

async function keptStory(config: Config, platform: Platform, number: number): Promise<StoryReport> {
  const { story } = (await keptState(config, platform)).alert(number);
  if (story === null) throw new CommandFailure(`There is no alert #${number}, or it is forgotten.`);
  return reportStory(story);
}

function alertLines(alert: AlertReport, reader: Reader): string[] {
  const { number, severity, title, started_at: at, acknowledged, not_told: reason } = alert;
  return [
    `#${number}  ${severity}  ${oneLine(title)}, ${sinceText(at, reader)}`,
    ...(acknowledged === undefined ? [] : [`    ${takenText(acknowledged)}`]),
    ...(reason === undefined || reason === 'acknowledged'
      ? []
      : [`    people are not told of it now: ${heldText(reason)}`]),
  ];
}

function storyLines(story: StoryReport, reader: Reader): string[] {
  const { number, severity, title, state, why, sources, affected, also, acknowledged, not_told: reason, url } = story;
  return [
    `#${number}  ${severity}  ${oneLine(title)}`,
    lastedLine(story, reader),
    ...(state === null ? [] : [`State: ${oneLine(state)}`]),
    ...(why === undefined ? [] : [`Why: ${why}`]),
    `Watched by: ${sources.join(', ')}`,
    ...(also.length === 0 ? [] : [`Has become part of it: ${also.map((each) => `#${each}`).join(', ')}`]),
    ...(affected.length === 0 ? [] : [`Hits: ${listed(affected.map(oneLine), 12)}`]),
    ...(acknowledged === null ? [] : [`${takenText(acknowledged)}, ${timeText(acknowledged.at, reader)}`]),
    ...(url === null ? [] : [`${speakerLabel(story)}: ${oneLine(url)}`]),
    ...toldLines(story, reader),
    ...(reason === null ? [] : [`People are not told of it now: ${heldText(reason)}.`]),
    ...wordLines(story, reader),
  ];
}

/** Whose page the address is of. */
function speakerLabel({ words }: StoryReport): string {
  const by = speakerOf(words.at(-1) ?? { source: '' });
  return by === PROVIDER ? 'Provider' : by;
}

function lastedLine({ started_at: start, resolved_at: end }: StoryReport, reader: Reader): string {
  const [from, to] = [instant(start), instant(end)];
  if (from === null || to === null) return `Open ${sinceText(start, reader)}`;
  return `Over: ${when(from, reader.timezone, reader.now)} to ${when(to, reader.timezone, reader.now)}, ${span(to - from)}`;
}

function toldLines({ told, untold }: StoryReport, reader: Reader): string[] {
  const lines = [
    ...told.map(({ receiver, last_at: at, reminders, waiting }) => {
      const parts = [
        `last told ${timeText(at, reader)}`,
        ...(reminders === 0 ? [] : [`reminded ${reminders === 1 ? 'once' : `${reminders} times`}`]),
        ...(waiting === 0 ? [] : [`${waiting} still waiting`]),
      ];
      return `  ${receiver}: ${parts.join(', ')}`;
    }),
    ...untold.map(({ receiver, why }) => `  ${receiver}: not told, as ${heldText(why)}`),
  ];
  return lines.length === 0 ? [] : ['', 'Who was told', ...lines];
}

function wordLines({ words }: StoryReport, reader: Reader): string[] {
  const lines = words.flatMap(({ at, state, text: said }) => [
    `  ${[timeText(at, reader), ...(state === null ? [] : [noticeLabel(state)])].join(' · ')}`,
    ...cut(readable(said), LONGEST_WORDS)
      .split('\n')
      .map((line) => `    ${line}`),
  ]);
  return lines.length === 0
    ? []
    : ['', `In ${speakers(words.map((said) => ({ by: speakerOf(said) })))}’s words`, ...lines];
}
