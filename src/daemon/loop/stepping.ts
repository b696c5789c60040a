/**
 * Steps of one document. Each step is committed, then published, and then its dependents are woken, in this order;
 * messages of a step that the disk refuses are sent from memory.
 */
import type { Alert, EnteredTransition } from '../../core/alert/alert.ts';
import type { ToPeople } from '../../core/correlation/notify-decision.ts';
import type { Entry } from '../../core/outbox/message.ts';
import { backdateTold } from '../../core/alert/notified.ts';
import type { Log } from '../../log/log.ts';
import type { AlertNumbers } from '../common/alert-numbers.ts';
import type { HistoryFeed, HistoryFeedState } from '../recording/history-feed.ts';
import { waitUnlessAborted } from '../common/abort.ts';
import { type Clock, createJumpMeter } from '../common/clock.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import type { Document } from '../common/documents.ts';
import type { PageNeighbours } from './neighbours.ts';
import type { Observer } from './options.ts';
import type { AlertParts } from './alert-parts.ts';
import type { SharedOrigins } from './origins.ts';
import type { PendingMessages } from '../delivery/pending.ts';
import { type LoggedStep, logStep } from '../common/step-log.ts';
import type { UnsavedDocuments } from '../common/supervisor.ts';

/** Result of a step. */
export interface AppliedStep<S> extends PublishedStep {
  state: S & PublishedStep['state'];
  nextNumber: number;
}

export interface SteppingDeps<S> {
  name: string;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  document: Document<S>;
  /** State at the start. */
  state: S;
  numbers: AlertNumbers;
  unsaved: Pick<UnsavedDocuments, 'refused'>;
  publication: Publication;
  /** Performs a step that saves the state again; never rejects. */
  saveAgain(): void | Promise<void>;
  /** Aborted while the store does not answer; absent where it cannot tell. */
  unanswered?: (() => AbortSignal) | undefined;
}

export interface Stepping<S> {
  /** State after the last step. */
  readonly state: S;
  /** State for other sources: the last one that was saved and published. */
  readonly shown: S;
  /** Resolves to the result of the step, and whether it had to be written. Steps run one after the other. */
  take<Out extends AppliedStep<S>>(step: (state: S) => Out): Promise<Out>;
}

/** A refusal of the disk does not reject `take`: it goes to `unsaved`, and the next step retries it. */
export function createStepping<S extends { alerts: readonly Alert[] }>(deps: SteppingDeps<S>): Stepping<S> {
  const { name, document, numbers, unsaved, publication } = deps;
  const jumped = createJumpMeter(deps.clock);
  let { state } = deps;
  let shown = state;
  /** False until the last step is saved and published. */
  let isSettled = true;
  /** Ends with the step requested last; null while there is none. */
  let last: Promise<void> | null = null;

  /** False if the disk refuses it, or while the store does not answer: the sweeps do not wait for it. */
  async function commit(): Promise<boolean> {
    const saving = save();
    if (await waitUnlessAborted(saving, deps.unanswered?.())) return await saving;
    void saving.then((isSaved) => (isSaved ? deps.saveAgain() : undefined));
    return false;
  }

  async function save(): Promise<boolean> {
    try {
      await document.commit(state);
      return true;
    } catch (error) {
      unsaved.refused(name, error, deps.saveAgain);
      return false;
    }
  }

  /** A person may request a step while another is being saved: steps are taken in the order of their requests. */
  async function take<Out extends AppliedStep<S>>(step: (state: S) => Out): Promise<Out> {
    const before = last;
    const own = Promise.withResolvers<void>();
    last = own.promise;
    if (before !== null) await before;
    try {
      return await taken(step);
    } finally {
      own.resolve();
      if (last === own.promise) last = null;
    }
  }

  async function taken<Out extends AppliedStep<S>>(step: (state: S) => Out): Promise<Out> {
    const jumpedMs = jumped();
    // A clock change must not cause reminders for all open alerts: their intervals continue unchanged.
    const known = jumpedMs === 0 ? state : { ...state, alerts: backdateTold(state.alerts, jumpedMs) };
    const numbered = numbers.numbered(() => step(known));
    const out = numbered instanceof Promise ? await numbered : numbered;
    const changed = out.changed || known !== state || !isSettled;
    isSettled = !changed;
    ({ state } = out);
    // Two sources may step during each other's commit, and no two alerts may share a number.
    numbers.givenBefore(out.nextNumber);
    if (changed) publication.promise(name, out);
    const saved = !changed || (await commit());
    // Without it the last saved state would stay in memory beside this one.
    if (!changed) document.supersede?.(state);
    shown = state;
    const published = { ...out, changed };
    publication.publish(name, published, saved);
    publication.wake(name, published);
    isSettled = saved;
    return published;
  }

  return {
    get state() {
      return state;
    },
    get shown() {
      return shown;
    },
    take,
  };
}

