/** Wording of an alert with lost phones at several customers: totals, then each customer. */
import { ACUTE_STATES } from '../../page/page-model.ts';
import { hasNotice, hasPhones, isOfNotice, type Kind } from '../../transition/kind.ts';
import type { Change } from '../../alert/alert.ts';
import type { NoticeOfAlert, PhoneCounts, SharedAlert } from '../../alert/shared-alert.ts';
import type { Message } from '../../outbox/message.ts';
import { formatSiteCounts } from '../../alert/account-titles.ts';
import { formatAllOf, formatCount, formatCountOf, formatList, toOneLine } from '../../text/plain.ts';
import { findMaximum, findMinimum } from '../../transition/collections.ts';
import type { Transition } from '../../transition/transition.ts';
import { formatTimes } from './flapping.ts';
import { formatRepeat } from './phone-words.ts';
import { listAdvice, listCauseSentences } from './why.ts';
import { findAuthor } from '../authors.ts';
import { formatNoticeNews } from '../state-words.ts';
import {
  type Combined,
  createFact,
  createShortList,
  cleanName,
  type Fact,
  type Setting,
  type Wording,
} from '../wording.ts';

/** Maximum number of customers in a list; the others are counted. */
export const CUSTOMERS_LISTED = 10;

interface CustomerRow extends Pick<PhoneCounts, 'total' | 'down' | 'most'> {
  /** Name of the customer in messages. */
  name: string;
  /** The name before a count of its phones alone, and the sites after it. */
  prefix: string;
  sites: string | null;
  /** Phones of an account cannot be read now. */
  isUnread: boolean;
}

/** Customers with lost phones in one alert. */
export interface ManyCustomers extends Omit<SharedAlert, 'accounts'> {
  /** Accounts, unless all belong to different customers. */
  noun: 'customer' | 'account';
  /** The largest present loss first. */
  customers: readonly CustomerRow[];
}

/** Customers of a message; of the only account where news of the provider would hide its loss. Null for none. */
export function findCustomers(
  { changes, seen }: Pick<Message, 'changes' | 'seen'>,
  setting: Pick<Setting, 'customer'>,
): ManyCustomers | null {
  const many = collectCustomers(seen?.shared ?? null, setting);
  if (many !== null || hasPhones(changes) || !hasNotice(changes)) return many;
  const single = collectCustomers(seen?.single ?? null, setting, 1);
  return single === null || hasAllBack(single) ? null : single;
}

/** Null for fewer than `least`. */
export function collectCustomers(
  shared: SharedAlert | null,
  setting: Pick<Setting, 'customer'>,
  least = 2,
): ManyCustomers | null {
  const hit = shared?.accounts.filter(({ most }) => most > 0) ?? [];
  if (shared === null || hit.length < least) return null;
  const byCustomer = Map.groupBy(hit, ({ source }) => setting.customer(source));
  const isEachKnown = !byCustomer.has(null) && byCustomer.size > 1;
  const groups = isEachKnown ? [...byCustomer.values()] : hit.map((one) => [one]);
  const customers = groups.flatMap((losses) => {
    const [first] = losses;
    if (first === undefined) return [];
    const counts = { total: sumOf(losses, 'total'), down: sumOf(losses, 'down'), most: sumOf(losses, 'most') };
    const isUnread = losses.some(({ unread, down }) => unread === true && down > 0);
    const called = setting.customer(first.source);
    // An account that is watched alone needs no name.
    const prefix = called === null && hit.length === 1 ? '' : `${cleanName(called ?? first.source)}: `;
    const sites = losses.length === 1 ? formatLostSites(first) : null;
    return [{ name: cleanName(called ?? first.source), prefix, sites, isUnread, ...counts }];
  });
  return {
    phase: shared.phase,
    notice: shared.notice,
    ...(shared.again !== undefined && { again: shared.again }),
    noun: isEachKnown ? 'customer' : 'account',
    customers: customers.toSorted((one, other) => other.down - one.down || other.most - one.most),
  };
}

