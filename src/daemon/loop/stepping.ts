/**
 * Steps of one document. Each step is committed, then published, and then its dependents are woken, in this order;
 * messages of a step that the disk refuses are sent from memory. A commit that takes long delays the publication of its
 * step, and no other step.
 */
import type { Alert, EnteredTransition } from '../../core/alert/alert.ts';
import type { ToPeople } from '../../core/correlation/notify-decision.ts';
import type { Entry } from '../../core/outbox/message.ts';
import { backdateTold } from '../../core/alert/notified.ts';
import { SECOND } from '../../core/text/duration.ts';
import type { Log } from '../../log/log.ts';
import type { AlertNumbers } from '../common/alert-numbers.ts';
import type { HistoryFeed, HistoryFeedState } from '../recording/history-feed.ts';
import { type Clock, createJumpMeter, waitAtMost } from '../common/clock.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import { type Document, isSaved } from '../common/documents.ts';
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
  clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>;
  document: Document<S>;
  /** State at the start. */
  state: S;
  numbers: AlertNumbers;
  unsaved: Pick<UnsavedDocuments, 'refused'>;
  publication: Publication;
}

export interface Stepping<S> {
  /** State after the last step. */
  readonly state: S;
  /** State for other sources: the last one that was saved and published. */
  readonly shown: S;
  /**
   * Resolves when the step is published: to its result, and whether it had to be written. Steps are computed and
   * published one after the other; the next one is computed `SAVED_WITHIN_MS` after this one at the latest.
   */
  take<Out extends AppliedStep<S>>(step: (state: S) => Out): Promise<Out>;
  /**
   * Resolves when the step requested last no longer delays others: with true if it is published or has failed, and with
   * false if its commit takes longer.
   */
  ready(): Promise<boolean>;
  /** Resolves when all steps requested so far are published. */
  idle(): Promise<void>;
}

/** Longest delay of the next step, and of a sweep, by a commit. */
const SAVED_WITHIN_MS = SECOND;

/** A refusal of the disk does not reject `take`: it goes to `unsaved`, and the next step retries it. */
export function createStepping<S extends { alerts: readonly Alert[] } & PublishedStep['state']>(
  deps: SteppingDeps<S>,
): Stepping<S> {
  const { name, document, numbers, unsaved, publication } = deps;
  const jumped = createJumpMeter(deps.clock);
  let { state } = deps;
  let shown = state;
  /** False until the last step is saved and published. */
  let isSettled = isSaved(document);
  /** As `ready`, of the step requested last; null while there is none. */
  let last: Promise<boolean> | null = null;
  /** Publication of the step computed last; null while there is none. */
  let publishing: Promise<void> | null = null;

  async function commit(next: S): Promise<boolean> {
    try {
      await document.commit(next);
      return true;
    } catch (error) {
      unsaved.refused(name, error, saveAgain);
      return false;
    }
  }

  /** A step that changes nothing saves what the disk refused. */
  async function saveAgain(): Promise<void> {
    await take((known) => createQuietStep(known, false));
  }

  /** A person may request a step while another is being saved: steps are taken in the order of their requests. */
  async function take<Out extends AppliedStep<S>>(step: (state: S) => Out): Promise<Out> {
    const before = last;
    const own = Promise.withResolvers<boolean>();
    last = own.promise;
    const release = (isOver: boolean): void => {
      own.resolve(isOver);
      if (last === own.promise) last = null;
    };
    try {
      if (before !== null) await before;
      const out = await compute(step);
      const waits = out.changed || publishing !== null;
      const published = publish(out);
      if (waits) void waitAtMost(SAVED_WITHIN_MS, published, deps.clock).then(release);
      return await published;
    } finally {
      release(true);
    }
  }

  /** The result becomes the state. `changed` of it: it must be saved. */
  async function compute<Out extends AppliedStep<S>>(step: (state: S) => Out): Promise<Out> {
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
    const computed = { ...out, changed };
    if (changed) publication.promise(name, computed);
    return computed;
  }

  /** Commits the step that was just computed, and publishes it after all earlier ones. */
  async function publish<Out extends AppliedStep<S>>(out: Out): Promise<Out> {
    const earlier = publishing;
    const own = Promise.withResolvers<void>();
    publishing = own.promise;
    try {
      const saved = !out.changed || (await commit(out.state));
      // Without it the last saved state would stay in memory beside this one.
      if (!out.changed) document.supersede?.(out.state);
      if (earlier !== null) await earlier;
      shown = out.state;
      publication.publish(name, out, saved);
      publication.wake(name, out);
      // A later step is saved by its own commit.
      if (state === out.state) isSettled = saved;
      return out;
    } finally {
      own.resolve();
      if (publishing === own.promise) publishing = null;
    }
  }

  return {
    get state() {
      return state;
    },
    get shown() {
      return shown;
    },
    take,
    ready: () => last ?? Promise.resolve(true),
    async idle() {
      await last;
      await publishing;
    },
  };
}

/** A step without transitions. */
export function createQuietStep<S extends PublishedStep['state']>(state: S, changed: boolean): AppliedStep<S> {
  return { state, entered: [], decisions: [], changed, nextNumber: 0 };
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

export type Publication = ReturnType<typeof createPublication>;

/** Call in the order promise, publish, wake. `saved` is false if the disk refused the step. */
export function createPublication(deps: PublicationDeps) {
  const { log, observer, unsaved, pending, parts, toPeople, origins, neighbours, deliveries, sources, historyFeed } =
    deps;
  return {
    /** Called when the write of a source's state begins. */
    promise(name: string, { state }: Pick<PublishedStep, 'state'>): void {
      parts.stepped(name, state.alerts);
      origins.promised(name, state);
      deliveries.prepare(pending.added(name, state));
    },
    /** Called after every step, when its state is durable, or the disk has refused it. */
    publish(name: string, step: PublishedStep, saved: boolean): void {
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
    /** Wakes the deliveries, and the accounts of a changed page. */
    wake(name: string, { entered, changed }: PublishedStep): void {
      if (entered.length > 0 || changed) deliveries.wake();
      if (entered.length > 0) for (const account of sources.accountsOf(name)) account.wake();
    },
  };
}
