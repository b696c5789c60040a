/**
 * The text of a message for people, the same for all receivers: plain text without markup, with times in the reader's
 * zone. Receivers escape, truncate and lay it out, and add no text of their own about what happened.
 */
import { formatSourceName } from './baselines.ts';
import { dropRepeatedCauses, updateCauseTitles } from './phones/cause-titles.ts';
import type { Change } from '../alert/alert.ts';
import type { RouteEvent } from '../alert/route.ts';
import type { Message } from '../outbox/message.ts';
import { hasNotice, hasPhones, pickWorse, type Severity } from '../transition/kind.ts';
import { combineWordings, findMainChange, describeChange } from './combine.ts';
import {
  ACCOUNT,
  PAGE,
  VENDOR_PAGE,
  toAlertUrl,
  markAtAGlance,
  createFact,
  createLink,
  createSpanFact,
  createMomentFact,
  cleanName,
  createSinceFact,
  createStatusPageLink,
  type Fact,
  type Link,
  type Setting,
  type Wording,
} from './wording.ts';
import { formatList, toOneLine } from '../text/plain.ts';
import { findCustomers, formatCustomersTitle, hasAllBack, type ManyCustomers } from './phones/many-customers.ts';
import { isAfterwards, formatKicker } from './kicker.ts';
import { formatPhonesStill, formatRepeat, formatStillOffline } from './phones/phone-words.ts';
import { isMerge } from './phones/merged-losses.ts';
import { drawPhoneBars } from './phones/phone-bars.ts';
import { formatPastRecords } from './notices/record-wording.ts';
import { listRemarks } from './delivery-notes.ts';
import { findAuthor } from './authors.ts';
import { formatElapsed } from './time.ts';
import type { OfVendor } from '../transition/transition.ts';

export const TONES = ['info', 'warning', 'critical', 'resolved', 'ended'] as const;
export type Tone = (typeof TONES)[number];

export interface MessageContent extends Pick<
  Wording,
  'headline' | 'sentences' | 'facts' | 'lists' | 'words' | 'links'
> {
  /** Title of the alert after the changes of this message. */
  title: string;
  severity: Severity;
  status: RouteEvent;
  /** "#12", or null for a message without an alert. */
  number: string | null;
  /** Number, severity and kind of message in one line: "#12 · Critical · Update 3". */
  kicker: string;
  /** About the message itself: late, replaces others, not saved. */
  remarks: string[];
  /** Records of past incidents, the last lines of a new notice. */
  record: string[];
  /** Colour of the message. */
  tone: Tone;
  source: string;
  instance: string;
}

export interface ContentOptions {
  /** IANA time zone of the reader. */
  timezone: string;
  instance: string;
  /** Address of Linewatch's own page, or null. */
  externalUrl: string | null;
  /** Time of rendering, epoch milliseconds. */
  now: number;
  /** Name of a component by source and id; null if unknown. */
  names?: (source: string, id: string) => string | null;
  /** Customer of a source; null if there is only one customer. */
  customer?: (source: string) => string | null;
  /** Name of an account for people, also of the only one; null for a page. */
  displayName?: (source: string) => string | null;
  /** Public status page of a source, linked if a change has no link of its own. */
  page?: (source: string) => PublicPage | null;
}

/** Address of a status page. */
export interface PublicPage extends OfVendor {
  /** Name of the page in the configuration. */
  source: string;
  url: string | null;
}

/** Maximum number of sources named; all of them are in the list of changes. */
const NAMED_SOURCES = 3;

