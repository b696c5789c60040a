/**
 * A message as people are told it, said once for every channel: plain text without markup, in the reader's
 * time zone. Channels escape it, cut it to their limits and lay it out; they add no words of their own about
 * what happened.
 */
import type { Change } from '../alert/alert.ts';
import type { RouteEvent } from '../alert/route.ts';
import type { Message } from '../outbox/message.ts';
import type { Severity } from '../transition/kind.ts';
import { combine, mainChange, tell } from './combine.ts';
import {
  ACCOUNT,
  alertUrl,
  atAGlance,
  fact,
  link,
  moment,
  named,
  since,
  statusPageLink,
  type Fact,
  type Link,
  type List,
  type Quote,
  type Setting,
  type Wording,
} from './wording.ts';
import { formatList, toOneLine } from '../text/plain.ts';
import { areBack, customersTitle, isOfPhones, manyCustomers, type ManyCustomers } from './phones/many-customers.ts';
import { isAfterwards, kicker } from './kicker.ts';
import { isMerge } from './phones/merged-losses.ts';
import { phoneBars } from './phones/phone-bars.ts';
import { recordLines } from './notices/record-wording.ts';
import { remarks } from './remarks.ts';
import { speakerOf } from './speaker.ts';
import { span } from './time.ts';
import type { OfVendor } from '../transition/transition.ts';

export const TONES = ['info', 'warning', 'critical', 'resolved', 'ended'] as const;
export type Tone = (typeof TONES)[number];

export interface Briefing {
  /** The alert's title, as it is true after the changes of this message. */
  title: string;
  /** What changed, in one line. */
  headline: string;
  severity: Severity;
  status: RouteEvent;
  /** "#12", or null for what opens no alert. */
  number: string | null;
  /** Number, how bad and what kind of message in one line: "#12 · Critical · Update 3". */
  kicker: string;
  /** What it means, in whole sentences. */
  sentences: string[];
  facts: Fact[];
  lists: List[];
  /** The provider's own words, oldest first. */
  words: Quote[];
  links: Link[];
  /** About the message itself: late, stands for others, not saved. */
  remarks: string[];
  /** What came before, as the last lines of a new notice. */
  record: string[];
  /** What the message feels like: the colour it is shown in. */
  tone: Tone;
  source: string;
  instance: string;
}

export interface Briefer {
  /** IANA name of the reader's time zone. */
  timezone: string;
  instance: string;
  /** Address of Linewatch's own page, or null. */
  externalUrl: string | null;
  /** Epoch milliseconds at which the message is being told. */
  now: number;
  /** The name of a component by source and id, where it is known. */
  names?: (source: string, id: string) => string | null;
  /** Whose account a source is, where there is more than one to mix it up with. */
  customer?: (source: string) => string | null;
  /** The page that shows everybody how it is, by source; for what has no address of its own to look at. */
  page?: (source: string) => PublicPage | null;
}

/** Where a status page can be looked at. */
export interface PublicPage extends OfVendor {
  /** Its name in the configuration. */
  source: string;
  url: string | null;
}

/** As many sources as are named; the others are in the list of what happened. */
const NAMED_SOURCES = 3;

/** The same message at another moment may read otherwise: how long something has lasted is counted to `briefer.now`. */
export function briefing(message: Message, briefer: Briefer): Briefing {
  const setting: Setting = {
    timezone: briefer.timezone,
    now: briefer.now,
    names: briefer.names ?? (() => null),
    customer: briefer.customer ?? (() => null),
  };
  const main = mainChange(message);
  const wordings = message.changes.map((change) => tell(change, setting));
  const told = combine(message, main, wordings, setting);
  const status = standing(message, main);
  const { alert } = message;
  const many = isMerge(message) ? null : manyCustomers(message.seen?.shared ?? null, setting);
  const news = headline(message, told, status, briefer.now);
  return {
    title: many === null ? toOneLine(alert.title) || told.thing : customersTitle(many),
    headline: many !== null && told.headline === customersTitle(many) ? news : forCustomer(message, news, setting),
    severity: alert.severity,
    status,
    number: alert.number === null ? null : `#${alert.number}`,
    kicker: kicker(message, status, { ending: told.ending, names: namesIn(message, many, setting) }),
    sentences: told.sentences,
    facts: [
      ...saidOnce(told.facts, times(message, status, told, setting)),
      ...sources(message, wordings, { setting, many }),
    ],
    lists: [...phoneBars(message, setting), ...told.lists],
    words: told.words,
    links: unique([
      ...(told.links.length > 0 ? told.links : pageLink(briefer.page?.(alert.source) ?? null)),
      ...(briefer.externalUrl === null ? [] : link('Alert in Linewatch', alertUrl(briefer.externalUrl, alert))),
    ]),
    remarks: remarks(message, setting),
    record: recordLines(message, setting.timezone),
    tone: many !== null && areBack(many) && status === 'updated' ? 'info' : toneOf(message, status, told.allClear),
    source: named(alert.source),
    instance: named(briefer.instance),
  };
}

function standing(message: Message, main: Change): RouteEvent {
  // A reminder says that its alert goes on, whatever the change did that it repeats.
  if (message.reminder > 0 && message.alert.resolvedAt === null) return 'updated';
  if (message.changes.every((change) => change.status === 'info')) return 'info';
  if (message.alert.resolvedAt !== null && main.status === 'resolved') return 'resolved';
  if (message.reminder > 0) return 'updated';
  return message.changes.some((change) => change.status === 'open') || message.first ? 'opened' : 'updated';
}

