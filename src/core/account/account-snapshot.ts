/**
 * What Linewatch remembers of an account. Times are wall times (epoch milliseconds) where people read them; what
 * lasts is measured on `clock`, which only counts the milliseconds this account was watched and never jumps.
 */
import type { CallsMemory } from '../calls/call-findings.ts';
import type { Health, Refused } from '../observation/health.ts';
import type { Crowd } from '../observation/limits.ts';
import type { DefectMemory, Miss } from '../observation/listing.ts';
import type { WhyDetails } from '../transition/details.ts';
import type { Domain } from './domain.ts';
import type { Device, Extension, Toggle } from './account-model.ts';

/** A phone that should be registered: an extension with whatever registers for it. */
export interface PhoneMemory {
  extension: string;
  /** The account's list of extensions has named it: only then can the list say that it was deleted. */
  listed: boolean;
  /** Gone from the list of extensions that named it; absent while it is there. */
  unlisted?: Absence;
  /** Where and what it was when last seen. */
  address: string | null;
  device: Device | null;
  /** When its registration runs out, as last seen; absent where the provider does not say. */
  lease?: Lease;
  /** Names of devices and networks seen for it, the latest last. */
  devices: string[];
  networks: string[];
  /** Gone from a complete listing, and not yet called lost. */
  missing: Absence | null;
  lost: Loss | null;
  /** On the clock: when it was lost alone, within the last hour. */
  losses: number[];
  flapping: Flapping | null;
  /** The last times it was logged off for hours, the latest last; absent where there were none. */
  evenings?: Evening[];
  /** It registers from another address than before; absent where it does not. */
  relocation?: Relocation;
}

/** Addresses are those of sites. */
export interface Relocation {
  /** Its site by the address that this had before it moved. */
  home: string;
  from: string;
  to: string;
  /** On the clock: when it was first seen there. */
  at: number;
  /**
   * `open`: its site may follow; it belongs there until that is known. `moved`: its site did. `alone`: it is at another
   * site now.
   */
  state: 'open' | 'moved' | 'alone';
  /** Its networks before and now, where that is news and not told yet. */
  network?: [string | null, string];
}

/** From when to when it was logged off. */
export interface Evening {
  off: number;
  back: number;
}

/** A phone that logs off at about the same time on most days. */
export interface Habit {
  /** When it usually goes and comes: local time of the account, `18:05`. */
  off: string;
  back: string;
  /** When it went, as far as that is known. */
  went: number;
  /** When it is late. */
  until: number;
}

/** All on the clock. */
export interface Lease {
  expiresAt: number;
  /** When it was last seen to have been renewed; null while that was never seen. */
  renewedAt: number | null;
  /** The most that was seen to be left of it: how long it is given for, about. */
  longestMs: number;
  /** What is left was seen to become less: only then does more of it mean a renewal. */
  countsDown: boolean;
  /** When it runs out, as the provider last wrote it. */
  until?: string;
}

export interface Absence {
  since: number;
  /** On the clock. */
  from: number;
  /** Complete answers without it, as far as that matters. */
  sweeps: number;
  /** When it was last known to be there, where nobody had looked for long before `since`. */
  seen?: number;
  /** It is its hour to be logged off: the phone is away and not lost. */
  habit?: Habit;
  /** By the declared hours a missing phone does not matter now. */
  outside?: true;
  /** It is beyond the end of a list that may be cut. */
  cut?: true;
  /** It is expected to be there only since then: the hour at which it is late, or at which a missing phone matters. */
  expectedSince?: number;
}

export interface Loss {
  since: number;
  /** It was expected to be there only since then, which is later; absent where it always was. */
  expectedSince?: number;
  /** On the clock. */
  at: number;
  /** On the clock: when it was first missing; absent in documents of before this was remembered. */
  from?: number;
  /** The group of losses it was told with. */
  group: string;
  /** It had logged off as on most days, and did not come back. */
  habit?: Habit;
  /** It was beyond the end of a list that may be cut. */
  cut?: true;
}

export interface Flapping {
  count: number;
  since: number;
  /** On the clock: when it last came or went. */
  changedAt: number;
}

