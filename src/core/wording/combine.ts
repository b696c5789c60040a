/**
 * Text of a message: the wording of each change, the main change for the headline, and the other changes combined with
 * it.
 */
import type { Change } from '../alert/alert.ts';
import type { Message } from '../outbox/message.ts';
import { isOfNotice, type Kind, type Status } from '../transition/kind.ts';
import type { Transition } from '../transition/transition.ts';
import { combineCustomers, findCustomers, formatNoticeCause } from './phones/many-customers.ts';
import { combineReturns, combinePhones, combinePhoneNews } from './phones/many-phones.ts';
import { combineSources } from './many-sources.ts';
import { combineToggles, toggleWording } from './phones/toggle.ts';
import { isMerge, combineMerges } from './phones/merged-losses.ts';
import { combineBaselines } from './baselines.ts';
import { sourceWording } from './source.ts';
import { formatNoticeNews } from './state-words.ts';
import { PROVIDER, findAuthor } from './authors.ts';
import { formatTime } from './time.ts';
import { capitalize } from '../text/plain.ts';
import {
  createList,
  PAGE,
  VENDOR_PAGE,
  type List,
  type Quote,
  type Setting,
  type WordingTable,
  type WordingContext,
  type Combined,
  type Wording,
} from './wording.ts';
import { findEarliest, findMaximum } from '../transition/collections.ts';
import { MINUTE } from '../text/duration.ts';
import { callsWording } from './phones/calls-wording.ts';
import { componentWording, combineFlips } from './notices/component.ts';
import { selfWording } from './own-wording.ts';
import { maintenanceWording } from './notices/maintenance-wording.ts';
import { noticeChangeWording } from './notices/notice-change.ts';
import { noticeWording } from './notices/notice-wording.ts';
import { registrationWording, listCorrections } from './phones/registration.ts';

/** Weight of a kind that is not in the table. */
const LEAST = 1;

/** Wordings of all kinds; a missing kind does not compile. */
const TELLERS: WordingTable<Kind> = {
  ...componentWording,
  ...noticeWording,
  ...noticeChangeWording,
  ...maintenanceWording,
  ...sourceWording,
  ...registrationWording,
  ...toggleWording,
  ...callsWording,
  ...selfWording,
};

export function describeChange({ transition, status }: Change, setting: Setting): Wording {
  // The table pairs each kind with its own function; the compiler cannot follow the pairing.
  const teller = TELLERS[transition.kind] as (
    transition: Transition,
    setting: WordingContext,
    status: Status,
  ) => Wording;
  const described = teller(transition, { ...setting, by: findAuthor(transition) }, status);
  return transition.vendor === true && described.where === PAGE ? { ...described, where: VENDOR_PAGE } : described;
}

/**
 * Order of importance. A loss of one's own phones comes before the provider's statements. A notice's state comes before
 * its times, its affected components, and another update in the same state. Components come last, because they follow
 * from the others.
 */
const WEIGHT: Partial<Record<Kind, number>> = {
  'outage.suspected': 7,
  'outage.residual': 7,
  'registration.mass': 6,
  'registration.lost': 6,
  'registration.restored': 6,
  'registration.flapping': 6,
  'fraud.suspected': 6,
  'notice.opened': 5,
  'notice.state': 5,
  'notice.reopened': 5,
  'notice.closed': 5,
  'notice.withdrawn': 5,
  'notice.unlisted': 5,
  'notice.replaced': 4,
  'notice.rescheduled': 4,
  'maintenance.late': 4,
  'maintenance.overrun': 4,
  'notice.impact': 3,
  'notice.subject': 3,
  'notice.type': 3,
  'notice.update': 2,
};

/** Flapping of a site or an account comes before its possible cause. */
const WHOLE = 8;

function computeWeight({ transition: { kind, details } }: Change): number {
  return kind === 'registration.flapping' && 'domain' in details ? WHOLE : (WEIGHT[kind] ?? LEAST);
}

