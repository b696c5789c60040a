/**
 * Words that a thread has already: phones of several accounts are counted anew whenever one of them changes, and the
 * same counts are no news a second time.
 */
import type { Message } from './message.ts';

/** The counts that a receiver was last told in the thread of an alert. */
export interface SaidCounts {
  /** Id of the alert. */
  alert: string;
  counts: string;
}

/** Each is some hundred bytes of a document that is written with every delivery. */
const MOST = 50;

/** Everything that the message says was said in the last message of its thread. A reminder repeats on purpose. */
export function isSaid(message: Message, known: readonly SaidCounts[] = []): boolean {
  const { alert, changes, reminder } = message;
  const isOfCounts = changes.every(
    ({ status, transition: { kind } }) =>
      status === 'update' && (kind.startsWith('registration.') || kind === 'outage.residual'),
  );
  if (!isOfCounts || reminder > 0) return false;
  const last = known.find((one) => one.alert === alert.id);
  return last !== undefined && last.counts === countsOf(message);
}

/** What is to be remembered once a receiver has been sent these; the latest last. */
export function saidAfter(known: readonly SaidCounts[], sent: readonly Message[]): SaidCounts[] {
  const said = new Map(known.map(({ alert, counts }) => [alert, counts]));
  for (const message of sent) {
    const { id } = message.alert;
    const counts = countsOf(message);
    said.delete(id);
    if (counts !== null) said.set(id, counts);
  }
  return [...said].slice(-MOST).map(([alert, counts]) => ({ alert, counts }));
}

/** Null where phones of fewer than two accounts are counted, and where nobody is offline any more. */
function countsOf({ seen }: Message): string | null {
  const shared = seen?.shared ?? null;
  if (shared === null || shared.accounts.every(({ down }) => down === 0)) return null;
  const { phase, notice, accounts } = shared;
  const counts = accounts.flatMap(({ source, down, total }) => (down === 0 ? [] : [`${source} ${down}/${total}`]));
  return [phase, notice?.state ?? '', ...counts.toSorted()].join(' ');
}
