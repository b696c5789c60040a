/** Reads an account in sweeps, through a client that can only read. */
import type { Extension, Registered, Toggle } from '../../core/account/account-model.ts';
import type { Listing } from '../../core/observation/listing.ts';
import type { WatchClient } from '../../provider/account-requests.ts';
import { observeExtensions, observeRegistrations, observeToggles } from '../../provider/observe-account.ts';

export interface AccountReader {
  registrations(signal: AbortSignal): Promise<Listing<Registered>>;
  extensions(signal: AbortSignal): Promise<Listing<Extension>>;
  toggles(signal: AbortSignal): Promise<Listing<Toggle>>;
  /** Milliseconds until the next request is allowed after a 429; 0 for at once. */
  restMs(): number;
}

/**
 * The provider serves registrations first, then toggles, and the list of extensions after all other requests in the
 * queue.
 */
export function createAccountReader(reader: Pick<WatchClient, 'look' | 'waitMs'>): AccountReader {
  return {
    registrations: (signal) => observeRegistrations(reader, { signal, urgency: 'urgent' }),
    extensions: (signal) => observeExtensions(reader, { signal, urgency: 'background' }),
    toggles: (signal) => observeToggles(reader, { signal }),
    restMs: () => reader.waitMs(),
  };
}
