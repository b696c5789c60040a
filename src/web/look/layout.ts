/** The layout common to all pages. Everything but literal markup is escaped by `html`. */
import { html } from 'hono/html';
import type { ReceiverView, MembersView, SystemStatus, WordsView } from '../../core/view/system-status.ts';
import { formatUnknown } from '../../core/view/verdict/known.ts';
import { listAccountViews, countNotSeen, sumPhones } from '../../core/view/verdict/sums.ts';
import { type VerdictTone, computeVerdict } from '../../core/view/verdict/verdict.ts';
import {
  joinFirst,
  formatInteger,
  truncate,
  formatList as few,
  toOneLine,
  formatCount,
} from '../../core/text/plain.ts';
import { toReadableText } from '../../core/text/markup.ts';
import { formatElapsed, findZoneName } from '../../core/wording/time.ts';
import { DAY, MINUTE } from '../../core/text/duration.ts';
import { cleanName, toSafeUrl } from '../../core/wording/wording.ts';
import { renderFavicon, type Fragment, renderGlyph, MARK, SYMBOLS } from './icons.ts';
import { FONT_PATH } from './font.ts';
import { signInOrOut, type Viewer } from '../access/sign-in-link.ts';
import { SCRIPT_MARK } from './script.ts';
import { STYLE_MARK } from './style.ts';

/** Longest shown text of an update; the rest is behind the link. */
const LONGEST_WORDS = 1_200;

/** Data and viewer of a page. */
export interface PageContext {
  status: SystemStatus;
  viewer: Viewer;
  /** Reload interval of a page without script, in seconds; null for none. */
  refreshSeconds: number | null;
}

const PAGES = {
  now: ['', 'Now'],
  days: ['days', '90 days'],
  maintenance: ['maintenance', 'Maintenance'],
  deliveries: ['deliveries', 'Deliveries'],
  silences: ['silences', 'Silences'],
} as const;

interface Framed {
  here: keyof typeof PAGES | null;
  /** Address of a page outside the navigation, where a sign-in returns; default: the status page. */
  path?: string;
  title: string;
  tone: VerdictTone;
  /** Number of folders below the top. */
  depth?: 0 | 1;
  /** Footer of a page shown alone on a wall. */
  wall?: Fragment;
  /** Never reloaded while it is open: a person may be filling in a form. */
  still?: boolean;
  /** Shortest reload interval: the page is long, and changes little. */
  apartSeconds?: number;
}

/** A complete document. Reloads by script, or without one as a whole, unless it is `still`. */
export function renderDocument(
  context: PageContext,
  {
    here,
    path = here === null ? '' : PAGES[here][0],
    title,
    tone,
    depth = 0,
    wall,
    still = false,
    apartSeconds = 0,
  }: Framed,
  main: Fragment,
): Fragment {
  const { status, refreshSeconds } = context;
  const root = depth === 0 ? './' : '../';
  const instance = toOneLine(status.instance);
  const seconds = Math.max(refreshSeconds ?? 0, apartSeconds);
  const isRenewed = refreshSeconds !== null && !still;
  return html`<!doctype html>
    <html lang="en" class="${wall === undefined ? '' : 'wall'}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · ${instance} · Linewatch</title>
        <link rel="icon" type="image/svg+xml" href="${renderFavicon(tone)}" />
        <link rel="preload" href="${root}${FONT_PATH}" as="font" type="font/woff2" crossorigin />
        <link rel="stylesheet" href="${root}style-${STYLE_MARK}.css" />
        <link rel="alternate" type="application/atom+xml" title="Linewatch ${instance}" href="${root}feed.atom" />
        ${isRenewed ? html`<noscript><meta http-equiv="refresh" content="${seconds}" /></noscript>` : null}
        ${still ? null : html`<script src="${root}live-${SCRIPT_MARK}.js" data-events="${root}events" data-apart="${apartSeconds}" defer></script>`}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        ${SYMBOLS}
        <header class="masthead ${tone}" id="masthead" data-live>
          <p class="brand"><a href="${root}">${MARK}Linewatch</a> <span>${instance}</span></p>
          ${wall === undefined ? navigation(root, here) : null} ${wall === undefined ? renderLive(status) : null}
          ${renderPrintTime(status)}
        </header>
        <p class="hidden" role="status" id="news"></p>
        <main id="main">${main}</main>
        ${wall === undefined ? footer(context, root, path) : html`<footer class="foot" id="foot" data-live>${wall} ${renderLive(status)}</footer>`}
      </body>
    </html> `;
}

