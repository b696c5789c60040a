/** Compares an observation of an account with its snapshot: returns transitions and the next snapshot. */
import {
  joinOrigin,
  judgeCredentials,
  judgeHealth,
  draftSchemaChanges,
  type HealthSettings,
  type OriginView,
} from '../observation/health.ts';
import { ACCOUNT_PARTS, countDefects, isRefusal, type MissedParts, type SweepEnd } from '../observation/listing.ts';
import { describeCrowd } from '../observation/limits.ts';
import { compareCalls, NO_CALLS, rememberNews } from '../calls/call-findings.ts';
import { toTimestamp } from '../transition/details.ts';
import { identify, type Draft, type Source, type Transition } from '../transition/transition.ts';
import { compareRegistrations, type RegistrationsLook, compareNothing } from './compare-registrations.ts';
import { compareToggles } from './compare-toggles.ts';
import { readExtensions } from './extension-list.ts';
import { renameSites } from './losses/renamed-sites.ts';
import type { AccountObservation } from './account-model.ts';
import type { AccountSnapshot } from './account-snapshot.ts';
import type { DraftResult, GroupedDraft, ListingCompared, ObservationPace } from './drafts.ts';

export interface AccountLook extends RegistrationsLook {
  source: Source;
  unreachableAfterMs: number;
  /** Milliseconds since the previous observation, on a monotonic clock; 0 for the first. */
  elapsedMs: number;
  /** Number of the sweep in this process: rules on persistence count each sweep once. */
  sweep: number;
  /** Failures of other sources at the same origin; default: none. */
  origin?: OriginView;
}

/** A transition, its group, and when people are notified of it. */
export interface AccountTransition {
  transition: Transition;
  group: string | null;
  pace: ObservationPace;
}

export interface AccountCompared {
  transitions: AccountTransition[];
  snapshot: AccountSnapshot;
  /** Groups whose alerts end without a message. */
  ended: string[];
}

export const CREDENTIALS = 'credentials';
const UNREACHABLE = 'unreachable';

/** The snapshot is not modified; its clock advances by `look.elapsedMs`, never back. */
export function compareAccount(
  snapshot: AccountSnapshot,
  observation: AccountObservation,
  look: AccountLook,
): AccountCompared {
  const { settings } = look;
  const timed = { ...renameSites(snapshot, settings), clock: snapshot.clock + Math.max(0, look.elapsedMs) };
  const { drafts, snapshot: after, ended } = draftsOf(timed, observation, look);
  const { transitions, counters } = identify(
    look.source,
    snapshot.counters,
    drafts.map(({ draft }) => draft),
    look.now,
  );
  return {
    transitions: transitions.map((transition, index) => ({
      transition,
      group: drafts[index]?.group ?? null,
      pace: drafts[index]?.pace ?? 'now',
    })),
    snapshot: { ...withNewPhones(after, transitions, look), counters },
    ended,
  };
}

/** Fraud often starts with a new phone of a stranger. */
function withNewPhones(
  snapshot: AccountSnapshot,
  transitions: readonly Transition[],
  { settings, now }: AccountLook,
): AccountSnapshot {
  if ((settings.calls?.spend ?? null) === null) return snapshot;
  const fresh = transitions.flatMap(({ kind, to, details, at }) =>
    (kind === 'registration.network' || kind === 'registration.device') && 'extension' in details
      ? [
          {
            extension: details.extension,
            kind: kind === 'registration.network' ? ('network' as const) : ('device' as const),
            value: String(to),
            at: toTimestamp(at) ?? '',
          },
        ]
      : [],
  );
  const known = snapshot.calls ?? NO_CALLS;
  const calls = rememberNews(known, fresh, now);
  return calls === known ? snapshot : { ...snapshot, calls };
}