/** Of phones that come and go together. */
export interface Unstable {
  /** How often they were lost, and how often when people were last told. */
  count: number;
  told: number;
  since: number;
  /** On the clock: when one of them last came or went. */
  changedAt: number;
  isLost: boolean;
  /** The most that were lost at once. */
  most: number;
}

/** Losses that are one event: phones of one fault domain, lost together or one after the other. */
export interface LossGroup {
  id: string;
  domain: Domain;
  mass: boolean;
  /** Some phone of it is still lost, or flapping. */
  open: boolean;
  /** The extension that comes and goes and has this group to itself. */
  flapping: string | null;
  /** Its phones are not back at their usual time; absent for any other loss. */
  late?: true;
  /** Its mass losses within the last hour: when they were called lost, on the clock, and since when they were missing. */
  falls?: { at: number; since: number }[];
  /** It comes and goes as a whole; absent while it does not. */
  unstable?: Unstable;
  /** False once further losses are another event. */
  joinable: boolean;
  /** Since when the first phone of it is missing. */
  startedAt: number;
  /** On the clock. */
  lastLossAt: number;
  /** Phones of the domain that were registered when this was last told to programs. */
  up: number;
  /** Phones of the group that were lost when people were last told. */
  toldDown: number;
  /** Keys of the sites that had lost enough of them for a mass loss then; absent while people were told of no mass. */
  toldSites?: string[];
  /** Why its domain is named, by the numbers of when it last got losses; absent for what names none. */
  why?: WhyDetails;
  /** A phone of it has come back: from then on the order of returns would mislead. */
  returned?: boolean;
  /** The group that its phones are part of now; its alert ends with that. */
  absorbedBy?: string;
}

export interface ToggleMemory extends Toggle {
  /** When its status was last seen to change; absent while it is as it was at the baseline. */
  switchedAt?: number;
  /** The last complete listing lacked it; absent where it had it. */
  unseen?: true;
}

/** What became of an expectation: right, or since when not, and whether that was told. */
export interface ExpectationMemory {
  /** As configured: id or name of the toggle. */
  toggle: string;
  wrong: { since: number; from: number; expected: boolean } | null;
  told: 'off_schedule' | 'missing' | null;
  /** The subject it was told with. */
  subject: string | null;
  /** What the missing toggle was called last, where one answered to it before. */
  called?: string;
}

/** What is remembered of lists of registrations, to know an old one and one that is cut; times on the clock. */
export interface ListMemory {
  /** The last lists by what their registrations said of their time, each with when it was first read; the latest last. */
  marks: readonly { mark: string; at: number }[];
  /** In the last believed list every registration had another time of expiry than before. */
  isLively?: true;
  /** Since when the list ends amid a site. */
  cut?: { from: number };
  /** Why the last list is not believed in whole. */
  doubt?: Miss;
}

export interface AccountSnapshot {
  /** Milliseconds this account was watched, by a monotonic clock. */
  clock: number;
  phones: PhoneMemory[] | null;
  extensions: Extension[] | null;
  /** On the clock: when the list of extensions was last read, and since when it has named the same; absent before that. */
  extensionList?: { readAt: number; sameSince: number };
  toggles: ToggleMemory[] | null;
  groups: LossGroup[];
  nextGroup: number;
  /** When a complete listing of registrations was last read; absent in documents of before this was remembered. */
  listedAt?: number;
  /** Absent in documents of before this was remembered. */
  list?: ListMemory;
  expectations: ExpectationMemory[];
  baselineTold: boolean;
  /** Transitions so far by subject: part of their identity. */
  counters: Readonly<Record<string, number>>;
  defects: DefectMemory[];
  /** What was told to be so many that no more of it is followed; absent in documents of before this was remembered. */
  crowds?: readonly Crowd[];
  health: Health;
  refused: Refused;
  /** What was told of calls; absent where they are not watched, and in older documents. */
  calls?: CallsMemory;
}

/** Of an account of which nothing was read yet: null is unknown, not empty. */
export function emptyAccountSnapshot(): AccountSnapshot {
  return {
    clock: 0,
    phones: null,
    extensions: null,
    toggles: null,
    groups: [],
    nextGroup: 1,
    expectations: [],
    baselineTold: false,
    counters: {},
    defects: [],
    health: { blind: {}, unreachable: false },
    refused: null,
  };
}
