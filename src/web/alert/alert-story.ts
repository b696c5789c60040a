/** Events of an alert, latest first, and receivers of each message: from the history, or from memory if it lacks them. */
import { html } from 'hono/html';
import { capitalize, truncate, toOneLine, formatCount } from '../../core/text/plain.ts';
import { MINUTE } from '../../core/text/duration.ts';
import { LATE_AFTER_MS } from '../../core/report/delivery-times.ts';
import type { AlertMoment } from '../../core/view/story/moments.ts';
import type { AlertHistory, StoryMessage } from '../../core/view/story/alert-history.ts';
import type { SystemStatus, SaidByProvider, SilenceView } from '../../core/view/system-status.ts';
import type { NextMessage, Story, ToldView } from '../../core/view/story/story.ts';
import { type VerdictTone, toTone } from '../../core/view/verdict/verdict.ts';
import { toReadableText } from '../../core/text/markup.ts';
import { findAlertAuthor } from '../../core/wording/authors.ts';
import { formatNoticeState } from '../../core/wording/state-words.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import { explainHold, formatNextAttempt, explainNotNotified } from '../../core/wording/phones/why.ts';
import { toWordTone } from './alert-card.ts';
import { findSourceTitle } from '../look/source-title.ts';
import { toDayParts, renderHour, renderTime } from '../look/layout.ts';
import { renderGlyph, type Fragment } from '../look/icons.ts';
import { renderSilenceLine } from '../views/silence-words.ts';
import { renderStackTable } from '../look/stack-table.ts';
import { append } from '../../core/transition/collections.ts';

/** Longest shown text of an update. */
const LONGEST_WORDS = 8_000;
/** The API has all of them. */
const MOST_MOMENTS = 300;

interface StoryLine {
  at: number;
  glyph: VerdictTone | 'person' | 'info' | 'phone' | 'muted';
  said: string;
  text: Fragment | null;
}

/** `history` is null without a record in the history. */
export function renderAlertEvents(status: SystemStatus, story: Story, history: AlertHistory | null): Fragment {
  const all = linesOf(status, story, history).toReversed();
  const shown = all.slice(0, MOST_MOMENTS);
  // Nothing of today has a date before something of another day.
  let day = toDayParts(status, status.now).key;
  const lines = shown.flatMap((line) => {
    const { key, weekday, day: date, month } = toDayParts(status, line.at);
    const heading = key === day ? [] : [html`<li class="day">${weekday} ${date} ${month}</li>`];
    day = key;
    return [
      ...heading,
      html`<li>
        ${renderHour(status, line.at)}${renderGlyph(line.glyph)}
        <div>
          <p><b>${line.said}</b></p>
          ${line.text}
        </div>
      </li>`,
    ];
  });
  return html`<section class="card" aria-labelledby="story" id="happened" data-live>
    <div class="head">
      <h2 id="story">What happened</h2>
      <p>
        ${findAlertAuthor(status.sources, { sources: story.sources, said: story.words })}’s words as they
        ${history === null ? 'stand there' : 'stood at each time'}
      </p>
    </div>
    <ol class="story" reversed>
      ${lines} ${all.length > shown.length ? html`<li class="day">and ${all.length - shown.length} before</li>` : null}
    </ol>
  </section>`;
}

/** In order of time. Events from before the history come from memory. */
function linesOf(status: SystemStatus, story: Story, history: AlertHistory | null): StoryLine[] {
  const { startedAt, endedAt, acknowledged, words, severity } = story;
  const moments = history?.moments ?? [];
  const first = moments[0]?.at ?? Infinity;
  const known = new Set(moments.flatMap((moment) => moment.words.map(({ text }) => text)));
  const lines: StoryLine[] = [];
  if (startedAt < first - MINUTE) {
    lines.push({ at: startedAt, glyph: moments.length === 0 ? toTone(severity) : 'info', said: 'Began', text: null });
  }
  let last = startedAt;
  for (const said of words) {
    last = said.at ?? last;
    if (last < first && !known.has(said.text)) lines.push(wordLine(status, said, last));
  }
  for (const moment of moments) lines.push(momentLine(status, moment));
  if (acknowledged !== null && !moments.some(({ kind }) => kind === 'alert.acknowledged')) {
    const text = acknowledged.comment === '' ? null : html`<p>“${toOneLine(acknowledged.comment)}”</p>`;
    lines.push({ at: acknowledged.at, glyph: 'person', said: `Acknowledged by ${toOneLine(acknowledged.by)}`, text });
  }
  for (const silence of story.silences) append(lines, mutedLines(status, silence, story));
  const sorted = lines.toSorted((a, b) => a.at - b.at);
  if (endedAt === null) return sorted;
  // The provider sends the time of an end before it reports the end: the alert's end follows from its status.
  const end = moments.findLast(({ status }) => status === 'resolved')?.at ?? endedAt;
  const place = sorted.findIndex(({ at }) => at > Math.max(end, endedAt));
  const over: StoryLine = {
    at: endedAt,
    glyph: 'ok',
    said: `Over after ${formatElapsed(endedAt - startedAt)}`,
    text: null,
  };
  return sorted.toSpliced(place === -1 ? sorted.length : place, 0, over);
}