/** `Richmond 14/20, Parramatta 13/20`; null for fewer than two sites. */
function formatLostSites({ sites = [] }: PhoneCounts): string | null {
  const known = sites.flatMap(({ site, offline: down, total }) => (site === null ? [] : [{ site, down, total }]));
  const counts = known.length < sites.length ? null : formatSiteCounts(known);
  return counts === null ? null : toOneLine(counts);
}

function sumOf<Count extends 'total' | 'down' | 'most'>(
  losses: readonly Pick<PhoneCounts, Count>[],
  of: Count,
): number {
  return losses.reduce((sum, loss) => sum + loss[of], 0);
}

/**
 * `112 of 183 phones offline at 11 customers`, `Acme: 9 of 20 phones offline` for one of them, and `All 112 phones at 11
 * customers are back` at the end.
 */
export function formatCustomersTitle(many: ManyCustomers, again = ''): string {
  const down = describeDown(many);
  if (down === null) return `${formatAll(many)} are back${again === '' ? '' : `,${again}`}`;
  const { counted, place, sites } = down;
  const still = many.phase === 'residual' ? 'still ' : '';
  return `${counted} ${still}offline${place}${again}${sites === null ? '' : `: ${sites}`}`;
}

/** `112 of 183 phones at 11 customers`, `Acme: 9 of 20 phones (Geelong 8/10, Laverton 1/10)` */
function formatThing(many: ManyCustomers): string {
  const down = describeDown(many);
  if (down === null) return formatCustomersTitle(many);
  return `${down.counted}${down.place}${down.sites === null ? '' : ` (${down.sites})`}`;
}

/** Null if no phone is offline. */
function describeDown({ customers, noun }: ManyCustomers) {
  const down = customers.filter((each) => each.down > 0);
  const [first, ...others] = down;
  if (first === undefined) return null;
  const counted = formatCountOf(sumOf(down, 'down'), sumOf(down, 'total'), 'phone');
  return others.length > 0
    ? { counted, place: ` at ${formatCount(down.length, noun)}`, sites: null }
    : { counted: `${first.prefix}${counted}`, place: '', sites: first.sites };
}

/** The end of losses that came and went at each of the customers, an hour after the last one. Null for any other end. */
function formatStability(many: ManyCustomers, changes: readonly Change[]): string | null {
  const stable = changes.flatMap(({ transition }) => (isStability(transition) ? [transition] : []));
  if (new Set(stable.map(({ source }) => source)).size < many.customers.length) return null;
  const counts = stable.map(({ from }) => Number(from));
  const most = findMaximum(counts);
  const times = `${findMinimum(counts) === most ? '' : 'up to '}${formatTimes(most)}`;
  return `${formatAll(many)} are stable again: online for an hour, lost ${times} before that`;
}

function formatAll({ customers, noun }: ManyCustomers): string {
  return `${formatAllOf(sumOf(customers, 'most'), 'phone')} at ${formatCount(customers.length, noun)}`;
}

/** Wording of the whole message; null if it is not about phones. */
export function combineCustomers(
  { changes, reminder }: Pick<Message, 'changes' | 'reminder'>,
  many: ManyCustomers,
  { wordings, setting }: { wordings: readonly Wording[]; setting: Pick<Setting, 'timezone' | 'now'> },
): Combined | null {
  const isOver = hasAllBack(many);
  // The losses of the message were merged into another alert, and no phone is back.
  if (isOver && !changes.some(isReturn) && hasPhones(changes)) return null;
  if (!hasPhones(changes) && (isOver || !changes.every((change) => isOfProvider(change, reminder)))) return null;
  const title =
    (isOver ? formatStability(many, changes) : null) ??
    formatCustomersTitle(many, formatRepeat(many.again ?? null, setting));
  return {
    headline: title,
    cause: causeText(many, isOver),
    thing: formatThing(many),
    sentences: isOver
      ? ['Calls are not tested.']
      : [
          ...listNews(changes, wordings),
          ...listReasons(changes, wordings),
          ...describeUnread(many),
          ...describeReturned(many),
        ],
    facts: hasPhones(changes) ? [] : listNoticeFacts(changes, wordings),
    lists: isOver
      ? createShortList(
          many.noun === 'customer' ? 'Customers' : 'Accounts',
          listReturnedCustomers(many),
          CUSTOMERS_LISTED,
          false,
        )
      : [],
    complete: true,
    instead: hasPhones(changes),
  };
}