/** Main change of a message: the latest of the highest weight, or the merge of its losses into another alert. */
export function findMainChange(message: Pick<Message, 'alert' | 'changes'>): Change {
  const telling = message.changes.filter((change) => change.status !== 'info');
  const ending = message.alert.resolvedAt === null ? [] : telling.filter((change) => change.status === 'resolved');
  const possible = isMerge(message) ? [message.changes.slice(-1)] : [ending, telling];
  const candidates = (possible.find((each) => each.length > 0) ?? message.changes).filter(isOfCurrentCount);
  const heaviest = findMaximum(candidates.map(computeWeight));
  const main = candidates.findLast((change) => computeWeight(change) === heaviest);
  if (main === undefined) throw new RangeError('a message has at least one change');
  return main;
}

/** A suspicion that was held gives way to a larger loss after it, which names the suspicion and counts the phones again. */
function isOfCurrentCount({ transition: { kind, source } }: Change, place: number, all: readonly Change[]): boolean {
  if (kind !== 'outage.suspected') return true;
  return !all
    .slice(place + 1)
    .some(({ transition }) => transition.kind === 'registration.mass' && transition.source === source);
}

/** Combines the wordings of all changes into one. `wordings` are in the order of the changes. */
export function combineWordings(
  message: Message,
  main: Change,
  wordings: readonly Wording[],
  setting: Setting,
): Wording {
  const index = message.changes.indexOf(main);
  const lead = wordings[index];
  if (lead === undefined) throw new RangeError('every change has a wording');
  const many = findCustomers(message, setting);
  const ofCustomers = many === null ? null : combineCustomers(message, many, { wordings, setting });
  const ofAll =
    combineMerges(message, wordings, setting) ??
    ofCustomers ??
    combineSources(message, setting) ??
    combineReturns(message);
  const open = formatOpenNotice(message, main);
  if (wordings.length === 1 && ofAll === null) return { ...lead, cause: lead.cause ?? open };
  const transitions = message.changes.map((change) => change.transition);
  const together =
    combineBaselines(transitions, wordings, setting) ??
    combineFlips(transitions, wordings) ??
    ofAll ??
    combinePhoneNews(transitions, setting) ??
    combineOfAccount(transitions, setting);
  const said = together === null ? formatProviderNews(main, transitions) : null;
  return {
    ...lead,
    headline: together?.headline ?? lead.headline,
    cause: together?.cause ?? said ?? lead.cause ?? open,
    thing: together?.thing ?? lead.thing,
    since: together === null ? lead.since : findStart(together, lead.where, wordings),
    sentences: together?.sentences ?? [...listCorrections(main.transition, transitions), ...lead.sentences],
    facts: together?.facts ?? lead.facts,
    lists: [
      ...(together?.lists ?? []),
      ...(together?.instead === true
        ? []
        : mergeLists(wordings.filter((_, place) => !isCountedAgain(transitions, place)))),
      ...(together?.complete === true ? [] : listHappened(message, wordings, setting)),
    ],
    words: labelAuthors(dropRepeatedQuotes(wordings.flatMap((each) => each.words))),
    links: [...lead.links, ...wordings.flatMap((each) => each.links)],
  };
}

/** Work of the provider may have begun before phones were lost. */
function findStart({ since }: Combined, place: string, wordings: readonly Wording[]): number | null {
  return since === undefined ? findEarliest(wordings.map((one) => (one.where === place ? one.since : null))) : since;
}

/** Lists of a mass loss that was counted again later in the message are outdated. */
function isCountedAgain(transitions: readonly Transition[], place: number): boolean {
  const counted = transitions[place];
  return (
    counted !== undefined &&
    'domain' in counted.details &&
    transitions.slice(place + 1).some(({ source, details }) => source === counted.source && 'domain' in details)
  );
}

/** Labels each quote with its author if there are several. */
function labelAuthors(words: readonly Quote[]): Quote[] {
  if (new Set(words.map(({ by }) => by)).size < 2) return [...words];
  return words.map((quote) => {
    const who = capitalize(quote.by ?? PROVIDER);
    return { ...quote, state: quote.state === null ? who : `${who}: ${quote.state}` };
  });
}

/**
 * Suffix of a headline about a loss: "14 of your 14 phones … — provider: cause found". Null if the provider has said
 * nothing about it.
 */
