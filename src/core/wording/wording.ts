/** What the wording of one change consists of; one function for each kind, in the file of its family. */
import type { Kind, Status } from '../transition/kind.ts';
import type { TransitionOf } from '../transition/transition.ts';
import type { UpdateDetails, WindowDetails } from '../transition/details.ts';
import { readable } from './markup.ts';
import { noticeLabel } from './state-words.ts';
import { PROVIDER, ownedBy, speakers } from './speaker.ts';
import { capitalize, toOneLine, trimEndSlashes } from '../text/plain.ts';
import { instant, when, windowText } from './time.ts';
import type { AlertView } from '../alert/alert.ts';

/** Slack refuses a button with a longer address. */
const LONGEST = 3000;

/** One point in time, for channels that show each reader his own zone. */
export interface TimeText {
  /** Epoch milliseconds. */
  at: number;
  /** The same as it is told elsewhere, with its zone. */
  text: string;
}

export interface Fact {
  label: string;
  text: string;
  /** What the text consists of where it is one moment, or a beginning and an end. */
  moments?: readonly TimeText[];
  /** It is since when the trouble lasts, under whatever label. */
  since?: true;
  /** Whoever sees only a glance of the message needs it to judge it. */
  atAGlance?: true;
}

/** Names or lines under one heading; a channel shows as many as it can and says how many it left out. */
export interface List {
  label: string;
  items: string[];
  /** What the items are called in "and 12 more"; absent when the label says enough. */
  inline: boolean;
  /** They are the components that the provider names. */
  affected?: true;
  /** Sites, customers or sources with what is the matter there, the worst first: how many there are, shown or not. */
  places?: number;
  /** What the first of the items show, for a channel that can draw it. */
  bars?: readonly Bar[];
}

/** Phones of one site, or of one account. */
export interface Bar {
  label: string;
  registered: number;
  offline: number;
  /** Logged off as on most days. */
  away: number;
  /** How many are offline, in words. */
  text: string;
}

/** The provider's own words, untouched but for what cannot be seen. */
export interface Quote {
  state: string | null;
  at: string | null;
  /** The same, epoch milliseconds. */
  moment?: number;
  text: string;
  /** Whose they are; absent for the provider's. */
  by?: string;
}

export interface Wording {
  /** What changed, in one line. */
  headline: string;
  /** Who or what is to blame, where the headline is followed by it; null where it says so itself, or nobody knows. */
  cause: string | null;
  /** What it is about and how it stands, for a reminder: "Still open after 8 h: THING — STANDING". */
  thing: string;
  standing: string | null;
  /** Whose trouble it is: "the provider’s status page", another vendor's or Linewatch itself. */
  where: string;
  /** False for an ending that nobody called a resolve: it must not look like an all-clear. */
  allClear: boolean;
  /** How an ending is called beside its number. */
  ending: string;
  /** The provider’s own start and end where the alert’s are not what a person asks for: epoch milliseconds. */
  since: number | null;
  until: number | null;
  /** False for planned work that has not begun: there is nothing to have lasted yet. */
  begun: boolean;
  /** What it means, in whole sentences. */
  sentences: string[];
  facts: Fact[];
  lists: List[];
  words: Quote[];
  links: Link[];
}

/** What a wording may ask for besides the change itself. */
export interface Setting {
  timezone: string;
  now: number;
  /** The name of a component by source and id, where it is known. */
  names: (source: string, id: string) => string | null;
  /** Whose account a source is, where there is more than one to mix it up with. */
  customer: (source: string) => string | null;
}

export interface Telling extends Setting {
  /** Whose page the change was seen on: `the provider`, or the page of another vendor by its name. */
  by: string;
}

/** `status` is what the change did to its alert. */
type TellerOf<K extends Kind> = (transition: TransitionOf<K>, setting: Telling, status: Status) => Wording;
export type Tellers<K extends Kind> = { [P in K]: TellerOf<P> };

export const PAGE = 'the provider’s status page';
export const VENDOR_PAGE = 'another vendor’s status page';
export const ACCOUNT = 'your own account';

