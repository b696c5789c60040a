/** How sweeps look at an account: through a client that can only read. */
import type { Extension, Registered, Toggle } from '../../core/account/account-model.ts';
import type { Listing } from '../../core/observation/listing.ts';
import type { WatchClient } from '../../provider/account-requests.ts';
import { observeExtensions, observeRegistrations, observeToggles } from '../../provider/observe-account.ts';

export interface AccountReader {
  registrations(signal: AbortSignal): Promise<Listing<Registered>>;
  extensions(signal: AbortSignal): Promise<Listing<Extension>>;
  toggles(signal: AbortSignal): Promise<Listing<Toggle>>;
  /** Milliseconds the provider wants to be left alone after a 429; 0 if it may be asked at once. */
  restMs(): number;
}

/**
 * The provider answers registrations first, then toggles, and the list of extensions after everything else that waits.
 */
export function accountReader(reader: Pick<WatchClient, 'look' | 'waitMs'>): AccountReader {
  return {
    registrations: (signal) => observeRegistrations(reader, { signal, urgency: 'urgent' }),
    extensions: (signal) => observeExtensions(reader, { signal, urgency: 'background' }),
    toggles: (signal) => observeToggles(reader, { signal }),
    restMs: () => reader.waitMs(),
  };
}