/** The script says here whether the page is live, and since when it is not. */
function renderLive(status: SystemStatus): Fragment {
  return html`<p class="live"><i></i><span>As of ${clock(status, status.now)}</span></p>`;
}

/** On paper, where nothing is live, with the day. */
function renderPrintTime(status: SystemStatus): Fragment {
  const { day, month, key } = toDayParts(status, status.now);
  return html`<p class="paper">As of ${day} ${month} ${key.slice(0, 4)}, ${clock(status, status.now)}</p>`;
}

function navigation(root: string, here: Framed['here']): Fragment {
  return html`<nav aria-label="Pages">
    <ul>
      ${Object.entries(PAGES).map(
        ([name, [path, text]]) =>
          html`<li><a href="${root}${path}" ${name === here ? html`aria-current="page"` : null}>${text}</a></li>`,
      )}
    </ul>
  </nav>`;
}

const FOOT_LINKS = [
  ['?wall', 'Wall display'],
  ['days#export', 'Export'],
  ['calendar.ics', 'Calendar feed'],
  ['feed.atom', 'Atom feed'],
  ['api/', 'API'],
] as const;

function footer({ status, viewer }: PageContext, root: string, path: string): Fragment {
  const { receivers, silences, members } = status;
  const broken = receivers.some(isBroken);
  const active = silences.filter((silence) => silence.active).length;
  const waiting = receivers.some((receiver) => receiver.waiting > 0);
  return html`<footer class="foot" id="foot" data-live>
    <div>
      <p>Offline means not registered. Calls are not tested. Times are those of ${zoneText(status)}.</p>
      ${receivers.length === 0 ? html`<p>Nobody is notified: there is no receiver.</p>` : broken || waiting ? html`<p><a href="${root}deliveries">${formatReceivers(status)}</a></p>` : null}
      ${active === 0 ? null : html`<p><a href="${root}silences">${formatCount(active, 'silence')}</a> active.</p>`}
      ${members === null ? null : html`<p>${membersText(members)}${otherwiseText(members)}</p>`}
    </div>
    <ul>
      ${FOOT_LINKS.map(([to, text]) => html`<li><a href="${root}${to}">${text}</a></li>`)}
      ${signInOrOut(root, path, viewer)}
    </ul>
  </footer>`;
}

/** `UTC-6` for `Etc/GMT+6`, whose sign counts westwards. */
function zoneText({ timezone, now }: SystemStatus): string {
  return timezone.startsWith('Etc/') ? findZoneName(now, timezone) : timezone;
}

/** The leading member, and a remark that this page belongs to another one. */
function membersText(members: MembersView): string {
  const { self, leader, isCutOff, all, shards } = members;
  if (shards !== undefined && !isCutOff) return formatShardLeaders(members, shards);
  const unknown = isCutOff ? 'Who watches is not known, since the database does not answer' : 'Nobody watches';
  const leads = leader === null ? unknown : leader === self ? `${self}, this machine, watches` : `${leader} watches`;
  const others = all.filter(({ name }) => name !== leader).map(({ name, standing }) => `${name}: ${standing}`);
  return `${leads}${others.length === 0 ? '' : `; ${few(others, 5)}`}.`;
}

/** Members with a different configuration. */
function otherwiseText({ all }: MembersView): string {
  const other = all.filter(({ difference = null }) => difference !== null).map(({ name }) => name);
  if (other.length === 0) return '';
  return ` ${few(other)} ${other.length === 1 ? 'has' : 'have'} another configuration.`;
}

