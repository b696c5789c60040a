/** Wording of an alert with lost phones at several customers: totals, then each customer. */
import { hasPhones } from '../../transition/kind.ts';
import type { Change } from '../../alert/alert.ts';
import type { PhoneCounts, SharedAlert } from '../../alert/shared-alert.ts';
import type { Message } from '../../outbox/message.ts';
import { formatAllOf, formatCount, formatCountOf, formatList } from '../../text/plain.ts';
import { findMaximum, findMinimum } from '../../transition/collections.ts';
import type { Transition } from '../../transition/transition.ts';
import { formatTimes } from './flapping.ts';
import { formatRepeat } from './phone-words.ts';
import { listCauseSentences } from './why.ts';
import { findAuthor } from '../authors.ts';
import { formatNoticeNews } from '../state-words.ts';
import { type Combined, createShortList, cleanName, type Setting, type Wording } from '../wording.ts';

/** Maximum number of customers in a list; the others are counted. */
export const CUSTOMERS_LISTED = 10;

interface CustomerRow extends PhoneCounts {
  /** Name of the customer in messages. */
  name: string;
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

/** Null for fewer than two. */
export function collectCustomers(shared: SharedAlert | null, setting: Pick<Setting, 'customer'>): ManyCustomers | null {
  const hit = shared?.accounts.filter(({ most }) => most > 0) ?? [];
  if (shared === null || hit.length < 2) return null;
  const byCustomer = Map.groupBy(hit, ({ source }) => setting.customer(source));
  const isEachKnown = !byCustomer.has(null) && byCustomer.size > 1;
  const groups = isEachKnown ? [...byCustomer.values()] : hit.map((one) => [one]);
  const customers = groups.flatMap((losses) => {
    const [first] = losses;
    if (first === undefined) return [];
    const counts = { total: sumOf(losses, 'total'), down: sumOf(losses, 'down'), most: sumOf(losses, 'most') };
    const isUnread = losses.some(({ unread, down }) => unread === true && down > 0);
    return [{ name: cleanName(setting.customer(first.source) ?? first.source), isUnread, ...counts }];
  });
  return {
    phase: shared.phase,
    notice: shared.notice,
    ...(shared.again !== undefined && { again: shared.again }),
    noun: isEachKnown ? 'customer' : 'account',
    customers: customers.toSorted((one, other) => other.down - one.down || other.most - one.most),
  };
}

function sumOf(losses: readonly PhoneCounts[], of: 'total' | 'down' | 'most'): number {
  return losses.reduce((sum, loss) => sum + loss[of], 0);
}

/** `112 of 183 phones offline at 11 customers`, and `All 112 phones at 11 customers are back` at the end. */
export function formatCustomersTitle(many: ManyCustomers, again = ''): string {
  const { customers, noun, phase } = many;
  const down = customers.filter((each) => each.down > 0);
  if (down.length === 0) return `${formatAll(many)} are back${again === '' ? '' : `,${again}`}`;
  const counted = `${sumOf(down, 'down')} of ${formatCount(sumOf(down, 'total'), 'phone')}`;
  return `${counted} ${phase === 'residual' ? 'still ' : ''}offline at ${formatCount(down.length, noun)}${again}`;
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
  if (!hasPhones(changes) && (isOver || !changes.every((change) => isOfNotice(change, reminder)))) return null;
  const title =
    (isOver ? formatStability(many, changes) : null) ??
    formatCustomersTitle(many, formatRepeat(many.again ?? null, setting));
  return {
    headline: title,
    cause: causeText(many, isOver),
    thing: formatCustomersTitle(many).replace(/ (?:still )?offline at /, ' at '),
    sentences: isOver
      ? ['Calls are not tested.']
      : [...listReasons(changes, wordings), ...describeUnread(many), ...describeReturned(many)],
    facts: [],
    lists: isOver
      ? createShortList(
          many.noun === 'customer' ? 'Customers' : 'Accounts',
          listReturnedCustomers(many),
          CUSTOMERS_LISTED,
          false,
        )
      : [],
    complete: true,
    instead: true,
  };
}

/** No phone is offline any more. */
export function hasAllBack({ customers }: ManyCustomers): boolean {
  return customers.every(({ down }) => down === 0);
}

/** An update or a reminder of the notice after losses were reported: the losses stay in the headline. */
function isOfNotice({ transition: { kind }, status }: Change, reminder: number): boolean {
  return (
    (status === 'update' || reminder > 0) &&
    (kind.startsWith('notice.') || kind.startsWith('component.') || kind.startsWith('page.'))
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
  return `${findAuthor(notice.by).replace(/^the /, '')}: ${formatNoticeNews(notice.state, notice.isPlanned)}`;
}

/** Evidence of a common cause: the sentences of the latest suspicion, else the notices that explain each loss. */
function listReasons(changes: readonly Change[], wordings: readonly Wording[]): string[] {
  const latest = changes.findLastIndex(({ transition: { kind } }) => kind.startsWith('outage.'));
  if (latest >= 0) return wordings[latest]?.sentences ?? [];
  const causes = changes.flatMap(({ transition: { details } }) =>
    'explained_by' in details && details.explained_by !== undefined ? listCauseSentences(details.explained_by) : [],
  );
  return [...new Set(causes)];
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
