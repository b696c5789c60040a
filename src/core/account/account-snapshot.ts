/**
 * Snapshot of an account. Times for people are wall times (epoch milliseconds); durations are measured on `clock`,
 * which counts the milliseconds for which this account was watched and never jumps.
 */
import type { CallsMemory } from '../calls/call-findings.ts';
import type { Refused, SourceMemory } from '../observation/health.ts';
import type { Miss } from '../observation/listing.ts';
import type { WhyDetails } from '../transition/details.ts';
import type { Domain } from './domain.ts';
import type { Device, Extension, Toggle } from './account-model.ts';

/** A phone that should be registered: an extension with its devices. */
export interface PhoneMemory {
  extension: string;
  /** True once the list of extensions has contained it: only then can its absence from the list mean a deletion. */
  listed: boolean;
  /** Absence from the list of extensions that once contained it; undefined while it is listed. */
  unlisted?: Absence;
  /** Last seen address and device. */
  address: string | null;
  device: Device | null;
  /** Expiry of its registration, as last seen; undefined if the provider does not say. */
  lease?: Lease;
  /** Names of devices and networks seen for it, latest last. */
  devices: string[];
  networks: string[];
  /** Absence from complete listings that does not count as lost yet. */
  missing: Absence | null;
  lost: Loss | null;
  /** On the clock: times of its single losses within the last hour. */
  losses: number[];
  flapping: Flapping | null;
  /** Its last absences of several hours, latest last; undefined for none. */
  evenings?: Evening[];
  /** Set if it registers from a different address than before. */
  relocation?: Relocation;
}

/** Addresses are those of sites. */
export interface Relocation {
  /** Address of its site before the move. */
  home: string;
  from: string;
  to: string;
  /** On the clock: when it was first seen there. */
  at: number;
  /**
   * `open`: its site may follow, and the phone belongs to the old address meanwhile. `moved`: its site did. `alone`: it
   * is at another site now.
   */
  state: 'open' | 'moved' | 'alone';
  /** Its networks before and now, if that is news and not reported yet. */
  network?: [string | null, string];
}

/** Start and end of an evening's absence. */
export interface Evening {
  off: number;
  back: number;
}

/** A phone that goes offline at about the same time on most days. */
export interface Habit {
  /** Usual times of its leave and return: local time of the account, `18:05`. */
  off: string;
  back: string;
  /** When it left, as far as known. */
  went: number;
  /** When it becomes overdue. */
  until: number;
}

/** All times on the clock. */
export interface Lease {
  expiresAt: number;
  /** When it was last seen renewed; null before that. */
  renewedAt: number | null;
  /** The largest remaining time seen: approximately the length of its lease. */
  longestMs: number;
  /** The remaining time was seen to decrease: only then does an increase mean a renewal. */
  countsDown: boolean;
  /** Time of the expiry as last sent by the provider. */
  until?: string;
}

export interface Absence {
  since: number;
  /** On the clock. */
  from: number;
  /** Complete responses without it, counted up to the number that matters. */
  sweeps: number;
  /** When it was last seen, if the sweep before `since` was long ago. */
  seen?: number;
  /** Set at its usual time to be offline: the phone is away and not lost. */
  habit?: Habit;
  /** Set outside the configured hours, when a missing phone does not matter. */
  outside?: true;
  /** Set if it is beyond the end of a list that may be truncated. */
  cut?: true;
  /** It is expected only since then: the hour when it becomes overdue, or when the configured hours begin. */
  expectedSince?: number;
}

export interface Loss {
  since: number;
  /** It was expected only since then, later than the start of the loss; absent if it always was. */
  expectedSince?: number;
  /** On the clock. */
  at: number;
  /** On the clock: when it was first missing; absent in older documents. */
  from?: number;
  /** The group of losses in which it was reported. */
  group: string;
  /** It went offline by habit, and did not return. */
  habit?: Habit;
  /** It was beyond the end of a list that may be truncated. */
  cut?: true;
}

export interface Flapping {
  count: number;
  since: number;
  /** On the clock: when it was last lost or found. */
  changedAt: number;
}