/** `one, this machine, watches shards 1 and 3; two watches shard 2.` */
function formatShardLeaders({ self, all }: MembersView, shards: NonNullable<MembersView['shards']>): string {
  const of = (name: string | null): string[] =>
    shards.filter(({ holder, sources }) => holder === name && sources.length > 0).map(({ shard }) => `${shard}`);
  const what = (which: readonly string[]): string => `${which.length === 1 ? 'shard' : 'shards'} ${few(which)}`;
  const known = all.map(({ name, standing }) => {
    const led = of(name);
    const who = name === self ? `${name}, this machine,` : name;
    return led.length > 0 ? `${who} watches ${what(led)}` : `${name}: ${standing}`;
  });
  const unled = of(null);
  return `${[...known, ...(unled.length > 0 ? [`nobody watches ${what(unled)}`] : [])].join('; ')}.`;
}

export function isBroken({ failing, refused, isRemoved }: ReceiverView): boolean {
  return failing !== null || refused > 0 || isRemoved;
}

/** A sentence: number of working receivers, failing ones, and waiting messages. */
export function formatReceivers({ receivers }: SystemStatus): string {
  const bad = receivers.filter(isBroken);
  const waiting = receivers.reduce((sum, receiver) => sum + receiver.waiting, 0);
  const works = receivers.length - bad.length;
  return [
    `${works === receivers.length ? formatCount(works, 'receiver') : `${works} of ${formatCount(receivers.length, 'receiver')}`} ${works === 1 ? 'works' : 'work'}`,
    ...(bad.length === 0
      ? []
      : [
          `not ${few(
            bad.map(({ name }) => name),
            3,
          )}`,
        ]),
    waiting === 0 ? 'nothing waits.' : `${formatCount(waiting, 'message')} ${waiting === 1 ? 'waits' : 'wait'}.`,
  ].join(', ');
}

/** `42 registered, 40 offline, 1 not seen, 11 not known since 03:12`; null without accounts. */
export function formatPhones(status: SystemStatus): string | null {
  if (listAccountViews(status).length === 0) return null;
  const sum = sumPhones(status);
  const registered = sum.well + sum.wrong > 0 ? `${formatInteger(sum.well)} registered` : null;
  const notSeen = countNotSeen(status);
  const offline = sum.wrong > notSeen ? `${formatInteger(sum.wrong - notSeen)} offline` : null;
  const unseen = notSeen > 0 ? `${formatInteger(notSeen)} not seen` : null;
  const all = [registered, offline, unseen, formatUnknown(sum, status)].filter((text) => text !== null);
  return all.join(', ') || 'none is registered';
}

/** The verdict, shortened for a window's title. */
export function createPageTitle(status: SystemStatus): { title: string; tone: VerdictTone } {
  const { title, tone } = computeVerdict(status);
  return { title: truncate(title, 90), tone };
}

const SAID: Readonly<Record<VerdictTone, string>> = {
  crit: 'Critical',
  warn: 'Warning',
  work: 'For information',
  unk: 'Not known',
  ok: 'Well',
};

/** `text` replaces the usual word for the tone. */
export function renderToneBadge(tone: VerdictTone, text = SAID[tone]): Fragment {
  return html`<span class="state ${tone}">${renderGlyph(tone)}${text}</span>`;
}

/** `04:09` today, `Mon 15:06` within six days, `19 Nov 15:06` before; the masthead has the zone. */
export function renderTime(status: SystemStatus, at: number): Fragment {
  return html`<time datetime="${new Date(at).toISOString()}">${formatPageTime(status, at)}</time>`;
}

export function formatPageTime(status: Pick<SystemStatus, 'now' | 'timezone'>, at: number): string {
  const { now } = status;
  const [then, today] = [toDayParts(status, at), toDayParts(status, now)];
  if (then.key === today.key) return formatHourText(status, at);
  if (Math.abs(now - at) < 6 * DAY) return `${then.weekday} ${formatHourText(status, at)}`;
  const year = then.key.slice(0, 4) === today.key.slice(0, 4) ? '' : ` ${then.key.slice(0, 4)}`;
  return `${then.day} ${then.month}${year} ${formatHourText(status, at)}`;
}

