/** One alert's full story as lines for people: the output of `alert show`. */
import { capitalize, formatList, formatRest, toOneLine, formatCount, truncate } from '../../core/text/plain.ts';
import type { EventReport, NextReport, StoryReport, ToldReport } from '../../core/view/story/story-schema.ts';
import { toReadableText } from '../../core/text/markup.ts';
import { formatArrow, formatNoticeState } from '../../core/wording/state-words.ts';
import { PROVIDER, findAuthor, listAuthors } from '../../core/wording/authors.ts';
import { parseInstant, formatElapsed, formatTime } from '../../core/wording/time.ts';
import { explainHold, formatNextAttempt, explainNotNotified } from '../../core/wording/phones/why.ts';
import { LATE_AFTER_MS } from '../../core/report/delivery-times.ts';
import { formatCallerLines } from './caller-lines.ts';
import { formatAcknowledgement } from '../status/status-text.ts';
import { formatReaderSince, formatReaderTime, type ReaderTime } from '../time-text.ts';

/** Longest shown text of an update; `--json` has all of it. */
const LONGEST_WORDS = 2_000;
/** Number of shown customers, those with the largest losses; `--json` has all. */
const MOST_CUSTOMERS = 10;
/** Number of shown events, the last ones; `--json` has all. */
const MOST_EVENTS = 300;

