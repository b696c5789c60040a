/**
 * Plan of one sweep over an account:
 *
 * 1. Registrations, if due. Their observation is committed and its messages enqueued as soon as they are read.
 * 2. At the same time the other lists, each a step of its own: toggles if due; extensions every ten minutes, whenever a
 *    phone is missing (a deleted phone is not lost), and again until they could be read.
 * 3. The end of the sweep with its misses. A slow list delays it for some seconds only, and the next sweep not at all:
 *    it is requested again after its failure.
 *
 * Refused parts are retried later, all others at their usual pace. After one part refuses the key, the other is tried
 * at once, so that both refusals are one event.
 */
import type { WatchedAccount } from './options.ts';
import { isExtensionListNeeded } from '../../core/account/compare-registrations.ts';
import type { AccountObservation, Registered } from '../../core/account/account-model.ts';
import type { AccountSnapshot } from '../../core/account/account-snapshot.ts';
import { withoutStrangers } from '../../core/account/extension-list.ts';
import { findListDoubt } from '../../core/account/registration-list.ts';
import type { Listing, Miss } from '../../core/observation/listing.ts';
import { PACE } from '../../core/observation/limits.ts';
import { SECOND } from '../../core/text/duration.ts';
import { createAccessBackoff, EARLY, findMiss, type Sweeper } from './sweep.ts';

export interface AccountSweepDeps extends Pick<
  WatchedAccount,
  'reader' | 'registrationsEveryMs' | 'togglesEveryMs' | 'settings'
> {
  monotonic(): number;
  /** Resolves after this time, or when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  snapshot(): AccountSnapshot;
  /** Resolves when the observation is committed and its messages are enqueued. */
  step(observation: AccountObservation): Promise<void>;
}

/** A healthy provider responds within a second. */
const WAITS_FOR_SIDE_LISTS_MS = 10 * SECOND;

type AccountPartName = 'registrations' | 'extensions' | 'toggles';

/** Without a reason each sweep would make an exception with its stack. */
const OVER = 'the side lists are read';

/**
 * The first sweep waits for every part. A failed request is observed as a miss; `sweep` rejects only for unexpected
 * errors.
 */
export function createAccountSweeper(deps: AccountSweepDeps): Sweeper {
  const { reader, monotonic, step } = deps;
  let beganAt = -Infinity;
  /**
   * Start of the sweep that last read each part: time spent waiting within a sweep does not postpone the next reading.
   */
  const readAt = new Map<AccountPartName, number>();
  /** Last miss of each part, which stays current in sweeps that do not read the part. */
  const parts = new Map<AccountPartName, Miss | null>();
  /** Running requests for side lists. */
  const asked = new Map<AccountPartName, Promise<void>>();
  /** Unexpected errors of side lists; the current sweep rejects with them, or the next one. */
  const failures: unknown[] = [];
  let endedAt: number | null = null;
  const backoff = createAccessBackoff<AccountPartName>(['registrations', 'toggles'], monotonic);

  function isDue(part: AccountPartName, everyMs: number): boolean {
    const last = readAt.get(part);
    if (backoff.isRefused(part)) return true;
    return last === undefined || beganAt - last >= everyMs * EARLY;
  }

  async function read<T>(part: AccountPartName, ask: () => Promise<Listing<T>>): Promise<Listing<T>> {
    const round = beganAt;
    const listing = await backoff.ask(part, ask);
    parts.set(part, findMiss(listing));
    if (listing.kind === 'observed' || part !== 'extensions') readAt.set(part, round);
    return listing;
  }

  /** Requests a list and applies the response while everything else continues. */
  function askBeside(part: AccountPartName, take: () => Promise<void>): void {
    if (asked.has(part)) return;
    const answered = take()
      .catch((error: unknown) => void failures.push(error))
      .finally(() => asked.delete(part));
    asked.set(part, answered);
  }

  async function sideLists(signal: AbortSignal): Promise<void> {
    if (asked.size > 0) {
      const all = Promise.all(asked.values());
      const over = new AbortController();
      const soon = AbortSignal.any([signal, over.signal]);
      await (!deps.snapshot().baselineTold ? all : Promise.race([all, deps.sleep(WAITS_FOR_SIDE_LISTS_MS, soon)]));
      over.abort(OVER);
    }
    if (failures.length > 0) throw failures.shift();
  }

  async function takeRegistrations(registrations: Listing<Registered>, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await step({ kind: 'registrations', registrations, extensions: null, askedAgoMs: monotonic() - beganAt });
    parts.set('registrations', findMiss(registrations) ?? findListDoubt(deps.snapshot()));
  }

  async function readRegistrations(signal: AbortSignal): Promise<void> {
    const listed = await read('registrations', () => reader.registrations(signal));
    const before = deps.snapshot();
    const registrations = withoutStrangers(listed, null, before, deps.settings);
    const isWanted =
      isDue('extensions', PACE.extensionsEveryMs) ||
      isExtensionListNeeded(before, listed) ||
      registrations !== listed ||
      // A list that could not be read is missing until the next request.
      (parts.get('extensions') ?? null) !== null;
    await takeRegistrations(registrations, signal);
    if (!isWanted || backoff.isRefused('registrations') || signal.aborted) return;
    askBeside('extensions', async () => {
      const extensions = await read('extensions', () => reader.extensions(signal));
      if (signal.aborted) return;
      await step({ kind: 'extensions', extensions });
      const isOurs = withoutStrangers(listed, extensions, deps.snapshot(), deps.settings) === listed;
      if (registrations !== listed && isOurs) await takeRegistrations(listed, signal);
    });
  }

  function askForToggles(signal: AbortSignal): void {
    askBeside('toggles', async () => {
      const toggles = await read('toggles', () => reader.toggles(signal));
      if (!signal.aborted) await step({ kind: 'toggles', toggles });
    });
  }

  async function sweep(signal: AbortSignal): Promise<void> {
    beganAt = monotonic();
    const [wereRefused, togglesWere] = [backoff.isRefused('registrations'), backoff.isRefused('toggles')];
    if (isDue('registrations', deps.registrationsEveryMs)) await readRegistrations(signal);
    const areRefused = backoff.isRefused('registrations');
    if (signal.aborted) return;
    if (isDue('toggles', deps.togglesEveryMs) || (areRefused && !wereRefused)) askForToggles(signal);
    await sideLists(signal);
    if (signal.aborted) return;
    // The key may have been withdrawn after the registrations were read.
    if (backoff.isRefused('toggles') && !togglesWere && !areRefused) await readRegistrations(signal);
    if (signal.aborted) return;
    const ended = monotonic();
    await step({
      kind: 'end',
      parts: Object.fromEntries(parts),
      elapsedMs: endedAt === null ? 0 : ended - endedAt,
    });
    endedAt = ended;
  }

  return { sweep, intervalMs: backoff.intervalMs };
}