/** `21:00–21:45`, with the day if it is another; both days if it spans midnight. */
export function formatMaintenanceWindow(status: SystemStatus, from: number | null, to: number | null): string {
  if (from === null) return to === null ? 'no time given' : `until ${formatPageTime(status, to)}`;
  if (to === null) return `from ${formatPageTime(status, from)}`;
  const isSameDay = toDayParts(status, from).key === toDayParts(status, to).key;
  return `${formatPageTime(status, from)}–${isSameDay ? formatHourText(status, to) : formatPageTime(status, to)}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(timezone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timezone} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { timeZone: timezone, ...options });
  formats.set(key, known);
  return known;
}

/** `14:41`. */
export function renderHour(status: SystemStatus, at: number): Fragment {
  return html`<time datetime="${new Date(at).toISOString()}">${formatHourText(status, at)}</time>`;
}

/** `14:41` */
export function formatHourText({ timezone }: Pick<SystemStatus, 'timezone'>, at: number): string {
  return format(timezone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
}

/** `14:47:05`. */
function clock({ timezone }: SystemStatus, at: number): Fragment {
  const text = format(timezone, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(at);
  return html`<time datetime="${new Date(at).toISOString()}">${text} ${findZoneName(at, timezone)}</time>`;
}

interface DayParts {
  key: string;
  weekday: string;
  day: string;
  month: string;
}

/** Offsets of all zones are multiples of this: within it the day is constant. */
const SAME_DAY_MS = 15 * MINUTE;
const MOST_KNOWN_DAYS = 5_000;
const knownDays = new Map<string, DayParts>();

/** `Tue 24 Nov`, for the day in the reader's zone; and its key, `2026-11-24`. Memoised: a page needs some hundreds. */
export function toDayParts({ timezone }: Pick<SystemStatus, 'timezone'>, at: number): DayParts {
  const slot = `${timezone} ${Math.floor(at / SAME_DAY_MS)}`;
  const known = knownDays.get(slot) ?? dayParts(timezone, at);
  if (knownDays.size >= MOST_KNOWN_DAYS) knownDays.clear();
  knownDays.set(slot, known);
  return known;
}

/** `4 Oct` */
export function formatDay(status: Pick<SystemStatus, 'timezone'>, at: number): string {
  const { day, month } = toDayParts(status, at);
  return `${day} ${month}`;
}

function dayParts(timezone: string, at: number): DayParts {
  const parts = Object.fromEntries(
    format(timezone, { weekday: 'short', day: 'numeric', month: 'short' })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const key = format(timezone, { year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(at);
  const part = (type: string): string => key.find((each) => each.type === type)?.value ?? '';
  return {
    key: `${part('year')}-${part('month')}-${part('day')}`,
    weekday: parts['weekday'] ?? '',
    day: parts['day'] ?? '',
    month: (parts['month'] ?? '').slice(0, 3),
  };
}

/** `since 14:43, 12 min`. */
export function renderSince(status: SystemStatus, at: number): Fragment {
  return html`since ${renderTime(status, at)}, ${formatElapsed(status.now - at)}`;
}

/** Null for an address that must not be followed. */
export function renderStatusPageLink(url: string | null): Fragment | null {
  const safe = toSafeUrl(url);
  return safe === null ? null : html`<a href="${safe}" rel="noopener noreferrer">Open status page</a>`;
}

/** Truncated if long; null for none. */
export function renderProviderWords(said: WordsView | null): Fragment | null {
  if (said === null) return null;
  const text = truncate(toReadableText(said.text), LONGEST_WORDS);
  if (text === '') return null;
  return html`<blockquote class="words">
    <p>${text}</p>
  </blockquote>`;
}

/** `SIP Trunks, SMS and 4 more`. */
export function formatNames(all: readonly string[], most = 12): string {
  const shown = all.slice(0, most);
  return joinFirst(shown.map(cleanName), all.length - shown.length);
}