/** The receivers to which a step enqueued messages. */
export function listMessagedReceivers(
  entered: readonly EnteredTransition[],
  { outbox }: PublishedStep['state'],
): string[] {
  const ids = new Set(entered.map(({ transition }) => transition.id));
  const promised = outbox.filter(({ changes }) => changes.some(({ transition }) => ids.has(transition.id)));
  return [...new Set(promised.flatMap(({ to }) => to.map(({ receiver }) => receiver)))];
}

/** A step of any document. */
export interface PublishedStep extends LoggedStep {
  state: { outbox: readonly Entry[] } & HistoryFeedState;
  entered: EnteredTransition[];
  /** False if nothing changed but noise. */
  changed: boolean;
}

export interface PublicationDeps {
  log: Log;
  observer: Partial<Observer>;
  unsaved: Pick<UnsavedDocuments, 'savedAgain'>;
  pending: PendingMessages;
  origins: SharedOrigins;
  parts: Pick<AlertParts, 'stepped'>;
  neighbours: Pick<PageNeighbours, 'stepped'>;
  toPeople(): ToPeople;
  deliveries: Pick<Deliveries, 'prepare' | 'wake'>;
  /** Accounts of a page, which step after a notification about the page. */
  sources: { accountsOf(page: string): readonly { wake(): void }[] };
  historyFeed: HistoryFeed;
}

export interface Publication {
  /** Called when the write of a source's state begins. */
  promise(name: string, step: Pick<PublishedStep, 'state'>): void;
  /** Called after every step, when its state is durable, or the disk has refused it. */
  publish(name: string, step: PublishedStep, saved: boolean): void;
  /** Wakes the deliveries, and the accounts of a changed page. */
  wake(name: string, step: PublishedStep): void;
}

/** Call in the order promise, publish, wake. `saved` is false if the disk refused the step. */
export function createPublication(deps: PublicationDeps): Publication {
  const { log, observer, unsaved, pending, parts, toPeople, origins, neighbours, deliveries, sources, historyFeed } =
    deps;
  return {
    promise(name, { state }) {
      parts.stepped(name, state.alerts);
      origins.promised(name, state);
      deliveries.prepare(pending.added(name, state));
    },
    publish(name, step, saved) {
      if (saved) unsaved.savedAgain(name);
      if (step.changed || !saved) pending.replace(name, step.state, saved);
      logStep(log, name, step, toPeople);
      origins.entered(name, step.entered);
      neighbours.stepped(name);
      // A refused step is recorded once it is on disk.
      if (saved && step.changed) historyFeed.committed(name, step.state);
      if (step.entered.length > 0) observer.entered?.(name, step.entered);
      if (step.changed) observer.committed?.(name);
    },
    wake(name, { entered, changed }) {
      if (entered.length > 0 || changed) deliveries.wake();
      if (entered.length > 0) for (const account of sources.accountsOf(name)) account.wake();
    },
  };
}