/** Renders the text of a message. Durations are counted to `options.now`, so the text changes with time. */
export function composeContent(queued: Message, options: ContentOptions): MessageContent {
  const message = withWorstSeverity(updateCauseTitles(queued));
  const setting: Setting = {
    timezone: options.timezone,
    now: options.now,
    names: options.names ?? (() => null),
    customer: options.customer ?? (() => null),
    ...(options.displayName !== undefined && { displayName: options.displayName }),
    isOver: message.alert.resolvedAt !== null,
  };
  const main = findMainChange(message);
  const wordings = message.changes.map((change) => describeChange(change, setting));
  const combined = combineWordings(message, main, wordings, setting);
  const status = findStatus(message, main);
  const { alert } = message;
  const many = isMerge(message) ? null : findCustomers(message, setting);
  const namesPhones = hasPhones(message.changes);
  // Once all phones are back, news of the notice is about the notice.
  const isOfPhones = many !== null && (namesPhones || !hasAllBack(many));
  const titleOfMany = isOfPhones ? formatCustomersTitle(many, formatRepeat(many.again ?? null, setting)) : null;
  // A notice may explain phones that an earlier alert reports.
  const elsewhere = namesPhones ? [] : (message.seen?.elsewhere ?? []);
  const isOfMany = combined.headline === titleOfMany;
  const isUnsaid = !namesPhones && !isOfMany && hasNotice(message.changes);
  const offline = isUnsaid ? (message.seen?.single?.accounts[0]?.down ?? 0) : 0;
  const isBack = namesPhones && status === 'updated' && isAllBack(message);
  const news = formatHeadline(message, combined, status, { now: options.now, isOfMany });
  return {
    title: titleOfMany ?? (toOneLine(alert.title) || combined.thing),
    headline: isOfMany || message.outage !== undefined ? news : addCustomer(message, news, setting),
    severity: alert.severity,
    status,
    number: alert.number === null ? null : `#${alert.number}`,
    kicker: formatKicker(message, status, {
      ending: combined.ending,
      names: listNames(message, isOfPhones ? many : null, setting),
    }),
    sentences: [
      ...(offline > 0 ? [`${formatPhonesStill(offline, 'phone')}.`] : []),
      ...dropRepeatedCauses(combined.sentences, combined.cause, message.changes),
      ...(elsewhere.length > 0 ? [formatStillOffline(elsewhere, 'phone')] : []),
    ],
    facts: [
      ...dropRepeatedStart(
        [...combined.facts, ...listLossStart(message, setting, !namesPhones && isOfMany)],
        isBack ? listAbsence(message, combined, setting) : listTimes(message, status, combined, setting),
      ),
      ...listSourceFacts(message, wordings, { setting, many }),
    ],
    lists: [...drawPhoneBars(message, setting), ...combined.lists],
    words: combined.words,
    links: dropRepeatedLinks([
      ...(combined.links.length > 0
        ? combined.links
        : createPageLink(options.page?.(many?.notice?.by.source ?? alert.source) ?? null)),
      ...(options.externalUrl === null ? [] : createLink('Alert in Linewatch', toAlertUrl(options.externalUrl, alert))),
    ]),
    remarks: listRemarks(message, setting),
    record: formatPastRecords(message, setting.timezone),
    tone:
      isBack || (many !== null && hasAllBack(many) && status === 'updated')
        ? 'info'
        : findTone(message, status, combined.allClear && elsewhere.length === 0 && offline === 0),
    source: cleanName(alert.source),
    instance: cleanName(options.instance),
  };
}

/** The alert had lost phones, and has none any more. */
function isAllBack(message: Message): boolean {
  const accounts = (message.seen?.shared ?? message.seen?.single)?.accounts ?? [];
  return !isMerge(message) && accounts.length > 0 && accounts.every(({ down }) => down === 0);
}

/** A message about the notice has the severity of the phones that it costs. */
function withWorstSeverity(message: Message): Message {
  const { alert, changes, seen } = message;
  if (seen?.severity === undefined || hasPhones(changes)) return message;
  return { ...message, alert: { ...alert, severity: pickWorse(alert.severity, seen.severity) } };
}

function findStatus(message: Message, main: Change): RouteEvent {
  // A reminder is about the open alert, whatever the repeated change did.
  if (message.reminder > 0 && message.alert.resolvedAt === null) return 'updated';
  if (message.changes.every((change) => change.status === 'info')) return 'info';
  if (message.alert.resolvedAt !== null && main.status === 'resolved') return 'resolved';
  if (message.reminder > 0) return 'updated';
  return message.changes.some((change) => change.status === 'open') || message.first ? 'opened' : 'updated';
}

