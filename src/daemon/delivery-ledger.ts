/** What became of everything that was promised to one receiver: settled, refused, owed to a recipient, or still waiting. */
import type { Message } from '../core/outbox/message.ts';
import type { ReceiverState } from './receiver-state.ts';
import { waitingFor, type Waiting } from './recipients.ts';
import type { Unsaved } from './unsaved.ts';
import type { Document } from './document.ts';

export interface LedgerDeps {
  /** Of the receiver. */
  name: string;
  document: Document<ReceiverState>;
  /** Empty where it is one recipient. */
  recipients: readonly string[];
  /** Every message promised to this receiver whose promise is on disk (or could not be put there), oldest first. */
  promised(): readonly Message[];
  /** True while a committed outbox still holds the message: then its settlement must be remembered. */
  isPromised(id: string): boolean;
  /** Something waits that failed before. */
  isStuck(waiting: Waiting): boolean;
  /** Hears when the disk refuses what is kept of this receiver, or takes it again. */
  unsaved: Pick<Unsaved, 'refused' | 'savedAgain'>;
}

export interface DeliveryLedger {
  readonly state: ReceiverState;
  isSettled(id: string): boolean;
  /** Everything that is not settled, oldest first, refused or not. */
  unsettled(): readonly Message[];
  /** What of it may be sent. */
  waiting(): Waiting;
  /** Takes effect in memory at once, so that a refusing disk does not make us send twice. */
  commit(next: Omit<ReceiverState, 'settled'>, delivered?: readonly string[]): Promise<void>;
}

export function createDeliveryLedger(deps: LedgerDeps): DeliveryLedger {
  const { document } = deps;
  /** How it is called beside those of sources. */
  const documentName = `receiver ${deps.name}`;
  let state = ofRecipients(document.value, deps.recipients);
  const settled = new Set(state.settled);
  /** What is left of the promises, made anew only when they or what became of them have changed. */
  let left: { of: readonly Message[]; unsettled: readonly Message[]; waiting: Waiting } | null = null;
  /** The promises for which what was settled has been looked through. */
  let tidied: readonly Message[] | null = null;

  function lists(): NonNullable<typeof left> {
    const of = deps.promised();
    if (left?.of === of) return left;
    const unsettled = of.filter(({ id }) => !settled.has(id));
    left = { of, unsettled, waiting: waitingFor(unsettled, state) };
    return left;
  }

  function isOpen(id: string): boolean {
    return deps.isPromised(id) && !settled.has(id);
  }

  async function commit(next: Omit<ReceiverState, 'settled'>, delivered: readonly string[] = []): Promise<void> {
    for (const id of delivered) settled.add(id);
    const of = deps.promised();
    const changed = delivered.length > 0 || of !== tidied;
    if (of !== tidied) for (const id of settled) if (!deps.isPromised(id)) settled.delete(id);
    tidied = of;
    if (changed || next.refused !== state.refused || next.owed !== state.owed) left = null;
    state = {
      ...next,
      settled: changed ? [...settled] : state.settled,
      bundles: next.bundles.filter((bundle) => bundle.of.some(isOpen)),
      refused: next.refused.filter(({ id }) => isOpen(id)),
      owed: Object.fromEntries(
        Object.entries(next.owed).flatMap(([recipient, ids]) => {
          const open = ids.filter(isOpen);
          return open.length === 0 ? [] : [[recipient, open]];
        }),
      ),
      stuck: next.stuck,
    };
    if (state.stuck !== null && !deps.isStuck(lists().waiting)) state = { ...state, stuck: null };
    try {
      await document.commit(state);
    } catch (error) {
      deps.unsaved.refused(documentName, error, () => commit(state));
      return;
    }
    deps.unsaved.savedAgain(documentName);
  }

  return {
    get state() {
      return state;
    },
    isSettled: (id) => settled.has(id),
    unsettled: () => lists().unsettled,
    waiting: () => lists().waiting,
    commit,
  };
}

/** Nobody waits for a recipient who is not configured any more. */
function ofRecipients(state: ReceiverState, recipients: readonly string[]): ReceiverState {
  const owed = Object.entries(state.owed);
  const kept = owed.filter(([recipient]) => recipients.includes(recipient));
  if (kept.length === owed.length) return state;
  const still = new Set(kept.flatMap(([, ids]) => ids));
  const settled = owed.flatMap(([, ids]) => ids.filter((id) => !still.has(id)));
  return { ...state, owed: Object.fromEntries(kept), settled: [...new Set([...state.settled, ...settled])] };
}
