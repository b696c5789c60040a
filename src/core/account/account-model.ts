/**
 * A customer's account as parsed from the provider: ids and numbers are text, unreadable values are null. Also the
 * observation that a sweep returns.
 */
import type { CallsObservation } from '../calls/call-findings.ts';
import type { Listing, SweepEnd, Tick } from '../observation/listing.ts';

/** Make, model and firmware of a telephone, without its MAC address. */
export interface Device {
  model: string;
  firmware: string | null;
}

/** One live registration. */
export interface Contact {
  protocol: string | null;
  /** The external address as seen by the provider. */
  address: string | null;
  /** Null if the telephone does not report it. */
  device: Device | null;
  /** Milliseconds until it expires without a renewal; absent if the provider does not say. */
  expiresInMs?: number;
  /** Time of the expiry as sent by the provider; absent if it does not say. */
  until?: string;
}

/**
 * An extension with its live contacts. An empty list of contacts means a row that cannot be read: its state is unknown.
 */
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
  /** Null if the provider's value is neither yes nor no: unknown. */
  status: boolean | null;
}

export interface RegistrationsObservation {
  kind: 'registrations';
  registrations: Listing<Registered>;
  /** Milliseconds since the request for them; absent if it took no time. */
  askedAgoMs?: number;
  /** Null if it was not requested, or the response is pending. */
  extensions: Listing<Extension> | null;
}

/** The list of extensions, whose response came after the registrations were applied. */
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