function findTone(message: Message, status: RouteEvent, allClear: boolean): Tone {
  if (isMerge(message)) return 'info';
  if (isAfterwards(message, status)) return 'ended';
  if (status !== 'resolved') return message.alert.severity;
  return allClear ? 'resolved' : 'ended';
}

/** `isOfMany`: the headline counts the phones of several customers. */
function formatHeadline(
  message: Message,
  combined: Wording,
  status: RouteEvent,
  { now, isOfMany }: { now: number; isOfMany: boolean },
): string {
  const { still } = message.alert;
  const elapsed = formatElapsed(now - measureLife(message, combined).from);
  if (message.reminder > 0 && isOfMany) {
    const isPhones = still !== undefined && still.state !== null;
    const thing = isPhones
      ? `Still ${still.state} after ${elapsed}: ${combined.thing}`
      : `Still open after ${elapsed}: ${combined.headline}`;
    return combined.cause === null ? thing : `${thing} — ${combined.cause}`;
  }
  if (message.reminder > 0 && still !== undefined && still.state !== null) {
    return `Still ${still.state} after ${elapsed}: ${toOneLine(still.thing)}`;
  }
  if (message.reminder > 0) {
    const how = combined.standing === null ? '' : ` — ${combined.standing}`;
    return `Still open after ${elapsed}: ${still === undefined ? combined.thing : toOneLine(still.thing)}${how}`;
  }
  const { lasted } = measureLife(message, combined);
  const isOver = status === 'resolved' && combined.begun && lasted !== null;
  const besides = [
    ...(isOver ? [`${combined.allClear ? 'after' : 'open for'} ${formatElapsed(lasted)}`] : []),
    ...(combined.cause === null ? [] : [combined.cause]),
  ];
  return besides.length === 0 ? combined.headline : `${combined.headline} — ${besides.join('; ')}`;
}

/** Puts the customer's name first if the message is about one customer whose name is not in the text. */
function addCustomer({ changes }: Message, text: string, { customer }: Setting): string {
  const [whose, ...others] = new Set(changes.flatMap(({ transition }) => customer(transition.source) ?? []));
  const isSaid = whose === undefined || others.length > 0 || text.includes(`“${cleanName(whose)}”`);
  return isSaid ? text : `${cleanName(whose)}: ${text}`;
}

/** Span of the trouble. It begins with the first lost phone in any message to this receiver. */
function measureLife({ alert, seen }: Message, combined: Wording) {
  const from = combined.since === null ? alert.startedAt : Math.min(combined.since, seen?.lostSince ?? combined.since);
  const until = combined.until ?? alert.resolvedAt;
  // A clock that was wrong, or put back meanwhile, can place the end before the start.
  return { from, until, lasted: until === null || until <= from ? null : until - from };
}

/** Start, end and duration. */
function listTimes(message: Message, status: RouteEvent, combined: Wording, setting: Setting): Fact[] {
  const { from, until, lasted } = measureLife(message, combined);
  const duration = lasted === null ? null : formatElapsed(lasted);
  const seen = createMomentFact('Seen', message.changes.at(-1)?.transition.at ?? from, setting);
  // An end that is not after the start is no time of its own.
  const isKnown = lasted !== null || combined.until !== null || until === null;
  const whole = (): Fact[] => [
    ...(combined.allClear ? markAtAGlance(createFact('Lasted', duration)) : createFact('Was open for', duration)),
    ...createMomentFact('From', lasted === null ? null : from, setting),
    ...(isKnown ? createMomentFact('Until', until, setting) : seen),
  ];
  const sinceWhen = (): Fact[] => markAtAGlance(createSinceFact(selectSinceLabel(message, from), from, setting));
  if (status === 'info') {
    if (combined.since !== null && combined.until !== null) return [...whole(), ...seen];
    const goesOn = message.alert.number !== null && message.alert.resolvedAt === null && combined.begun;
    return goesOn ? [...sinceWhen(), ...seen] : seen;
  }
  if (!combined.begun) return [];
  return status === 'resolved' || isAfterwards(message, status) ? whole() : sinceWhen();
}

