/** How a sweep looks at an account; the wiring puts the provider's client behind it, which can only read. */
import type { Extension, Registered, Toggle } from '../account/model.ts';
import type { Listing } from '../observation/listing.ts';
import type { AccountReader } from '../provider/account-client.ts';
import { observeExtensions, observeRegistrations, observeToggles } from '../provider/observe-account.ts';

export interface AccountLooker {
  registrations(signal: AbortSignal): Promise<Listing<Registered>>;
  extensions(signal: AbortSignal): Promise<Listing<Extension>>;
  toggles(signal: AbortSignal): Promise<Listing<Toggle>>;
  /** Milliseconds the provider wants to be left alone after a 429; 0 if it may be asked at once. */
  restMs(): number;
}

export function accountLooker(reader: Pick<AccountReader, 'inspect' | 'waitMs'>): AccountLooker {
  return {
    registrations: (signal) => observeRegistrations(reader, { signal, urgency: 'urgent' }),
    extensions: (signal) => observeExtensions(reader, { signal, urgency: 'background' }),
    toggles: (signal) => observeToggles(reader, { signal }),
    restMs: () => reader.waitMs(),
  };
}
