/** One observation of an account against its snapshot: the transitions it means, and the snapshot after it. */
import {
  joinOrigin,
  judgeCredentials,
  judgeHealth,
  type HealthSettings,
  type OriginView,
} from '../observation/health.ts';
import { ACCOUNT_PARTS, countDefects, isRefusal, type Parts } from '../observation/listing.ts';
import { tellCrowd } from '../observation/limits.ts';
import { identify, type Source, type Transition } from '../transition/transition.ts';
import { compareRegistrations } from './compare-registrations.ts';
import { compareToggles } from './compare-toggles.ts';
import type { AccountObservation, AccountSweepEnd } from './model.ts';
import type { AccountSettings } from './settings.ts';
import type { AccountSnapshot } from './snapshot.ts';
import type { Word } from './drafts.ts';

export interface AccountLook {
  source: Source;
  settings: AccountSettings;
  unreachableAfterMs: number;
  /** Epoch milliseconds. */
  now: number;
  /** Milliseconds since this account was last looked at, by a monotonic clock; 0 for the first time. */
  elapsedMs: number;
  /** Counts the sweeps of this process: what must persist over sweeps is counted once in each. */
  sweep: number;
  /** How the others behind the same origin fare; default: there are none. */
  origin?: OriginView;
}

/** A transition with what a word says of its company. */
export interface Told {
  transition: Transition;
  group: string | null;
  pace: Word['pace'];
}

export interface AccountCompared {
  told: Told[];
  snapshot: AccountSnapshot;
  /** Groups whose alerts end without a word. */
  ended: string[];
}

export const CREDENTIALS = 'credentials';
export const UNREACHABLE = 'unreachable';

export function compareAccount(
  snapshot: AccountSnapshot,
  observation: AccountObservation,
  look: AccountLook,
): AccountCompared {
  const timed: AccountSnapshot = { ...snapshot, clock: snapshot.clock + Math.max(0, look.elapsedMs) };
  const { words, snapshot: after, ended } = wordsOf(timed, observation, look);
  const { transitions, counters } = identify(
    look.source,
    snapshot.counters,
    words.map(({ draft }) => draft),
    look.now,
  );
  return {
    told: transitions.map((transition, index) => ({
      transition,
      group: words[index]?.group ?? null,
      pace: words[index]?.pace ?? 'now',
    })),
    snapshot: { ...after, counters },
    ended,
  };
}

interface Spoken {
  words: Word[];
  snapshot: AccountSnapshot;
  ended: string[];
}

function wordsOf(snapshot: AccountSnapshot, observation: AccountObservation, look: AccountLook): Spoken {
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
      const compared = compareRegistrations(
        { ...snapshot, defects: both.memory },
        observation,
        look.settings,
        look.now,
      );
      return withCrowd('phones', compared, [...first.habits, ...both.habits], look);
    }
    case 'toggles': {
      const counted = countDefects(snapshot.defects, 'toggles', [observation.toggles], look.sweep);
      const compared = compareToggles({ ...snapshot, defects: counted.memory }, observation, look.settings, look.now);
      return withCrowd('toggles', compared, counted.habits, look);
    }
  }
}

function join(snapshot: AccountSnapshot, look: AccountLook): Spoken {
  const { health, drafts } = joinOrigin(snapshot.health, healthSettings(look));
  const words = drafts.map((draft): Word => ({ draft, group: UNREACHABLE, pace: 'now' }));
  return { words, snapshot: { ...snapshot, health }, ended: [] };
}

function healthSettings({ source, unreachableAfterMs, origin }: AccountLook): HealthSettings {
  return { baseUrl: source.baseUrl, unreachableAfterMs, joins: origin?.fell === true, account: true };
}

function withCrowd(
  crowd: 'phones' | 'toggles',
  compared: Spoken & { turnedAway: boolean },
  habits: readonly string[],
  look: AccountLook,
): Spoken {
  const { snapshot, turnedAway } = compared;
  const { told, texts } = tellCrowd(snapshot.crowds ?? [], crowd, {
    count: snapshot[crowd]?.length ?? 0,
    turnedAway,
  });
  return withHabits({ ...compared, snapshot: { ...snapshot, crowds: told } }, [...habits, ...texts], look);
}

function withHabits(spoken: Spoken, habits: readonly string[], { source }: AccountLook): Spoken {
  const schema = habits.map((text): Word => ({
    draft: {
      subject: 'source',
      kind: 'source.schema',
      from: null,
      to: text,
      details: { base_url: source.baseUrl, since: null, reasons: [text], account: true },
    },
    group: null,
    pace: 'now',
  }));
  return { ...spoken, words: [...schema, ...spoken.words] };
}

function judgeSweep(snapshot: AccountSnapshot, { parts, elapsedMs }: AccountSweepEnd, look: AccountLook): Spoken {
  const { baseUrl } = look.source;
  const access = judgeCredentials(snapshot.refused, parts, { baseUrl, keyless: false, whole: ACCOUNT_PARTS }, look.now);
  const blind = Object.fromEntries(Object.entries(parts).filter(([, miss]) => !isRefusal(miss))) as Parts;
  // With every part refused nothing was learnt of how well it can be read.
  const learnt = Object.keys(blind).length > 0;
  const { health, drafts } = learnt
    ? judgeHealth(snapshot.health, blind, healthSettings(look), look.now, elapsedMs)
    : { health: snapshot.health, drafts: [] };
  const all = [
    ...access.drafts.map((draft): Word => ({ draft, group: CREDENTIALS, pace: 'now' })),
    ...drafts.map((draft): Word => ({ draft, group: UNREACHABLE, pace: 'now' })),
  ];
  return { words: all, snapshot: { ...snapshot, health, refused: access.refused }, ended: [] };
}