function draftsOf(snapshot: AccountSnapshot, observation: AccountObservation, look: AccountLook): DraftResult {
  switch (observation.kind) {
    case 'tick':
      return join(snapshot, look);
    case 'end':
      return judgeSweep(snapshot, observation, look);
    case 'registrations': {
      const { registrations, extensions } = observation;
      const first = countDefects(snapshot.defects, 'registrations', [registrations], look.sweep);
      const both =
        extensions === null
          ? { memory: first.memory, habits: [] }
          : countDefects(first.memory, 'extensions', [extensions], look.sweep);
      const compared = compareRegistrations({ ...snapshot, defects: both.memory }, observation, look);
      return withHabits('phones', compared, [...first.habits, ...both.habits], look);
    }
    case 'extensions': {
      const { extensions } = observation;
      const counted = countDefects(snapshot.defects, 'extensions', [extensions], look.sweep);
      const known = { ...snapshot, defects: counted.memory };
      const read = { ...known, ...readExtensions(known, extensions, look.now) };
      return withHabits('phones', compareNothing(read), counted.habits, look);
    }
    case 'toggles': {
      const counted = countDefects(snapshot.defects, 'toggles', [observation.toggles], look.sweep);
      const compared = compareToggles({ ...snapshot, defects: counted.memory }, observation, look.settings, look.now);
      return withHabits('toggles', compared, counted.habits, look);
    }
    case 'calls': {
      const { drafts, memory } = compareCalls(snapshot.calls ?? NO_CALLS, observation, look.now);
      return {
        drafts: drafts.map(({ draft, group }) => ({ draft, group, pace: 'now' })),
        snapshot: { ...snapshot, calls: memory },
        ended: [],
      };
    }
  }
}

function join(snapshot: AccountSnapshot, look: AccountLook): DraftResult {
  const { health, drafts } = joinOrigin(snapshot.health, healthSettings(look));
  return { drafts: inGroup(UNREACHABLE, drafts), snapshot: { ...snapshot, health }, ended: [] };
}

function healthSettings({ source, unreachableAfterMs, origin }: AccountLook): HealthSettings {
  return { baseUrl: source.baseUrl, unreachableAfterMs, joins: origin?.fell === true, account: true };
}

/** Adds what a listing shows of the provider's habits, and whether it exceeds the followed number. */
function withHabits(
  crowd: 'phones' | 'toggles',
  { drafts, snapshot, ended, turnedAway }: ListingCompared,
  habits: readonly string[],
  { source: { baseUrl } }: AccountLook,
): DraftResult {
  const count = snapshot[crowd]?.length ?? 0;
  const { reported, texts } = describeCrowd(snapshot.crowds ?? [], crowd, { count, turnedAway });
  const schema = draftSchemaChanges([...habits, ...texts], { baseUrl, account: true });
  return { drafts: [...inGroup(null, schema), ...drafts], snapshot: { ...snapshot, crowds: reported }, ended };
}

function judgeSweep(snapshot: AccountSnapshot, { parts, elapsedMs }: SweepEnd, look: AccountLook): DraftResult {
  const { baseUrl } = look.source;
  const access = judgeCredentials(snapshot.refused, parts, { baseUrl, keyless: false, whole: ACCOUNT_PARTS }, look.now);
  const blind = Object.fromEntries(Object.entries(parts).filter(([, miss]) => !isRefusal(miss))) as MissedParts;
  // If every part was refused, nothing is learnt about how well it can be read.
  const learnt = Object.keys(blind).length > 0;
  const { health, drafts } = learnt
    ? judgeHealth(snapshot.health, blind, healthSettings(look), look.now, elapsedMs)
    : { health: snapshot.health, drafts: [] };
  const all = [...inGroup(CREDENTIALS, access.drafts), ...inGroup(UNREACHABLE, drafts)];
  return { drafts: all, snapshot: { ...snapshot, health, refused: access.refused }, ended: [] };
}

function inGroup(group: string | null, drafts: readonly Draft[]): GroupedDraft[] {
  return drafts.map((draft) => ({ draft, group, pace: 'now' }));
}