/** A silence from before the alert mutes it from its start. */
function mutedLines(status: SystemStatus, silence: SilenceView, { startedAt, endedAt }: Story): StoryLine[] {
  const { from, until } = silence;
  const isHeard = until < (endedAt ?? status.now);
  return [
    {
      at: Math.max(from, startedAt),
      glyph: 'muted',
      said: 'Silenced',
      text: html`<p class="small">${renderSilenceLine(status, silence)}</p>`,
    },
    ...(isHeard ? [{ at: until, glyph: 'muted', said: `Silence ${silence.id} ended`, text: null } as const] : []),
  ];
}

function wordLine(status: SystemStatus, said: SaidByProvider, at: number): StoryLine {
  const state = said.state === null ? '' : `: ${formatNoticeState(said.state).toLowerCase()}`;
  return {
    at,
    glyph: toWordTone(said),
    said: `${findSourceTitle(status, said.source)}${state}`,
    text: quote(said.text),
  };
}

function quote(text: string): Fragment | null {
  const shown = truncate(toReadableText(text), LONGEST_WORDS);
  return shown === '' ? null : html`<blockquote class="words"><p>${shown}</p></blockquote>`;
}

function momentLine(status: SystemStatus, moment: AlertMoment): StoryLine {
  const { at, headline, notes, words, edit } = moment;
  const text = html`${words.map((said) => {
    const saidAt =
      said.at !== null && Math.abs(said.at - at) > MINUTE
        ? html`<p class="small soft">said at ${renderTime(status, said.at)}</p>`
        : null;
    return html`${quote(said.text)}${saidAt}`;
  })}${edit === null ? null : rewritten(edit)}${notes.map((note) => html`<p class="small soft">${note}</p>`)}`;
  return { at, glyph: glyphOf(moment), said: truncate(headline, 200), text };
}

function glyphOf({ kind, status, severity, words }: AlertMoment): StoryLine['glyph'] {
  if (kind === 'alert.acknowledged') return 'person';
  if (status === 'resolved' || kind === 'registration.restored' || kind === 'toggle.on_schedule') return 'ok';
  const said = words.at(-1);
  if (said !== undefined && said.state !== null) return toWordTone(said);
  if (/^(registration|outage)\./.test(kind)) return 'phone';
  return status === 'open' ? toTone(severity) : 'info';
}

