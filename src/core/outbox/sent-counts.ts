/**
 * Deduplicates messages in a thread. Phones of several accounts are counted again whenever one of them changes; the
 * same counts are not sent twice.
 */
import { hasPhones, isOfPhones } from '../transition/kind.ts';
import type { Message } from './message.ts';

/** Counts, or title, of the last message to a receiver in the thread of an alert. */
export interface SentCounts {
  /** Id of the alert. */
  alert: string;
  counts: string;
}

/** Limits the size: each is some hundred bytes of a document that is written with every delivery. */
const MOST = 50;

/**
 * True if the last message of the thread contained everything in this one. A suspicion is repeated only if the title
 * changes; counts of one account are compared only if no phone changed. Reminders repeat on purpose.
 */
export function isRepetition(message: Message, known: readonly SentCounts[] = []): boolean {
  const { alert, changes, reminder } = message;
  const areUpdates = changes.every(({ status }) => status === 'update');
  const kinds = changes.map(({ transition: { kind } }) => kind);
  const isOfCauseAlone = kinds.every((kind) => kind === 'outage.suspected');
  const isOfCounts = kinds.every(isOfPhones);
  if (!areUpdates || reminder > 0 || !(isOfCauseAlone || (isOfCounts && formatCounts(message) !== null))) return false;
  const last = known.find((one) => one.alert === alert.id);
  return last !== undefined && last.counts === formatCountsOrTitle(message);
}

/** Counts to save after these messages were sent; the latest last. */
export function updateSentCounts(known: readonly SentCounts[], sent: readonly Message[]): SentCounts[] {
  const sentCounts = new Map(known.map(({ alert, counts }) => [alert, counts]));
  for (const message of sent) {
    const { id } = message.alert;
    const counts = formatCountsOrTitle(message);
    sentCounts.delete(id);
    if (counts !== null) sentCounts.set(id, counts);
  }
  return [...sentCounts].slice(-MOST).map(([alert, counts]) => ({ alert, counts }));
}

/** Null if there is nothing to deduplicate: the alert is not about phones, or is resolved. */
function formatCountsOrTitle(message: Message): string | null {
  const { alert, changes } = message;
  if ((message.seen?.shared ?? null) !== null) return formatCounts(message);
  return hasPhones(changes) && alert.resolvedAt === null
    ? `title ${alert.title}, cause ${formatNamedCause(changes)}`
    : null;
}

/** Cause of the loss in the message: an alert's id, or a suspicion. */
function formatNamedCause(changes: Message['changes']): string {
  const last = changes.findLast(({ transition: { kind } }) => isOfCause(kind))?.transition;
  if (last?.kind === 'outage.suspected') return last.details.admitted?.alert ?? 'suspected';
  if (last?.kind !== 'registration.mass') return 'none';
  return last.details.explained_by?.alert ?? (last.details.suspected === true ? 'suspected' : 'none');
}

function isOfCause(kind: string): boolean {
  return kind === 'outage.suspected' || kind === 'registration.mass';
}

/** Null if fewer than two accounts lose phones, or none is offline any more. */
function formatCounts({ seen }: Message): string | null {
  const shared = seen?.shared ?? null;
  if (shared === null || shared.accounts.every(({ down }) => down === 0)) return null;
  const { phase, notice, accounts } = shared;
  const counts = accounts.flatMap(({ source, down, total }) => (down === 0 ? [] : [`${source} ${down}/${total}`]));
  return [phase, notice?.state ?? '', ...counts.toSorted()].join(' ');
}
