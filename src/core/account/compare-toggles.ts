/**
 * Compares a listing of toggles with the snapshot and their expected hours. A toggle is identified by its id; an
 * unreadable status keeps the last readable one and is not evaluated meanwhile.
 */
import { isComplete } from '../observation/listing.ts';
import { REMEMBERED } from '../observation/limits.ts';
import { toTimestamp, type ExpectationDetails } from '../transition/details.ts';
import { isWithin } from '../text/hours.ts';
import { compareNames } from '../text/plain.ts';
import { formatWeekRanges } from '../text/week-ranges.ts';
import type { Toggle, TogglesObservation } from './account-model.ts';
import type { AccountSettings, ToggleExpectation } from './settings.ts';
import type { AccountSnapshot, ExpectationMemory, ToggleMemory } from './account-snapshot.ts';
import type { GroupedDraft, ListingCompared } from './drafts.ts';

/**
 * A first listing counts only if it is complete. A list of toggles has no count: a toggle is gone when a second
 * response lacks it, too.
 */
export function compareToggles(
  snapshot: AccountSnapshot,
  { toggles: listing }: TogglesObservation,
  settings: AccountSettings,
  now: number,
): ListingCompared {
  const untouched = { drafts: [], snapshot, ended: [], turnedAway: false };
  if (listing.kind === 'missed') return untouched;
  const complete = isComplete(listing, 'toggles', snapshot.defects);
  const known = snapshot.toggles;
  if (known === null && !complete) return untouched;
  const { drafts, memory, turnedAway } = compareList(known, listing.items, complete, now);
  const judged = judgeExpectations(snapshot, listing.items, memory, complete, settings.expectations, now);
  const after: AccountSnapshot = {
    ...snapshot,
    toggles: memory,
    expectations: judged.memory,
  };
  return { drafts: [...drafts, ...judged.drafts], snapshot: after, ended: judged.ended, turnedAway };
}

/** Group of the alert of this expectation. */
export function groupOfExpectation(toggle: string): string {
  return `toggle ${toggle}`;
}

function compareList(
  known: readonly ToggleMemory[] | null,
  seen: readonly Toggle[],
  complete: boolean,
  now: number,
): { drafts: GroupedDraft[]; memory: ToggleMemory[]; turnedAway: boolean } {
  const drafts: GroupedDraft[] = [];
  const say = (draft: GroupedDraft['draft']): void => void drafts.push({ draft, group: null, pace: 'now' });
  const before = new Map((known ?? []).map((toggle) => [toggle.id, toggle]));
  const after = new Map<string, ToggleMemory>();
  let room = REMEMBERED.toggles - before.size;
  let turnedAway = false;
  for (const toggle of seen) {
    const subject = `toggle/${toggle.id}`;
    const old = before.get(toggle.id);
    if (old === undefined && !complete && room <= 0) {
      turnedAway = true;
      continue;
    }
    if (old === undefined) room -= 1;
    const status = toggle.status ?? old?.status ?? null;
    const details = { name: toggle.name };
    const switchedAt = old !== undefined && old.status !== null && old.status !== status ? now : old?.switchedAt;
    after.set(toggle.id, {
      ...toggle,
      status,
      ...(switchedAt !== undefined && { switchedAt }),
      ...(toggle.status !== status && { isUnknown: true }),
    });
    if (old === undefined) {
      if (known !== null) {
        say({ subject, kind: 'toggle.added', from: null, to: toggle.name, details: { ...details, status } });
      }
      continue;
    }
    if (old.name !== toggle.name) say({ subject, kind: 'toggle.renamed', from: old.name, to: toggle.name, details });
    if (old.status !== null && old.status !== status) {
      say({ subject, kind: 'toggle.state', from: old.status, to: status, details });
    }
  }
  for (const old of before.values()) {
    if (after.has(old.id)) continue;
    if (!complete) after.set(old.id, old);
    else if (old.unseen !== true) after.set(old.id, { ...old, unseen: true });
    else {
      const { id, name, status } = old;
      say({ subject: `toggle/${id}`, kind: 'toggle.removed', from: name, to: null, details: { name, status } });
    }
  }
  return { drafts, memory: [...after.values()].toSorted(byId), turnedAway };
}

function byId(a: Toggle, b: Toggle): number {
  return compareNames(a.id, b.id);
}