/** Phones that are lost and return together, repeatedly. */
export interface UnstableGroup {
  /** Number of losses, and that number in the last notification of people. */
  count: number;
  told: number;
  since: number;
  /** On the clock: when one of them was last lost or returned. */
  changedAt: number;
  isLost: boolean;
  /** Largest number of phones lost at once. */
  most: number;
}

/** How often phones were lost, and since when the first of these, epoch milliseconds. */
export interface Repeat {
  count: number;
  since: number;
}

/** Losses that form one event: phones of one fault domain, lost together or one after the other. */
export interface LossGroup {
  id: string;
  domain: Domain;
  mass: boolean;
  /** At least one of its phones is still lost, or flapping. */
  open: boolean;
  /** The flapping extension to which this group is dedicated. */
  flapping: string | null;
  /** Its phones did not return at their usual time; absent for any other loss. */
  late?: true;
  /**
   * Its mass losses within the last hour: when they counted as lost, on the clock, and when they were first missing.
   */
  falls?: { at: number; since: number }[];
  /** It flaps as a whole; absent while it does not. */
  unstable?: UnstableGroup;
  /** False once further losses are another event. */
  joinable: boolean;
  /** Wall time since when the first of its phones is missing. */
  startedAt: number;
  /** On the clock. */
  lastLossAt: number;
  /** How often it was lost; absent for once. */
  again?: Repeat;
  /** On the clock: when the last phone of a mass loss was back; absent for any other, and in older documents. */
  endedAt?: number;
  /** Registered phones of the domain in the last notification of programs. */
  up: number;
  /** Lost phones of the group in the last notification of people. */
  toldDown: number;
  /** Keys of the sites with a mass loss in that notification; absent if it reported no mass loss. */
  toldSites?: string[];
  /** Evidence for the named domain, with the numbers of its last losses; absent without a named cause. */
  why?: WhyDetails;
  /** A phone of it has returned: from then on the order of returns would mislead. */
  returned?: boolean;
  /** The group that now contains its phones; its own alert has ended. */
  absorbedBy?: string;
}

export interface ToggleMemory extends Toggle {
  /** When its status last changed; absent since the baseline. */
  switchedAt?: number;
  /** The last complete listing lacked it; absent otherwise. */
  unseen?: true;
  /** The last listing had no status for it: `status` is the last known one. Absent otherwise. */
  isUnknown?: true;
}

/** State of an expectation: met, or unmet since a time, and whether that was reported. */
export interface ExpectationMemory {
  /** As configured: id or name of the toggle. */
  toggle: string;
  wrong: { since: number; from: number; expected: boolean } | null;
  told: 'off_schedule' | 'missing' | null;
  /** Subject of its alert. */
  subject: string | null;
  /** Last name of a missing toggle, if one matched earlier. */
  called?: string;
}

/** Marks of past lists of registrations, by which frozen and truncated lists are recognised; times on the clock. */
export interface ListMemory {
  /** The last lists, each by a mark of its expiry times with the time of its first reading; latest last. */
  marks: readonly { mark: string; at: number }[];
  /** In the last accepted list, every registration had another time of expiry than before. */
  isLively?: true;
  /** Since when the list ends within a site. */
  cut?: { from: number };
  /** Reason why the last list is not accepted in full. */
  doubt?: Miss;
}

export interface AccountSnapshot extends SourceMemory {
  /** Milliseconds for which this account was watched, on a monotonic clock. */
  clock: number;
  phones: PhoneMemory[] | null;
  extensions: Extension[] | null;
  /**
   * On the clock: when the list of extensions was last read, and since when it is unchanged; absent before the first.
   */
  extensionList?: { readAt: number; sameSince: number };
  toggles: ToggleMemory[] | null;
  groups: LossGroup[];
  nextGroup: number;
  /** When a complete listing of registrations was last read; absent in older documents. */
  listedAt?: number;
  /** Absent in older documents. */
  list?: ListMemory;
  expectations: ExpectationMemory[];
  refused: Refused;
  /** Reported findings about calls; absent if calls are not watched, and in older documents. */
  calls?: CallsMemory;
}

/** Snapshot before the first observation: null means unknown, not empty. */
export function createAccountSnapshot(): AccountSnapshot {
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