/** Phones in the headline of news of a notice. */
function listLossStart({ seen }: Message, setting: Setting, isOfNotice: boolean): Fact[] {
  return isOfNotice ? markAtAGlance(createSinceFact('Offline since', seen?.lostSince ?? null, setting)) : [];
}

/** Phones that are back while their alert stays open. */
function listAbsence(message: Message, combined: Wording, setting: Setting): Fact[] {
  const own = message.seen?.single === undefined ? null : combined.since;
  const from = own ?? measureLife(message, combined).from;
  const until = message.changes.at(-1)?.transition.at ?? null;
  return markAtAGlance([createSpanFact('Were offline', [from, until], setting)]);
}

/** Phones may have been offline before the notice, or only later. */
function selectSinceLabel({ alert, changes }: Message, from: number): string {
  return hasPhones(changes) && from !== alert.startedAt ? 'Offline since' : 'Since';
}

/** Removes a fact that repeats the alert's own start under another label. */
function dropRepeatedStart(facts: readonly Fact[], own: readonly Fact[]): Fact[] {
  const combined = own.find((one) => one.since);
  return [...facts.filter((one) => one.text !== combined?.text || one.since !== true), ...own];
}

/** Names of customers, the largest loss first. */
function listNames(message: Message, many: ManyCustomers | null, setting: Setting): string[] {
  if (many === null || many.customers.length < 2) return listSources(message, setting);
  return many.customers.map(({ name }) => name);
}

const CUSTOMERS_ACCOUNTS = 'your customers’ accounts';
const OWN_ACCOUNTS = 'your own accounts';

/**
 * Sources of the message, grouped by place: losses of an account may share a message with the notice that explains
 * them.
 */
function listSourceFacts(
  message: Message,
  wordings: readonly Wording[],
  { setting, many }: { setting: Setting; many: ManyCustomers | null },
): Fact[] {
  const places = Map.groupBy(message.changes, (_, index) => wordings[index]?.where ?? '');
  const texts = [...places].map(([where, those]) => {
    if (many === null || where !== ACCOUNT) {
      const sources = listSources({ ...message, changes: those }, setting);
      return `${formatList(sources, NAMED_SOURCES)} — ${sources.length > 1 ? pluralize(where, those, setting) : where}`;
    }
    const names = formatList(
      many.customers.map(({ name }) => name),
      NAMED_SOURCES,
    );
    return `${names} — ${many.noun === 'customer' ? CUSTOMERS_ACCOUNTS : OWN_ACCOUNTS}`;
  });
  return createFact('Source', texts.join('; '));
}

/** Several sources of one place. */
function pluralize(where: string, changes: readonly Change[], { customer }: Setting): string {
  if (where === VENDOR_PAGE) return 'other vendors’ status pages';
  if (where === PAGE) return 'the provider’s status pages';
  if (where !== ACCOUNT) return where;
  return changes.every(({ transition }) => customer(transition.source) !== null) ? CUSTOMERS_ACCOUNTS : OWN_ACCOUNTS;
}

/** A reminder of several unreachable sources is about all that still are. */
function listSources(
  { changes, outage, reminder }: Pick<Message, 'changes' | 'outage' | 'reminder'>,
  setting: Setting,
): string[] {
  const down = outage?.sources.flatMap(({ name, isBack }) => (isBack ? [] : [name])) ?? [];
  const names = reminder > 0 && down.length > 0 ? down : changes.map(({ transition: { source } }) => source);
  return [...new Set(names.map((name) => formatSourceName(name, setting)))];
}

function createPageLink(page: PublicPage | null): Link[] {
  return page === null ? [] : createStatusPageLink(findAuthor(page), page.url);
}

function dropRepeatedLinks(links: readonly Link[]): Link[] {
  return [...new Map(links.toReversed().map((each) => [each.url, each])).values()].toReversed();
}
