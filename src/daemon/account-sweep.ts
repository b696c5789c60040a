/**
 * The plan of one round over an account:
 *
 * 1. registrations, when they are due; with the list of extensions every ten minutes, whenever a phone is missing,
 *    for one that was deleted is not lost, and again until it could be read; then what they mean is committed and told.
 *    A list that did not answer in the round before is asked for afterwards, so that no loss waits for it;
 * 2. toggles, when they are due, and the same for them;
 * 3. the sweep is judged by what it lacked.
 *
 * What is refused is left alone for a while, and everything else is asked for at its own pace.
 */
import { asksForExtensions } from '../core/account/compare-registrations.ts';
import type { AccountObservation, Extension } from '../core/account/account-model.ts';
import type { AccountSettings } from '../core/account/settings.ts';
import type { AccountSnapshot } from '../core/account/account-snapshot.ts';
import { withoutStrangers } from '../core/account/extension-list.ts';
import type { Listing, Miss } from '../core/observation/listing.ts';
import { PACE } from '../core/observation/limits.ts';
import type { AccountReader } from './account-reader.ts';
import { createAccessBackoff, EARLY, lacking, type Sweeper } from './sweep.ts';

export interface AccountSweepDeps {
  reader: AccountReader;
  registrationsEveryMs: number;
  togglesEveryMs: number;
  settings: AccountSettings;
  monotonic(): number;
  snapshot(): AccountSnapshot;
  /** Resolves when what was observed is committed, and what it means is on its way. */
  step(observation: AccountObservation): Promise<void>;
}

type AccountPartName = 'registrations' | 'extensions' | 'toggles';

/**
 * The first round reads every part. What cannot be read is observed as missed; `sweep` rejects only for what nobody
 * foresaw.
 */
export function createAccountSweeper(deps: AccountSweepDeps): Sweeper {
  const { reader, monotonic, step } = deps;
  let beganAt = -Infinity;
  /** The beginning of the round that last read each part: what had to wait within its round is due in the next all the same. */
  const readAt = new Map<AccountPartName, number>();
  /** What each part last lacked: what is not due in a round is as it was. */
  const parts = new Map<AccountPartName, Miss | null>();
  let endedAt: number | null = null;
  /** The list of extensions, where it answered after what the registrations said was told. */
  let late: Listing<Extension> | null = null;
  const backoff = createAccessBackoff<AccountPartName>(['registrations', 'toggles'], monotonic);

  function isDue(part: AccountPartName, everyMs: number): boolean {
    const last = readAt.get(part);
    if (backoff.isRefused(part)) return true;
    return last === undefined || beganAt - last >= everyMs * EARLY;
  }

  async function read<T>(part: AccountPartName, ask: () => Promise<Listing<T>>): Promise<Listing<T>> {
    const listing = await backoff.ask(part, ask);
    parts.set(part, lacking(listing));
    if (listing.kind === 'observed' || part !== 'extensions') readAt.set(part, beganAt);
    return listing;
  }

  async function readRegistrations(signal: AbortSignal): Promise<void> {
    const listed = await read('registrations', () => reader.registrations(signal));
    const refused = backoff.isRefused('registrations');
    const wanted =
      isDue('extensions', PACE.extensionsEveryMs) ||
      asksForExtensions(deps.snapshot(), listed) ||
      withoutStrangers(listed, null, deps.snapshot(), deps.settings) !== listed ||
      // What could not be read is unreadable until it is asked for again.
      (parts.get('extensions') ?? null) !== null;
    const ask = (): Promise<Listing<Extension>> => read('extensions', () => reader.extensions(signal));
    // A list that did not answer last time holds nothing back: what it answers now counts with the next round.
    const isSilent = (parts.get('extensions') ?? null) !== null;
    const extensions = !refused && wanted && !isSilent ? await ask() : late;
    late = null;
    const registrations = withoutStrangers(listed, extensions, deps.snapshot(), deps.settings);
    parts.set('registrations', lacking(registrations));
    if (!signal.aborted) {
      await step({ kind: 'registrations', registrations, extensions, askedAgoMs: monotonic() - beganAt });
    }
    if (!refused && isSilent && !signal.aborted) late = await ask();
  }

  async function readToggles(signal: AbortSignal): Promise<void> {
    const toggles = await read('toggles', () => reader.toggles(signal));
    if (!signal.aborted) await step({ kind: 'toggles', toggles });
  }

  async function sweep(signal: AbortSignal): Promise<void> {
    beganAt = monotonic();
    if (isDue('registrations', deps.registrationsEveryMs)) await readRegistrations(signal);
    if (signal.aborted) return;
    if (isDue('toggles', deps.togglesEveryMs)) await readToggles(signal);
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
