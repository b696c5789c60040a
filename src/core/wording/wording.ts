/** Parts of the wording of one change; each kind has a function in the file of its family. */
import type { Kind, Status } from '../transition/kind.ts';
import type { TransitionOf } from '../transition/transition.ts';
import type { UpdateDetails, WindowDetails } from '../transition/details.ts';
import { toReadableLine, toReadableText } from '../text/markup.ts';
import { formatNoticeState } from './state-words.ts';
import { PROVIDER, formatPossessive, listAuthors } from './authors.ts';
import { capitalize, toOneLine, trimEndSlashes } from '../text/plain.ts';
import { parseInstant, formatTime, formatTimeWindow } from './time.ts';
import type { AlertView } from '../alert/alert.ts';

/** Slack refuses a button with a longer address. */
const LONGEST = 3000;

/** A point in time, for receivers that show each reader's own zone. */
export interface TimeText {
  /** Epoch milliseconds. */
  at: number;
  /** Text for other receivers, with the zone. */
  text: string;
}

export interface Fact {
  label: string;
  text: string;
  /** The times in the text, if it is one moment, or a start and an end. */
  moments?: readonly TimeText[];
  /** The start of the trouble, under any label. */
  since?: true;
  /** Included in notifications that show only the most important facts. */
  atAGlance?: true;
}

/** Names or lines under one heading; a receiver shows as many as fit and counts the others. */
export interface List {
  label: string;
  items: string[];
  /** Number of things that the items leave out; absent for none. */
  unlisted?: number;
  /** The items may share one line, separated by commas. */
  inline: boolean;
  /** Components that the provider names as affected. */
  affected?: true;
  /** Number of sites, customers or sources in the list, shown or not; the worst come first. */
  places?: number;
  /** Values of the first items, for a receiver that can draw bars. */
  bars?: readonly Bar[];
}

/** Phones of one site, or of one account. */
export interface Bar {
  label: string;
  registered: number;
  offline: number;
  /** Habitually offline now. */
  away: number;
  /** Count of offline phones as text. */
  text: string;
}

/** Text of the provider, unchanged except for invisible characters. */
export interface Quote {
  state: string | null;
  at: string | null;
  /** `at` in epoch milliseconds. */
  moment?: number;
  text: string;
  /** Author; absent for the provider. */
  by?: string;
}

export interface Wording {
  /** The change in one line. */
  headline: string;
  /** Cause, appended to the headline; null if it is unknown or part of the headline. */
  cause: string | null;
  /** Thing and state for a reminder: "Still open after 8 h: THING — STANDING". */
  thing: string;
  standing: string | null;
  /** Place of the trouble: "the provider’s status page", another vendor's, or Linewatch itself. */
  where: string;
  /** False for an end without a resolve: it must not look like an all-clear. */
  allClear: boolean;
  /** Name of the end beside the alert's number. */
  ending: string;
  /** Start and end if they differ from the alert's: epoch milliseconds. */
  since: number | null;
  until: number | null;
  /** False for planned work that has not begun, which has no duration yet. */
  begun: boolean;
  /** Explanation in whole sentences. */
  sentences: string[];
  facts: Fact[];
  lists: List[];
  /** Texts of the provider, oldest first. */
  words: Quote[];
  links: Link[];
}

/** Inputs of a wording besides the change itself. */
export interface Setting {
  timezone: string;
  now: number;
  /** Name of a component by source and id; null if unknown. */
  names: (source: string, id: string) => string | null;
  /** Customer of a source; null if there is only one customer. */
  customer: (source: string) => string | null;
  /** Name of an account for people, also of the only one; null for a page. Default: that of the customer. */
  displayName?: (source: string) => string | null;
  /** The message reports the end of its alert: losses before it are in the past. Default: false. */
  isOver?: boolean;
}

export interface WordingContext extends Setting {
  /** Author of the change: `the provider`, or the name of another vendor's page. */
  by: string;
}

/** `status` is the effect of the change on its alert. */
type TellerOf<K extends Kind> = (transition: TransitionOf<K>, setting: WordingContext, status: Status) => Wording;
export type WordingTable<K extends Kind> = { [P in K]: TellerOf<P> };

export const PAGE = 'the provider’s status page';
export const VENDOR_PAGE = 'another vendor’s status page';
export const ACCOUNT = 'your own account';

/** Defaults are those of a change on the provider's page that ends with a resolve. */
export function createWording(
  headline: string,
  thing: string,
  rest: Partial<Omit<Wording, 'headline' | 'thing'>> = {},
): Wording {
  return {
    headline,
    thing,
    cause: null,
    standing: null,
    where: PAGE,
    allClear: true,
    ending: 'Resolved',
    since: null,
    until: null,
    begun: true,
    sentences: [],
    facts: [],
    lists: [],
    words: [],
    links: [],
    ...rest,
  };
}

/** Parts that replace those of the main change; absent parts stay. */
export interface Combined
  extends
    Pick<Wording, 'headline' | 'thing'>,
    Partial<Pick<Wording, 'cause' | 'since' | 'facts' | 'lists' | 'sentences'>> {
  /** True if the headline and the lists contain everything. */
  complete: boolean;
  /** True if its lists replace those of each change. */
  instead?: boolean;
}