function formatProviderNews({ transition: { kind } }: Change, transitions: readonly Transition[]): string | null {
  if (!kind.startsWith('registration.')) return null;
  const latest = transitions.findLast((each) => isOfNotice(each.kind));
  return latest !== undefined &&
    'notice' in latest.details &&
    latest.details.notice !== null &&
    'state' in latest.details.notice
    ? `${findAuthor(latest).replace(/^the /, '')}: ${formatNoticeNews(latest.details.notice.state, latest.details.notice.type === 'planned')}`
    : null;
}

/** The notice of an alert that stays open for it, after news of the reader's phones; null for any other message. */
function formatOpenNotice({ alert, seen }: Message, { transition: { kind } }: Change): string | null {
  const { notice = null, accounts: [own] = [] } = seen?.single ?? {};
  if (notice === null || alert.resolvedAt !== null || !OF_NOTICE.includes(kind)) return null;
  return formatNoticeCause(notice, own?.down === 0);
}

const OF_NOTICE: readonly Kind[] = ['registration.lost', 'registration.restored'];

function combineOfAccount(transitions: readonly Transition[], setting: Setting): Combined | null {
  const phones = combinePhones(transitions, setting);
  if (phones !== null) return { ...phones, complete: isOneSweep(transitions) && !isEachItsOwn(transitions) };
  const lost = combinePhones(listLostAfterReturn(transitions), setting);
  if (lost !== null) return { ...lost, complete: false };
  const toggles = combineToggles(transitions);
  if (toggles === null) return null;
  return { ...toggles, complete: transitions.length <= 3 && !isEachItsOwn(transitions) };
}

/** Several phones lost after the return of others, whose end waited for them. Empty for anything else. */
function listLostAfterReturn(transitions: readonly Transition[]): readonly Transition[] {
  const end = transitions.findLastIndex(({ kind, details }) => kind === 'registration.restored' && 'domain' in details);
  const after = end === -1 ? [] : transitions.slice(end + 1);
  return after.length > 1 && after.every(({ kind }) => kind === 'registration.lost') ? after : [];
}

/** The changes differ in their values, which only their own headlines show. */
function isEachItsOwn(transitions: readonly Transition[]): boolean {
  return transitions.some(({ kind }) => !EACH_ALIKE.includes(kind));
}

const EACH_ALIKE: readonly Kind[] = ['registration.lost', 'registration.restored', 'toggle.state'];

function isOneSweep(transitions: readonly Transition[]): boolean {
  return new Set(transitions.map((each) => Math.floor(each.at / MINUTE))).size === 1;
}

function mergeLists(wordings: readonly Wording[]): List[] {
  const merged = new Map<string, List>();
  for (const one of wordings.flatMap((each) => each.lists)) {
    const known = merged.get(one.label);
    merged.set(one.label, known === undefined ? one : mergeTwo(known, one));
  }
  return [...merged.values()];
}

function mergeTwo(one: List, other: List): List {
  const unlisted = (one.unlisted ?? 0) + (other.unlisted ?? 0);
  return { ...other, items: [...new Set([...one.items, ...other.items])], ...(unlisted > 0 && { unlisted }) };
}

function listHappened({ alert, changes }: Message, wordings: readonly Wording[], setting: Setting): List[] {
  const transitions = changes.map(({ transition }) => transition);
  const oneSweep = isOneSweep(transitions);
  const lines = wordings.flatMap((each, index) => {
    const transition = transitions[index];
    const at = transition?.at;
    // Losses that were counted again in the same sweep are part of the later change.
    if (oneSweep && isCountedAgain(transitions, index)) return [];
    // Nothing is still offline under an end.
    if (alert.resolvedAt !== null && transition !== undefined && isOfRemaining(transition)) return [];
    return [
      oneSweep || at === undefined
        ? each.headline
        : `${formatTime(at, setting.timezone, setting.now)}: ${each.headline}`,
    ];
  });
  return lines.length < 2 ? [] : createList('What happened, in order', lines, false);
}

/** It says how many phones are still offline. */
function isOfRemaining({ kind, details }: Transition): boolean {
  if (kind === 'outage.residual') return true;
  return kind === 'registration.restored' && 'domain' in details && details.phones.length > 0;
}

function dropRepeatedQuotes(words: readonly Quote[]): Quote[] {
  return [...new Map(words.map((quote) => [JSON.stringify(quote), quote])).values()];
}