/** No phone is offline any more. */
export function hasAllBack({ customers }: ManyCustomers): boolean {
  return customers.every(({ down }) => down === 0);
}

/** An update or a reminder of the notice after losses were reported: the losses stay in the headline. */
function isOfProvider({ transition: { kind }, status }: Change, reminder: number): boolean {
  return (
    (status === 'update' || reminder > 0) &&
    (isOfNotice(kind) || kind.startsWith('component.') || kind.startsWith('page.'))
  );
}

function isReturn({ transition, status }: Change): boolean {
  const { kind } = transition;
  return (
    status === 'resolved' ||
    isStability(transition) ||
    kind === 'registration.restored' ||
    kind === 'registration.removed'
  );
}

function isStability({ kind, to }: Transition): boolean {
  return kind === 'registration.flapping' && to === null;
}

/** `provider: cause found`; null if no cause is known. Phones that are back raise no suspicion. */
function causeText({ notice, phase }: ManyCustomers, isOver: boolean): string | null {
  if (notice === null) return phase === 'suspected' && !isOver ? 'outage at the provider suspected' : null;
  return formatNoticeCause(notice, isOver);
}

/** `isOver`: the phones are back, which is no all-clear of the provider. */
export function formatNoticeCause({ by, state, isPlanned }: NoticeOfAlert, isOver: boolean): string {
  const goesOn = isOver && !isPlanned && ACUTE_STATES.some((each) => each === state);
  return `${findAuthor(by).replace(/^the /, '')}: ${formatNoticeNews(state, isPlanned)}${goesOn ? ', not over yet' : ''}`;
}

/** Kinds of which the state in the headline and the provider's words say all. */
const SAID: readonly Kind[] = ['notice.opened', 'notice.state', 'notice.update', 'notice.closed'];

/** Other news of a notice, whose headlines give way to the loss. */
function listNews(changes: readonly Change[], wordings: readonly Wording[]): string[] {
  return changes.flatMap(({ transition: { kind } }, index) =>
    isOfNotice(kind) && !SAID.includes(kind) ? [`${wordings[index]?.headline}.`] : [],
  );
}

/** The notice has no place in the headline of a loss. */
function listNoticeFacts(changes: readonly Change[], wordings: readonly Wording[]): Fact[] {
  const latest = wordings[changes.findLastIndex(({ transition: { kind } }) => isOfNotice(kind))];
  return latest === undefined ? [] : [...createFact('Notice', latest.thing), ...latest.facts];
}

/** Evidence of a common cause: the sentences of the latest suspicion, else the notices that explain each loss. */
function listReasons(changes: readonly Change[], wordings: readonly Wording[]): string[] {
  const latest = changes.findLastIndex(({ transition: { kind } }) => kind.startsWith('outage.'));
  if (latest >= 0) return wordings[latest]?.sentences ?? [];
  const causes = changes.flatMap(({ transition: { details } }) =>
    'explained_by' in details && details.explained_by !== undefined ? [details.explained_by] : [],
  );
  return [...new Set([...causes.flatMap(listCauseSentences), ...causes.flatMap(listAdvice)])];
}

/** Unknown is not offline: the counts are those last seen. */
function describeUnread({ customers }: ManyCustomers): string[] {
  const names = customers.flatMap(({ name, isUnread }) => (isUnread ? [name] : []));
  return names.length === 0 ? [] : [`${formatList(names, 3)} cannot be read now: the phones count as last seen.`];
}

/** The bars leave out customers whose phones are back. */
function describeReturned({ customers, noun }: ManyCustomers): string[] {
  const back = customers.filter(({ down }) => down === 0).length;
  return back === 0 ? [] : [`All phones are back at ${formatCount(back, `other ${noun}`)}.`];
}

function listReturnedCustomers({ customers }: ManyCustomers): string[] {
  return customers.map(({ name, most, total }) => `${name}: ${formatCountOf(most, total, 'phone')} were offline`);
}