/** Each sentence of several wordings once. */
export function collectSentences(wordings: readonly Wording[]): string[] {
  return [...new Set(wordings.flatMap((each) => each.sentences))];
}

/** Empty for an empty text, so that the result can be spread; so are `list` and `link`. */
export function createFact(label: string, text: string | null): Fact[] {
  return text === null || text === '' ? [] : [{ label, text }];
}

/** Marks facts for notifications that show only the most important ones. */
export function markAtAGlance(facts: readonly Fact[]): Fact[] {
  return facts.map((one) => ({ ...one, atAGlance: true }));
}

/** `inline`: the items may share one line, separated by commas. `unlisted`: number of things that `items` leave out. */
export function createList(label: string, items: readonly string[], inline = true, unlisted = 0): List[] {
  if (items.length === 0) return [];
  return [{ label, items: items.map(toOneLine), inline, ...(unlisted > 0 && { unlisted }) }];
}

/** Lists the first `most` items, and counts the others. */
export function createShortList(label: string, items: readonly string[], most: number, inline = true): List[] {
  return createList(label, items.slice(0, most), inline, items.length - most);
}

/** Texts of the provider, with invisible characters removed; times in the reader's zone. */
export function createQuotes(updates: readonly UpdateDetails[], setting: WordingContext): Quote[] {
  return updates.map((update) => {
    const at = parseInstant(update.created_at);
    return {
      state: update.state === null ? null : formatNoticeState(update.state),
      at: at === null ? null : formatTime(at, setting.timezone, setting.now),
      ...(at !== null && { moment: at }),
      ...createQuote(update.content, setting),
    };
  });
}

/** Text of a page with its author. */
export function createQuote(content: string, { by }: WordingContext): Pick<Quote, 'text' | 'by'> {
  return { text: toReadableText(content) || '(no text)', ...(by !== PROVIDER && { by }) };
}

/** Heading of quotes; names the order if there are several. */
export function formatQuotesHeading(words: readonly Quote[]): string {
  return `In ${listAuthors(words)}’s words${words.length > 1 ? ' (the latest last)' : ''}`;
}

/** `The provider says`, as a label. */
export function formatAuthorSays(words: readonly Quote[]): string {
  const several = new Set(words.map(({ by }) => by)).size > 1;
  return `${capitalize(listAuthors(words))} ${several ? 'say' : 'says'}`;
}

function toTimeText(at: number, { timezone, now }: Pick<Setting, 'timezone' | 'now'>): TimeText {
  return { at, text: formatTime(at, timezone, now) };
}

/** Fact for a moment; empty if it is unknown. */
export function createMomentFact(label: string, at: number | null, setting: Pick<Setting, 'timezone' | 'now'>): Fact[] {
  if (at === null) return [];
  const time = toTimeText(at, setting);
  return [{ label, text: time.text, moments: [time] }];
}

/** Fact for the start of the trouble. */
export function createSinceFact(label: string, at: number | null, setting: Pick<Setting, 'timezone' | 'now'>): Fact[] {
  return createMomentFact(label, at, setting).map((one) => ({ ...one, since: true }));
}

export function createWindowFact(label: string, window: WindowDetails, setting: Setting): Fact {
  return createSpanFact(label, [parseInstant(window.begins_at), parseInstant(window.ends_at)], setting);
}

/** Fact for a start and an end, with both moments for receivers that show them in another zone. */
export function createSpanFact(
  label: string,
  [from, to]: readonly [number | null, number | null],
  setting: Pick<Setting, 'timezone' | 'now'>,
): Fact {
  const whole = { label, text: formatTimeWindow(from, to, setting.timezone, setting.now) };
  return from === null || to === null
    ? whole
    : { ...whole, moments: [toTimeText(from, setting), toTimeText(to, setting)] };
}

export function formatWindow(window: WindowDetails, setting: Setting): string {
  return formatTimeWindow(parseInstant(window.begins_at), parseInstant(window.ends_at), setting.timezone, setting.now);
}

/** A name in one line; never empty, so that a headline names something. */
export function cleanName(name: string): string {
  return toOneLine(name) || 'without a name';
}

/** The title of a notice, likewise. */
export function cleanTitle(subject: string): string {
  return cleanName(toReadableLine(subject));
}

export interface Link {
  text: string;
  url: string;
}

/** Link to the author's status page. */
export function createStatusPageLink(by: string, url: string | null): Link[] {
  return createLink(formatPossessive(by, 'status page'), url);
}

/** The normalised address, or null if it must not become a link. */
export function toSafeUrl(url: string | null): string | null {
  if (url === null || url.length > LONGEST || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return null;
  // A user name in an address can disguise its host: `https://bank.example@evil.example`.
  if (parsed.username !== '' || parsed.password !== '') return null;
  return parsed.href.length > LONGEST ? null : parsed.href;
}

/** Empty for an unsafe address. */
export function createLink(text: string, url: string | null): Link[] {
  const safe = toSafeUrl(url);
  return safe === null ? [] : [{ text, url: safe }];
}

/** Address of an alert on Linewatch's own page; null without an alert. */
export function toAlertUrl(externalUrl: string, alert: AlertView): string | null {
  return alert.number === null ? null : `${trimEndSlashes(externalUrl)}/alerts/${alert.number}`;
}