/** Old and new text with their difference marked. */
function rewritten({ before, after }: { before: string; after: string }): Fragment {
  const [was, is] = [before, after].map((text) => truncate(toReadableText(text), LONGEST_WORDS).split(/(?<=\s)/));
  const [old, now] = [was ?? [], is ?? []];
  const least = Math.min(old.length, now.length);
  let start = 0;
  while (start < least && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < least - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const part = (words: readonly string[], from: number, to: number): string => words.slice(from, to).join('');
  const [gone, come] = [part(old, start, old.length - end), part(now, start, now.length - end)];
  const text = [
    part(now, 0, start),
    gone === '' ? '' : html`<del>${gone}</del>`,
    come === '' ? '' : html`<ins>${come}</ins>`,
    part(now, now.length - end, now.length),
  ];
  return html`<blockquote class="words"><p>${text}</p></blockquote>`;
}

/** Each message if the history has them, else the last message to each receiver. */
export function renderNotified(status: SystemStatus, story: Story, history: AlertHistory | null): Fragment {
  const { notified, untold, notTold } = story;
  const messages = history?.messages ?? [];
  const late = messages.filter(isLate).length;
  return html`<section class="card" aria-labelledby="told" id="notified" data-live>
    <div class="head">
      <h2 id="told">Notified</h2>
      <p>
        ${messages.length > 0 ? `${formatCount(messages.length, 'message')}${late === 0 ? '' : `, ${late} late`}` : formatCount(notified.length, 'receiver')}
      </p>
    </div>
    <div>
      ${
        messages.length > 0
          ? messageTable(status, messages, history?.moments ?? [])
          : notified.length === 0
            ? html`<p>Nobody has been notified.</p>`
            : receiverTable(status, notified)
      }
      ${
        untold.length === 0
          ? null
          : html`<ul class="rows small">
              ${untold.map(
                ({ receiver, why, next }) =>
                  html`<li>
                    ${receiver}:
                    ${next === null ? explainNotNotified(why, status.now) : `not notified yet; ${nextLine(status, next)}`}
                  </li>`,
              )}
            </ul>`
      }
      ${upcoming(status, notified)}
      ${story.status === 'resolved' || notTold === null || notTold.reason === 'acknowledged' ? null : html`<p class="small">${capitalize(explainHold(notTold, status.now))}.</p>`}
    </div>
  </section>`;
}

/** Recipients of the next message, among those notified before. */
function upcoming(status: SystemStatus, notified: readonly ToldView[]): Fragment | null {
  const next = notified.flatMap((one) => (one.next === null ? [] : [{ receiver: one.receiver, next: one.next }]));
  return next.length === 0
    ? null
    : html`<ul class="rows small">
        ${next.map(({ receiver, next: message }) => html`<li>${receiver}: ${nextLine(status, message)}</li>`)}
      </ul>`;
}

function nextLine({ now }: SystemStatus, { dueAt, headline }: NextMessage): string {
  return `the next message ${formatNextAttempt(dueAt, now)}: ${truncate(headline, 160)}`;
}

function isLate({ receivers, refused }: StoryMessage): boolean {
  return refused.length > 0 || receivers.some(({ afterMs }) => afterMs > LATE_AFTER_MS);
}

function messageTable(
  status: SystemStatus,
  messages: readonly StoryMessage[],
  moments: readonly AlertMoment[],
): Fragment {
  return renderStackTable(
    ['At', 'What', 'After'],
    messages.slice(0, MOST_MOMENTS).map((message) => messageRow(status, message, moments)),
  );
}

function messageRow(status: SystemStatus, message: StoryMessage, moments: readonly AlertMoment[]): Fragment {
  const { at, reminder, transitions, receivers, refused } = message;
  const of = moments.filter(({ ids }) => ids.some((id) => transitions.includes(id)));
  const what = reminder > 0 ? `Reminder ${reminder}` : (of.at(-1)?.headline ?? 'What had happened');
  const slowest = receivers.reduce((most, { afterMs }) => Math.max(most, afterMs), 0);
  const again = receivers.filter(({ attempts }) => attempts > 1);
  return html`<tr>
    <td data-h="">${renderHour(status, at)}</td>
    <th scope="row">
      ${truncate(what, 120)}
      <span class="whom">
        ${receivers.map(({ receiver }) => receiver).join(', ')}
        ${again.map(({ receiver, attempts }) => html`<br />${receiver} took it at attempt ${attempts}`)}
        ${refused.map(({ receiver, detail, forGood }) => html`<br />${receiver} ${forGood ? 'refused it' : 'has not taken it'}: ${truncate(toOneLine(detail), 160)}`)}
      </span>
    </th>
    <td data-h="after">
      ${receivers.length === 0 ? html`<span class="state warn">${renderGlyph('stale', 'warn')}never</span>` : slowest > LATE_AFTER_MS ? html`<span class="state warn">${renderGlyph('stale', 'warn')}${formatElapsed(slowest)}</span>` : html`<span class="nw">${secondsText(slowest)}</span>`}
    </td>
  </tr>`;
}

function secondsText(ms: number): string {
  return ms < 10_000 ? `${(Math.max(0, ms) / 1000).toFixed(1)} s` : formatElapsed(ms);
}

function receiverTable(status: SystemStatus, notified: readonly ToldView[]): Fragment {
  return renderStackTable(
    ['Receiver', 'Last notified', 'Reminded'],
    notified.map(
      ({ receiver, type, at, reminders, waiting }) =>
        html`<tr>
          <th scope="row">${receiver} <span class="soft small">${type}</span></th>
          <td data-h="last notified">
            ${at === null ? 'before' : renderTime(status, at)}${waiting === 0 ? null : html` <span class="state warn">${renderGlyph('stale', 'warn')}${waiting} waiting</span>`}
          </td>
          <td class="nw" data-h="reminded">
            ${reminders === 0 ? 'never' : reminders === 1 ? 'once' : `${reminders} times`}
          </td>
        </tr>`,
    ),
  );
}
