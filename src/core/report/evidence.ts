/**
 * Selects the changes for a report within a memory limit: a page that changes all day has more than anybody reads.
 * Keeps the first and last changes of each alert, as many as fit.
 */
import type { TransitionRecord } from '../history/record.ts';
import { findNotice } from './outages.ts';

/** Approximate limit of all changes in bytes. */
const MOST_WEIGHT = 20_000_000;
/** Bytes of a change without texts. */
const WEIGHT_OF_ONE = 400;

interface Kept {
  record: TransitionRecord;
  weight: number;
  /** Position in the order of arrival. */
  place: number;
}

/** Changes of one alert or notice. */
interface KeptChanges {
  first: Kept[];
  last: Kept[];
}

export interface Evidence {
  /** In order of arrival. */
  transitions: TransitionRecord[];
  /** Number of omitted changes of these alerts and notices. */
  leftOut: number;
}

/** `alerts`: ids in the report. Other changes concern planned work and edited texts. */
export async function gatherEvidence(
  pages: AsyncIterable<readonly TransitionRecord[]>,
  alerts: ReadonlySet<string>,
  mostWeight = MOST_WEIGHT,
): Promise<Evidence> {
  const groups = new Map<string, KeptChanges>();
  /** Changes kept at each end of a group. */
  let most = Infinity;
  let [weight, leftOut, place] = [0, 0, 0];

  function drop(kept: readonly Kept[]): void {
    leftOut += kept.length;
    for (const one of kept) weight -= one.weight;
  }

  function trim(group: KeptChanges): void {
    if (group.first.length > most) group.last = group.first.splice(most).concat(group.last);
    if (group.last.length > most) drop(group.last.splice(0, group.last.length - most));
  }

  /** The first call removes nothing from a group whose changes are all at its start; the next change calls again. */
  function halve(): void {
    most = Math.max(1, Math.floor(Math.min(most, largest(groups)) / 2));
    for (const group of groups.values()) trim(group);
  }

  function add(key: string, one: Kept): void {
    const group = groups.get(key) ?? { first: [], last: [] };
    if (most === 1 && weight + one.weight > mostWeight && (group.last.length === 0 || !hasRoom(group, one))) {
      leftOut += 1;
      return;
    }
    groups.set(key, group);
    (group.first.length < most ? group.first : group.last).push(one);
    weight += one.weight;
    trim(group);
  }

  /** True if it replaces the last change of its group. */
  function hasRoom({ last }: KeptChanges, one: Kept): boolean {
    return weight - (last[0]?.weight ?? 0) + one.weight <= mostWeight;
  }

  for await (const records of pages) {
    for (const record of records) {
      const key = groupOf(record, alerts);
      if (key === null) continue;
      add(key, { record, weight: weightOf(record), place: (place += 1) });
      if (weight > mostWeight && most > 1) halve();
    }
  }
  const kept = [...groups.values()].flatMap(({ first, last }) => [...first, ...last]);
  return { transitions: kept.sort((a, b) => a.place - b.place).map(({ record }) => record), leftOut };
}

function largest(groups: ReadonlyMap<string, KeptChanges>): number {
  let most = 1;
  for (const { first, last } of groups.values()) most = Math.max(most, first.length, last.length);
  return most;
}

/** Null for changes that no report shows. */
function groupOf(record: TransitionRecord, alerts: ReadonlySet<string>): string | null {
  const { alert, transition } = record;
  if (alert !== null && alerts.has(alert.id)) return alert.id;
  const isShown = transition.kind === 'notice.edited' || findNotice(record)?.type === 'planned';
  return isShown ? `${transition.source} ${transition.subject}` : null;
}

function weightOf({ transition: { from, to, details } }: TransitionRecord): number {
  const texts = [from, to].map((value) => (typeof value === 'string' ? value.length : 0));
  const words = 'updates' in details ? details.updates.map(({ content }) => content.length) : [];
  const listed = 'components' in details && Array.isArray(details.components) ? details.components : [];
  const names = listed.map(({ name }) => name.length + 50);
  return [...texts, ...words, ...names].reduce((sum, one) => sum + one, WEIGHT_OF_ONE);
}