function judgeExpectations(
  snapshot: AccountSnapshot,
  seen: readonly Toggle[],
  memory: readonly ToggleMemory[],
  complete: boolean,
  expectations: readonly ToggleExpectation[],
  now: number,
) {
  const before = new Map(snapshot.expectations.map((each) => [each.toggle, each]));
  const drafts: GroupedDraft[] = [];
  const after = expectations.map((expectation): ExpectationMemory => {
    const known = before.get(expectation.toggle) ?? {
      toggle: expectation.toggle,
      wrong: null,
      told: null,
      subject: null,
    };
    before.delete(expectation.toggle);
    const expected = isWithin(expectation.hours, now);
    const named = find(expectation.toggle, memory);
    const there = named.filter(({ unseen }) => unseen !== true);
    // Only a second response shows that a toggle is gone; it may have returned under another id.
    if (there.length < named.length && (known.told === 'missing' || there.length !== 1)) return known;
    if (there.length !== 1) return complete ? tellMissing(known, expectation, expected, there) : known;
    return tellOne(known, expectation, expected, there[0]);
  });

  function tellMissing(
    known: ExpectationMemory,
    expectation: ToggleExpectation,
    expected: boolean,
    named: readonly ToggleMemory[],
  ): ExpectationMemory {
    if (known.told === 'missing') return known;
    const count = named.length;
    const [before, ...others] = find(expectation.toggle, snapshot.toggles ?? []);
    const lastName = count === 0 && others.length === 0 ? (before?.name ?? null) : null;
    const subject = known.subject ?? `toggle/${expectation.toggle}`;
    const reason = count === 0 ? 'The account has no toggle of this id or name.' : null;
    const since = known.wrong?.since ?? now;
    const ids = named.map(({ id }) => id);
    const details = { ...detailsOf(expectation, null, since, reason), name: lastName, matches: count, ids };
    say({ subject, kind: 'toggle.missing', from: null, to: expected, details }, expectation);
    return { ...known, wrong: null, told: 'missing', subject, ...(lastName !== null && { called: lastName }) };
  }

  function tellOne(
    known: ExpectationMemory,
    expectation: ToggleExpectation,
    expected: boolean,
    toggle: ToggleMemory | undefined,
  ): ExpectationMemory {
    // A missing or unreadable status is unknown: nothing is reported, and no duration starts or stops.
    const actual = seen.find(({ id }) => id === toggle?.id)?.status ?? null;
    if (toggle === undefined || actual === null) return known;
    const subject = known.subject ?? `toggle/${toggle.id}`;
    if (actual === expected) {
      if (known.told !== null) {
        const isByHours = known.told === 'off_schedule' && known.wrong?.expected !== expected;
        const details = {
          ...detailsOf(expectation, toggle, known.wrong?.since ?? null, null),
          ...(isByHours && { by_hours: true as const }),
        };
        say({ subject, kind: 'toggle.on_schedule', from: actual, to: expected, details }, expectation);
      }
      return { toggle: known.toggle, wrong: null, told: null, subject: null };
    }
    const wrong = known.wrong?.expected === expected ? known.wrong : { since: now, from: snapshot.clock, expected };
    const late = snapshot.clock - wrong.from >= expectation.grace;
    if (!late || (known.told === 'off_schedule' && known.wrong?.expected === expected)) return { ...known, wrong };
    const details = {
      ...detailsOf(expectation, toggle, wrong.since, null),
      expected_during: formatWeekRanges(expectation.hours, expected, now),
      timezone: expectation.hours.timezone,
    };
    say({ subject, kind: 'toggle.off_schedule', from: actual, to: expected, details }, expectation);
    return { ...known, wrong, told: 'off_schedule', subject };
  }

  function say(draft: GroupedDraft['draft'], { toggle }: ToggleExpectation): void {
    drafts.push({ draft, group: groupOfExpectation(toggle), pace: 'now' });
  }

  const ended = [...before.values()]
    .filter(({ told }) => told !== null)
    .map(({ toggle }) => groupOfExpectation(toggle));
  return { drafts, memory: after, ended };
}

/** By id, else by name. */
function find(toggle: string, all: readonly ToggleMemory[]): ToggleMemory[] {
  const byIds = all.filter(({ id }) => id === toggle);
  return byIds.length > 0 ? byIds : all.filter(({ name }) => name === toggle);
}

function detailsOf(
  { toggle, severity }: ToggleExpectation,
  found: ToggleMemory | null,
  since: number | null,
  reason: string | null,
): ExpectationDetails {
  return {
    name: found?.name ?? null,
    ...(found !== null && { ids: [found.id] }),
    expectation: { toggle, severity },
    reason,
    since: toTimestamp(since),
    switched_at: toTimestamp(found?.switchedAt ?? null),
  };
}