/** What is not given is as for a change on the provider's page that ends with a resolve and has nothing more to say. */
export function wording(
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

/** What is not said here is said as of the change the message is about. */
export interface Combined
  extends
    Pick<Wording, 'headline' | 'thing'>,
    Partial<Pick<Wording, 'cause' | 'since' | 'facts' | 'lists' | 'sentences'>> {
  /** True when the headline and the lists tell all of it. */
  complete: boolean;
  /** True when its lists stand in place of those of each change. */
  instead?: boolean;
}

/** Each sentence of several wordings once. */
export function sentencesOf(wordings: readonly Wording[]): string[] {
  return [...new Set(wordings.flatMap((each) => each.sentences))];
}

/** Empty where there is nothing to say, so that it can be spread among others; so are `list` and `link`. */
export function fact(label: string, text: string | null): Fact[] {
  return text === null || text === '' ? [] : [{ label, text }];
}

/** The same facts, for whoever sees only a glance of the message, too. */
export function atAGlance(facts: readonly Fact[]): Fact[] {
  return facts.map((one) => ({ ...one, atAGlance: true }));
}

/** `inline`: its items may stand in one line, with commas between them. */
export function list(label: string, items: readonly string[], inline = true): List[] {
  return items.length === 0 ? [] : [{ label, items: items.map(toOneLine), inline }];
}

/** Texts as the provider wrote them, made harmless to show; times in the reader's zone. */
export function quotes(updates: readonly UpdateDetails[], setting: Telling): Quote[] {
  return updates.map((update) => {
    const at = instant(update.created_at);
    return {
      state: update.state === null ? null : noticeLabel(update.state),
      at: at === null ? null : when(at, setting.timezone, setting.now),
      ...(at !== null && { moment: at }),
      ...quoted(update.content, setting),
    };
  });
}

/** A text in the words of whoever's page it is. */
export function quoted(content: string, { by }: Telling): Pick<Quote, 'text' | 'by'> {
  return { text: readable(content) || '(no text)', ...(by !== PROVIDER && { by }) };
}

/** Many are told in order; a reader in a hurry is told where the news is. */
export function quotesHeading(words: readonly Quote[]): string {
  return `In ${speakers(words)}’s words${words.length > 1 ? ' (the latest last)' : ''}`;
}

/** `The provider says`, as a label. */
export function saidBy(words: readonly Quote[]): string {
  const several = new Set(words.map(({ by }) => by)).size > 1;
  return `${capitalize(speakers(words))} ${several ? 'say' : 'says'}`;
}

function momentOf(at: number, { timezone, now }: Pick<Setting, 'timezone' | 'now'>): TimeText {
  return { at, text: when(at, timezone, now) };
}

/** A moment under a label; nothing where it is not known. */
export function moment(label: string, at: number | null, setting: Pick<Setting, 'timezone' | 'now'>): Fact[] {
  if (at === null) return [];
  const told = momentOf(at, setting);
  return [{ label, text: told.text, moments: [told] }];
}

/** Since when the trouble lasts. */
export function since(label: string, at: number | null, setting: Pick<Setting, 'timezone' | 'now'>): Fact[] {
  return moment(label, at, setting).map((one) => ({ ...one, since: true }));
}

/** With both moments for whoever shows them in another zone; without, where one of them is not known. */
export function windowFact(label: string, window: WindowDetails, setting: Setting): Fact {
  const [from, to] = [instant(window.begins_at), instant(window.ends_at)];
  const whole = { label, text: windowOf(window, setting) };
  return from === null || to === null ? whole : { ...whole, moments: [momentOf(from, setting), momentOf(to, setting)] };
}

export function windowOf(window: WindowDetails, setting: Setting): string {
  return windowText(instant(window.begins_at), instant(window.ends_at), setting.timezone, setting.now);
}

/** A name of the provider's on one line; never empty, so that a headline always names something. */
export function named(name: string): string {
  return toOneLine(name) || 'without a name';
}

export interface Link {
  text: string;
  url: string;
}

/** A link to the page of whoever says it. */
export function statusPageLink(by: string, url: string | null): Link[] {
  return link(ownedBy(by, 'status page'), url);
}

/** The address in its normal form, or null when it must not become a link. */
export function safeUrl(url: string | null): string | null {
  if (url === null || url.length > LONGEST || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return null;
  // User names in an address make `https://bank.example@evil.example` look like what it is not.
  if (parsed.username !== '' || parsed.password !== '') return null;
  return parsed.href.length > LONGEST ? null : parsed.href;
}

/** Empty for an address that must not be followed. */
export function link(text: string, url: string | null): Link[] {
  const safe = safeUrl(url);
  return safe === null ? [] : [{ text, url: safe }];
}

/** Where Linewatch's own page shows an alert; null for what opens none. */
export function alertUrl(externalUrl: string, alert: AlertView): string | null {
  return alert.number === null ? null : `${trimEndSlashes(externalUrl)}/alerts/${alert.number}`;
}
