/**
 * The plan of one round over an account:
 *
 * 1. registrations, when they are due: what they mean is committed and told as soon as they are read;
 * 2. beside that the other lists, each a step of its own when it answers: toggles when they are due, and extensions every
 *    ten minutes, whenever a phone is missing, for one that was deleted is not lost, and again until it could be read;
 * 3. the sweep is judged by what it lacked. A list that does not answer holds it only for some seconds, and the next
 *    round not at all: it is asked again when it has failed.
 *
 * What is refused is left alone for a while, and everything else is asked for at its own pace. A key that is refused for
 * one part is tried for the other at once, so that one refusal is one event.
 */
import { asksForExtensions } from '../../core/account/compare-registrations.ts';
import type { AccountObservation, Registered } from '../../core/account/account-model.ts';
import type { AccountSettings } from '../../core/account/settings.ts';
import type { AccountSnapshot } from '../../core/account/account-snapshot.ts';
import { withoutStrangers } from '../../core/account/extension-list.ts';
import { doubtOf } from '../../core/account/registration-list.ts';
import type { Listing, Miss } from '../../core/observation/listing.ts';
import { PACE } from '../../core/observation/limits.ts';
import { SECOND } from '../../core/text/duration.ts';
import type { AccountReader } from '../common/account-reader.ts';
import { createAccessBackoff, EARLY, lacking, type Sweeper } from './sweep.ts';

export interface AccountSweepDeps {
  reader: AccountReader;
  registrationsEveryMs: number;
  togglesEveryMs: number;
  settings: AccountSettings;
  monotonic(): number;
  /** Resolves after this long, or as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  snapshot(): AccountSnapshot;
  /** Resolves when what was observed is committed, and what it means is on its way. */
  step(observation: AccountObservation): Promise<void>;
}

/** An answer takes a second where the provider is well. */
const WAITS_FOR_SIDE_LISTS_MS = 10 * SECOND;

type AccountPartName = 'registrations' | 'extensions' | 'toggles';

/**
 * Until what is watched was told, a round waits for every part. What cannot be read is observed as missed; `sweep` rejects only for what nobody
 * foresaw.
 */
export function createAccountSweeper(deps: AccountSweepDeps): Sweeper {
  const { reader, monotonic, step } = deps;
  let beganAt = -Infinity;
  /** The beginning of the round that last read each part: what had to wait within its round is due in the next all the same. */
  const readAt = new Map<AccountPartName, number>();
  /** What each part last lacked: what is not due in a round is as it was. */
  const parts = new Map<AccountPartName, Miss | null>();
  /** Side lists that have yet to answer. */
  const asked = new Map<AccountPartName, Promise<void>>();
  /** What nobody foresaw of a side list; the round it came up in rejects with it, or the next. */
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
    parts.set(part, lacking(listing));
    if (listing.kind === 'observed' || part !== 'extensions') readAt.set(part, round);
    return listing;
  }

  /** Asks for a list, and takes in what it answers, while everything else goes on. */
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
      over.abort();
    }
    if (failures.length > 0) throw failures.shift();
  }

  async function takeRegistrations(registrations: Listing<Registered>, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await step({ kind: 'registrations', registrations, extensions: null, askedAgoMs: monotonic() - beganAt });
    parts.set('registrations', lacking(registrations) ?? doubtOf(deps.snapshot()));
  }

  async function readRegistrations(signal: AbortSignal): Promise<void> {
    const listed = await read('registrations', () => reader.registrations(signal));
    const before = deps.snapshot();
    const registrations = withoutStrangers(listed, null, before, deps.settings);
    const isWanted =
      isDue('extensions', PACE.extensionsEveryMs) ||
      asksForExtensions(before, listed) ||
      registrations !== listed ||
      // What could not be read is unreadable until it is asked for again.
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