export function formatStory(story: StoryReport, reader: ReaderTime): string[] {
  const { number, severity, title, state, why, sources, also, acknowledged, not_told: reason, url } = story;
  return [
    `#${number}  ${severity}  ${toOneLine(title)}`,
    lastedLine(story, reader),
    ...(state === null ? [] : [`State: ${toOneLine(state)}`]),
    ...(why === undefined ? [] : [`Why: ${why}`]),
    `Watched by: ${sources.map((source) => calledIn(story, source)).join(', ')}`,
    ...(also.length === 0 ? [] : [`Has become part of it: ${also.map((each) => `#${each}`).join(', ')}`]),
    ...affectedLines(story),
    ...(acknowledged === null
      ? []
      : [`${formatAcknowledgement(acknowledged)}, ${formatReaderTime(acknowledged.at, reader)}`]),
    ...(url === null ? [] : [`${speakerLabel(story)}: ${toOneLine(url)}`]),
    ...timelineLines(story, reader),
    ...(story.callers_unread === undefined ? [] : [`Callers: ${toOneLine(story.callers_unread)}`]),
    ...(story.callers ?? []).flatMap((report) => formatCallerLines(report, calledIn(story, report.source), reader)),
    ...toldLines(story, reader),
    ...(reason === null
      ? []
      : [`${capitalize(explainHold({ reason, dueAt: parseInstant(story.due_at ?? null) }, reader.now))}.`]),
    ...wordLines(story, reader),
  ];
}

/** Name of a source for people. An older daemon does not send such names. */
function calledIn({ called = {} }: StoryReport, source: string): string {
  return Object.hasOwn(called, source) ? toOneLine(called[source] ?? source) : source;
}

/** Counts the phones of several customers, the largest loss first: JSON and the page list the extensions. */
function affectedLines(story: StoryReport): string[] {
  const { parts = [], affected } = story;
  const losses = parts.flatMap(({ source, customer, affected: { phones } }) =>
    phones === null
      ? []
      : [{ name: toOneLine(customer ?? calledIn(story, source)), isCustomer: customer !== null, phones }],
  );
  if (losses.length < 2) return affected.length === 0 ? [] : [`Affects: ${formatList(affected.map(toOneLine), 12)}`];
  const noun = losses.every(({ isCustomer }) => isCustomer) ? 'customer' : 'account';
  const components = [...new Set(parts.flatMap((part) => part.affected.components.map(toOneLine)))];
  const rows = losses
    .toSorted((one, other) => other.phones.offline - one.phones.offline)
    .map(({ name, phones: { offline, total } }) => `${name}: ${offline} of ${formatCount(total, 'phone')} offline`);
  return [
    `Affects: ${[formatCount(losses.length, noun), ...(components.length === 0 ? [] : [formatList(components, 6)])].join(', ')}`,
    ...[...rows.slice(0, MOST_CUSTOMERS), ...formatRest(rows.length - MOST_CUSTOMERS)].map((row) => `  ${row}`),
  ];
}

/** The page that the address belongs to. */
function speakerLabel({ words }: StoryReport): string {
  const by = findAuthor(words.at(-1) ?? { source: '' });
  return by === PROVIDER ? 'Provider' : by;
}

function lastedLine({ started_at: start, resolved_at: end }: StoryReport, reader: ReaderTime): string {
  const [from, to] = [parseInstant(start), parseInstant(end)];
  if (from === null || to === null) return `Open ${formatReaderSince(start, reader)}`;
  return `Over: ${formatTime(from, reader.timezone, reader.now)} to ${formatTime(to, reader.timezone, reader.now)}, ${formatElapsed(to - from)}`;
}

/**
 * Events in order, with the reminders between them. An older daemon that cannot read the history answers without them.
 */
function timelineLines(story: StoryReport, reader: ReaderTime): string[] {
  const { history, history_unread: unread } = story;
  if (unread !== undefined) return ['', toOneLine(unread)];
  const { events = [], messages = [] } = history ?? {};
  if (events.length === 0) return [];
  const all = [
    ...events.map((event) => {
      const called = calledIn(story, event.source);
      return { at: parseInstant(event.at) ?? 0, lines: eventLines({ ...event, source: called }, messages, reader) };
    }),
    ...messages
      .filter(({ reminder }) => reminder > 0)
      .map((message) => ({ at: parseInstant(message.due_at) ?? 0, lines: reminderLines(message, reader) })),
  ].toSorted((a, b) => a.at - b.at);
  const left = all.length - MOST_EVENTS;
  return [
    '',
    'What happened',
    ...(left > 0 ? [`  ${formatCount(left, 'earlier entry', 'earlier entries')}: --json has all of them`] : []),
    ...all.slice(-MOST_EVENTS).flatMap(({ lines }) => lines),
  ];
}

function eventLines(event: EventReport, messages: readonly ToldReport[], reader: ReaderTime): string[] {
  const { ids, at, source, headline, from, to, notes, words, edited } = event;
  const sent = messages.filter(({ reminder, events }) => reminder === 0 && ids.some((id) => events.includes(id)));
  return [
    `  ${timeOf(at, reader)}  ${source}: ${toOneLine(headline)}`,
    ...(edited !== null || (from === null && to === null) ? [] : [`      ${formatArrow(from, to)}`]),
    ...notes.map((note) => `      ${toOneLine(note)}`),
    ...words.flatMap((said) => quoted('', said.text)),
    ...(edited === null ? [] : [...quoted('before: ', edited.before), ...quoted('after: ', edited.after)]),
    ...whoLines(sent),
  ];
}

function reminderLines(message: ToldReport, reader: ReaderTime): string[] {
  return [`  ${timeOf(message.due_at, reader)}  Reminder ${message.reminder}`, ...whoLines([message])];
}

function timeOf(at: string | null, { timezone, now }: ReaderTime): string {
  const time = parseInstant(at);
  return time === null ? 'at an unknown time' : formatTime(time, timezone, now);
}

/** Each receiver once, with its delay if it was late. */
function whoLines(messages: readonly ToldReport[]): string[] {
  const lateness = new Map<string, number>();
  for (const { receiver, after_ms: after } of messages.flatMap(({ delivered }) => delivered)) {
    lateness.set(receiver, Math.min(after, lateness.get(receiver) ?? Infinity));
  }
  const names = [...lateness].map(([receiver, after]) =>
    after > LATE_AFTER_MS ? `${receiver} (${formatElapsed(after)} late)` : receiver,
  );
  const missing = new Map(
    messages.flatMap(({ undelivered }) =>
      undelivered.flatMap((one) => (lateness.has(one.receiver) ? [] : [[one.receiver, one] as const])),
    ),
  );
  return [
    ...(names.length === 0 ? [] : [`      told: ${names.join(', ')}`]),
    ...[...missing.values()].map(
      ({ receiver, reason, for_good: forGood }) =>
        `      ${receiver} ${forGood ? 'refused it' : 'has not taken it'}: ${toOneLine(reason)}`,
    ),
  ];
}

function quoted(label: string, text: string): string[] {
  const shown = truncate(toReadableText(text), LONGEST_WORDS);
  return shown === '' ? [] : `${label}“${shown}”`.split('\n').map((line) => `      ${line}`);
}

function toldLines({ told, untold }: StoryReport, reader: ReaderTime): string[] {
  const lines = [
    ...told.flatMap(({ receiver, last_at: at, reminders, waiting, next = null }) => {
      const parts = [
        at === null ? 'told before' : `last told ${formatReaderTime(at, reader)}`,
        ...(reminders === 0 ? [] : [`reminded ${reminders === 1 ? 'once' : `${reminders} times`}`]),
        ...(waiting === 0 || next !== null ? [] : [`${waiting} still waiting`]),
      ];
      return [`  ${receiver}: ${parts.join(', ')}`, ...nextLines(next, reader)];
    }),
    ...untold.flatMap(({ receiver, why, next = null }) =>
      next === null
        ? [`  ${receiver}: ${explainNotNotified({ reason: why, dueAt: null }, reader.now)}`]
        : [`  ${receiver}: not told yet`, ...nextLines(next, reader)],
    ),
  ];
  return lines.length === 0 ? [] : ['', 'Who was told', ...lines];
}

/** The next message to a receiver, with its time. */
function nextLines(next: NextReport | null, { now }: ReaderTime): string[] {
  if (next === null) return [];
  return [`      ${formatNextAttempt(parseInstant(next.due_at) ?? now, now)}: ${toOneLine(next.headline)}`];
}

/** Texts of the provider that no entry above shows. */
function wordLines({ words, history }: StoryReport, reader: ReaderTime): string[] {
  const known = new Set(
    history?.events.flatMap(({ words: said, edited }) => [...said.map(({ text }) => text), edited?.after ?? '']),
  );
  const left = words.filter(({ text }) => !known.has(text));
  const lines = left.flatMap(({ at, state, text }) => [
    `  ${[...(at === null ? [] : [formatReaderTime(at, reader)]), formatNoticeState(state)].join(' · ')}`,
    ...truncate(toReadableText(text), LONGEST_WORDS)
      .split('\n')
      .map((line) => `    ${line}`),
  ]);
  return lines.length === 0
    ? []
    : ['', `In ${listAuthors(left.map((said) => ({ by: findAuthor(said) })))}’s words`, ...lines];
}
