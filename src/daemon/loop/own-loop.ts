/** Linewatch's own document: its events, alerted like those of any source, and the silences. */
import { findNextSilenceEnd, restoreSilence, type Silence } from '../../core/alert/silence.ts';
import { findNextTimeOfDay } from '../../core/text/hours.ts';
import { composeDigest, type Readers } from '../../core/view/daily-digest.ts';
import { type DigestPart, SELF_NAME, SELF, type SelfEvent, type OwnState } from '../../core/engine/self-source.ts';
import { findNextProof, listDueProofs, listUnproved, type ProofSettings } from '../../core/engine/weekly-proof.ts';
import { performStep, type StepContext } from '../../core/engine/step.ts';
import type { Routing } from '../../core/outbox/routing.ts';
import type { SourceView } from '../../core/view/system-status.ts';
import { trimEndSlashes } from '../../core/text/plain.ts';
import { findEarliest } from '../../core/transition/collections.ts';
import { describeOwnEvent } from '../../core/wording/own-events.ts';
import { acknowledge as acknowledgeIn, type AcknowledgeRequest } from '../../core/engine/acknowledge.ts';
import type { History } from '../../history/history-writer.ts';
import { computeSleep, type Clock } from '../common/clock.ts';
import { listRecorded } from '../recording/history-feed.ts';
import { type Deliveries, listSettledIds } from '../delivery/deliveries.ts';
import { type Monthly, findMonthlyEvent } from '../recording/monthly.ts';
import type { PartsById } from '../../core/correlation/other-parts.ts';
import type { Digest } from './options.ts';
import { createQuietStep, createStepping, listMessagedReceivers, type SteppingDeps } from './stepping.ts';
import { OWN_LOOP, type LoopFailures } from '../common/supervisor.ts';

export interface OwnLoopDeps extends Omit<SteppingDeps<OwnState>, 'name' | 'state'> {
  clock: Clock;
  parts: PartsById;
  routing: Routing;
  deliveries: Deliveries;
  loopFailures: LoopFailures;
  digest: Digest | null;
  /** Readers of the digest, each with its sources. */
  readers(sources: readonly SourceView[]): readonly Readers[];
  monthly: Monthly;
  /** Receivers that are asked for a weekly proof, and new tokens for their links. */
  prove: ProofSettings;
  token(): string;
  history: Pick<History, 'isRecorded'> | undefined;
}

export interface OwnLoop {
  readonly name: typeof SELF_NAME;
  readonly state: OwnState;
  /**
   * Resolves when the event is durable or the disk has refused it; rejects if it could not be applied. Keeps the order
   * of events.
   */
  happened(event: SelfEvent): Promise<void>;
  /** Saves the document, changed or not; resolves when it is durable or the disk has refused it. */
  save(): Promise<void>;
  /** Acknowledges an alert; resolves to the receivers notified of it. */
  acknowledge(taking: AcknowledgeRequest): Promise<string[]>;
  /** Sends reminders and ends silences until the signal is aborted; may run again after it rejected. */
  run(signal: AbortSignal): Promise<void>;
}

/** Loads the document. Digests that were due while the daemon was stopped are skipped. */
export function createOwnLoop(deps: OwnLoopDeps): OwnLoop {
  const { clock, document, numbers, deliveries, digest } = deps;
  const known = {
    ...document.value,
    silences: document.value.silences.flatMap((silence) => restoreSilence(silence) ?? []),
  };
  const stepping = createStepping<OwnState>({ ...deps, name: SELF_NAME, state: known });
  let turn: Promise<void> = Promise.resolve();
  let changed = new AbortController();
  // A digest due while the daemon was stopped is skipped, as it describes the current status.
  let digestDue =
    digest === null ? null : findNextTimeOfDay(digest.due, Math.max(clock.now(), document.value.digestedAt ?? 0));

  function context(state: OwnState): Omit<StepContext, 'now'> {
    const { routing, history, parts } = deps;
    const settled = listSettledIds(state, deliveries);
    return { nextNumber: numbers.next, routing, parts, settled, ...listRecorded(state, history) };
  }

  async function take(event: SelfEvent): Promise<void> {
    await stepping.take((state) => performStep(SELF, state, event, { ...context(state), now: clock.now() }));
    deps.loopFailures.succeeded(OWN_LOOP);
    // A silence may have started or ended.
    deliveries.wake();
    changed.abort();
    changed = new AbortController();
  }

  function happened(event: SelfEvent): Promise<void> {
    const taken = turn.then(() => take(event));
    // A failed step rejects for its caller only; the next one runs all the same.
    turn = taken.catch(() => undefined);
    return taken;
  }

  async function acknowledge(taking: AcknowledgeRequest): Promise<string[]> {
    const { entered, state } = await stepping.take((known) =>
      acknowledgeIn(known, taking, { ...context(known), source: SELF_NAME, now: clock.now() }),
    );
    deliveries.wake();
    return listMessagedReceivers(entered, state);
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const next = nextTime(stepping.state.silences);
      await clock.sleep(computeSleep(next, clock.now()), AbortSignal.any([signal, changed.signal]));
      if (signal.aborted || next === null || clock.now() < next) continue;
      await happened({ kind: 'tick' });
      await tellDigest();
      await tellMonth();
      await askForProofs();
    }
    await turn;
  }

  async function tellDigest(): Promise<void> {
    const now = clock.now();
    if (digest === null || digestDue === null || now < digestDue) return;
    const dueAt = digestDue;
    digestDue = findNextTimeOfDay(digest.due, now);
    const whole = digest.status(null);
    const parts = deps.readers(whole.sources).map(({ receivers, sources }): DigestPart => ({
      receivers,
      ...composeDigest(sources === null ? whole : digest.status(sources), digest.due.timezone),
    }));
    await happened({ kind: 'digest', dueAt, parts });
  }

  async function askForProofs(): Promise<void> {
    const { externalUrl, timezone } = deps.prove;
    for (const receiver of listDueProofs(stepping.state, clock.now())) {
      const token = deps.token();
      const url = `${trimEndSlashes(externalUrl ?? '')}/seen/${token}`;
      const words = describeOwnEvent({ code: 'proof asked', receiver });
      await happened({ kind: 'prove', receiver, token, url, timezone, ...words });
    }
    const receivers = listUnproved(stepping.state, clock.now());
    if (receivers.length > 0) await happened({ kind: 'unproved', receivers });
  }

  /** A month that ended while the daemon was stopped is reported later, and once. */
  function monthDue(): ReturnType<typeof findMonthlyEvent> {
    return findMonthlyEvent(deps.monthly, stepping.state.reportedMonth ?? null, clock.now());
  }

  async function tellMonth(): Promise<void> {
    const next = monthDue();
    if (next !== null && next.dueAt <= clock.now()) await happened(next.event);
  }

  function nextTime(silences: readonly Silence[]): number | null {
    return findEarliest([
      SELF.nextTick(stepping.state, deps),
      findNextSilenceEnd(silences, clock.now()),
      digestDue,
      monthDue()?.dueAt,
      findNextProof(stepping.state),
    ]);
  }

  return {
    name: SELF_NAME,
    get state() {
      return stepping.state;
    },
    happened,
    save: async () => void (await stepping.take((state) => createQuietStep(state, true))),
    acknowledge,
    run,
  };
}
