/**
 * A customer's account as far as it is watched, after reading: ids and numbers are text, what is unreadable is null. And
 * what one look at it brought back.
 */
import type { CallsObservation } from '../calls/call-findings.ts';
import type { Listing, SweepEnd, Tick } from '../observation/listing.ts';

/** What a telephone says it is, without what is its own alone (its MAC address). */
export interface Device {
  model: string;
  firmware: string | null;
}

/** One live registration. */
export interface Contact {
  protocol: string | null;
  /** The external address, as the provider sees it. */
  address: string | null;
  /** Null where the telephone does not say. */
  device: Device | null;
  /** Milliseconds until it runs out unless it is renewed; absent where the provider does not say. */
  expiresInMs?: number;
  /** When that is, in the provider's own words; absent where it does not say. */
  until?: string;
}

/** An extension with its live contacts; with none it is listed in a form that cannot be read, and nothing is known of it. */
export interface Registered {
  extension: string;
  contacts: readonly Contact[];
}

export interface Extension {
  id: string;
  number: string;
  name: string;
}

export interface Toggle {
  id: string;
  name: string;
  /** Null where the provider's word is neither yes nor no: unknown. */
  status: boolean | null;
}

export interface RegistrationsObservation {
  kind: 'registrations';
  registrations: Listing<Registered>;
  /** How long ago they were asked for; absent where that took no time. */
  askedAgoMs?: number;
  /** Null where it was not asked for, or has yet to answer. */
  extensions: Listing<Extension> | null;
}

/** The list of extensions, which answered after the registrations were taken in. */
export interface ExtensionsObservation {
  kind: 'extensions';
  extensions: Listing<Extension>;
}

export interface TogglesObservation {
  kind: 'toggles';
  toggles: Listing<Toggle>;
}

export type AccountObservation =
  | RegistrationsObservation
  | ExtensionsObservation
  | TogglesObservation
  | CallsObservation
  | SweepEnd
  | Tick;
