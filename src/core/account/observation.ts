/** What one look at an account brought back. */
import type { Listing, Parts } from '../observation/listing.ts';
import type { Extension, Registered, Toggle } from './model.ts';

export interface RegistrationsObservation {
  kind: 'registrations';
  registrations: Listing<Registered>;
  /** How long ago they were asked for; absent where that took no time. */
  askedAgoMs?: number;
  /** When it was due or a phone was missing; null when nobody asked. */
  extensions: Listing<Extension> | null;
}

export interface TogglesObservation {
  kind: 'toggles';
  toggles: Listing<Toggle>;
}

/** The end of a sweep: what it lacked, and how long the one before it is ago by a monotonic clock. */
export interface AccountSweepEnd {
  kind: 'end';
  parts: Parts;
  elapsedMs: number;
}

/** Nothing was read; time has passed, or the provider's page has changed. */
export interface AccountTick {
  kind: 'tick';
}

export type AccountObservation = RegistrationsObservation | TogglesObservation | AccountSweepEnd | AccountTick;