function toneOf(message: Message, status: RouteEvent, allClear: boolean): Tone {
  if (isMerge(message)) return 'info';
  if (isAfterwards(message, status)) return 'ended';
  if (status !== 'resolved') return message.alert.severity;
  return allClear ? 'resolved' : 'ended';
}

function headline(message: Message, told: Wording, status: RouteEvent, now: number): string {
  const { still } = message.alert;
  if (message.reminder > 0 && still !== undefined && still.state !== null) {
    return `Still ${still.state} after ${span(now - message.alert.startedAt)}: ${toOneLine(still.thing)}`;
  }
  if (message.reminder > 0) {
    const how = told.standing === null ? '' : ` — ${told.standing}`;
    return `Still open after ${span(now - message.alert.startedAt)}: ${still === undefined ? told.thing : toOneLine(still.thing)}${how}`;
  }
  const { lasted } = lifeOf(message, told);
  const isOver = status === 'resolved' && told.begun && lasted !== null;
  const besides = [
    ...(told.cause === null ? [] : [told.cause]),
    ...(isOver ? [`${told.allClear ? 'after' : 'open for'} ${span(lasted)}`] : []),
  ];
  return besides.length === 0 ? told.headline : `${told.headline} — ${besides.join(', ')}`;
}

/** Whose it is comes first, where all of it is of one customer who is not named in it. */
function forCustomer({ changes }: Message, text: string, { customer }: Setting): string {
  const [whose, ...others] = new Set(changes.flatMap(({ transition }) => customer(transition.source) ?? []));
  const isSaid = whose === undefined || others.length > 0 || text.includes(`“${named(whose)}”`);
  return isSaid ? text : `${named(whose)}: ${text}`;
}

interface Life {
  from: number;
  until: number | null;
  /** Null while it goes on, and where an end before the start shows a wrong clock: a duration would be invented. */
  lasted: number | null;
}

/** It began with the first phone that the reader knows to be lost, whichever of them a message is about. */
function lifeOf({ alert, seen }: Message, told: Wording): Life {
  const from = told.since === null ? alert.startedAt : Math.min(told.since, seen?.lostSince ?? told.since);
  const until = told.until ?? alert.resolvedAt;
  return { from, until, lasted: until === null || until < from ? null : until - from };
}

/** Since when, until when and how long. */
function times(message: Message, status: RouteEvent, told: Wording, setting: Setting): Fact[] {
  const { from, until, lasted } = lifeOf(message, told);
  const duration = lasted === null ? null : span(lasted);
  const whole = (): Fact[] => [
    ...(told.allClear ? atAGlance(fact('Lasted', duration)) : fact('Was open for', duration)),
    ...moment('From', lasted === null ? null : from, setting),
    ...moment('Until', until, setting),
  ];
  const sinceWhen = (): Fact[] => atAGlance(since(sinceLabel(message, from), from, setting));
  if (status === 'info') {
    const seen = moment('Seen', message.changes.at(-1)?.transition.at ?? from, setting);
    if (told.since !== null && told.until !== null) return [...whole(), ...seen];
    const goesOn = message.alert.number !== null && message.alert.resolvedAt === null && told.begun;
    return goesOn ? [...sinceWhen(), ...seen] : seen;
  }
  if (!told.begun) return [];
  return status === 'resolved' || isAfterwards(message, status) ? whole() : sinceWhen();
}

/** Phones may have been offline since a time of their own, after a notice or before it. */
function sinceLabel({ alert, changes }: Message, from: number): string {
  const isOfPhones = changes.some(({ transition: { kind } }) => /^(?:registration|outage)\./.test(kind));
  return isOfPhones && from !== alert.startedAt ? 'Offline since' : 'Since';
}

/** A time that is the alert's own is not said under another name besides. */
function saidOnce(facts: readonly Fact[], own: readonly Fact[]): Fact[] {
  const told = own.find((one) => one.since);
  return [...facts.filter((one) => one.text !== told?.text || one.since !== true), ...own];
}

/** Who lost most comes first. */
function namesIn({ changes }: Message, many: ManyCustomers | null, setting: Setting): string[] {
  // Once all phones are back the notice goes on by itself.
  if (many === null || (areBack(many) && !changes.some(isOfPhones))) return sourcesOf(changes, setting);
  return many.customers.map(({ name }) => name);
}

/** Whose trouble it is: an account's phones may be told together with the notice that explains them. */
function sources(
  { changes }: Message,
  wordings: readonly Wording[],
  { setting, many }: { setting: Setting; many: ManyCustomers | null },
): Fact[] {
  const places = Map.groupBy(changes, (_, index) => wordings[index]?.where ?? '');
  const texts = [...places].map(([where, those]) => {
    if (many === null || where !== ACCOUNT) return `${formatList(sourcesOf(those, setting), NAMED_SOURCES)} — ${where}`;
    const names = formatList(
      many.customers.map(({ name }) => name),
      NAMED_SOURCES,
    );
    return `${names} — ${many.noun === 'customer' ? 'your customers’ accounts' : 'your own accounts'}`;
  });
  return fact('Source', texts.join('; '));
}

/** By the customer's name, where it is one's of several. */
function sourcesOf(changes: readonly Change[], { customer }: Setting): string[] {
  return [...new Set(changes.map(({ transition: { source } }) => named(customer(source) ?? source)))];
}

function pageLink(page: PublicPage | null): Link[] {
  return page === null ? [] : statusPageLink(speakerOf(page), page.url);
}

function unique(links: readonly Link[]): Link[] {
  return [...new Map(links.toReversed().map((each) => [each.url, each])).values()].toReversed();
}
