/** Wording of losses that were merged into another alert. */
import type { Change } from '../../alert/alert.ts';
import type { Message } from '../../outbox/message.ts';
import { formatCount } from '../../text/plain.ts';
import type { TransitionOf } from '../../transition/transition.ts';
import { countOwnLosses } from '../../alert/account-titles.ts';
import { type Combined, createList, cleanName, type Setting, type Wording } from '../wording.ts';

/** The latest change of every source is a merge into another alert, so nothing is worse and nothing is to be done. */
export function isMerge({ changes }: Pick<Message, 'changes'>): boolean {
  return findLastOfEach(changes).every((last) => mergeOf(last) !== null);
}

function findLastOfEach(changes: readonly Change[]): Change[] {
  return [...new Map(changes.map((change) => [change.transition.source, change])).values()];
}

function mergeOf({ transition }: Change): (TransitionOf<'outage.suspected'> & { into: number }) | null {
  if (transition.kind !== 'outage.suspected' || transition.details.goes_on_in === undefined) return null;
  return { ...transition, into: transition.details.goes_on_in.number };
}

/** Combines merges of several accounts into one alert: totals, then each account. Null for anything else. */
export function combineMerges(
  { changes }: Pick<Message, 'changes'>,
  wordings: readonly Wording[],
  { customer }: Pick<Setting, 'customer'>,
): Combined | null {
  if (!isMerge({ changes })) return null;
  const merges = findLastOfEach(changes).flatMap((last) => mergeOf(last) ?? []);
  const [number, ...others] = new Set(merges.map(({ into }) => into));
  if (number === undefined || others.length > 0 || merges.length < 2) return null;
  const noun = merges.every(({ source }) => customer(source) !== null) ? 'customer' : 'account';
  const thing = `${formatCount(
    merges.reduce((sum, { details }) => sum + countOwnLosses(details), 0),
    'phone',
  )} at ${formatCount(merges.length, noun)}`;
  const rows = merges.map(({ source, details }) => {
    return `${cleanName(customer(source) ?? source)}: ${countOwnLosses(details)} of ${formatCount(details.total, 'phone')}`;
  });
  return {
    headline: `${thing} are part of #${number} now`,
    thing,
    sentences: [...new Set(wordings.at(-1)?.sentences)],
    facts: [],
    lists: createList(noun === 'customer' ? 'Customers' : 'Accounts', rows, false),
    complete: true,
    instead: true,
  };
}
