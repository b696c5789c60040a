/**
 * The changes that a report is made of, within bounds: a month of a page that changes all day has more of them than
 * memory, and than anybody reads. Of each alert the first and the last stay, as many as there is room for.
 */
import type { TransitionRecord } from '../history/record.ts';
import { findNotice } from './outages.ts';

/** What one report may hold of changes, about in bytes. */
const MOST_WEIGHT = 20_000_000;
/** Of a change without its texts. */
const WEIGHT_OF_ONE = 400;

interface Kept {
  record: TransitionRecord;
  weight: number;
  /** In which order they came. */
  place: number;
}

/** What belongs together: the changes of one alert, or of one notice. */
interface Group {
  first: Kept[];
  last: Kept[];
}

export interface Evidence {
  /** In the order in which they came. */
  transitions: TransitionRecord[];
  /** How many changes of these alerts and notices are not among them. */
  leftOut: number;
}

/** `alerts`: ids of those that a report has. Everything else is work that was planned, and texts that were rewritten. */
export async function gatherEvidence(
  pages: AsyncIterable<readonly TransitionRecord[]>,
  alerts: ReadonlySet<string>,
  mostWeight = MOST_WEIGHT,
): Promise<Evidence> {
  const groups = new Map<string, Group>();
  /** How many stay of a group at its beginning, and as many at its end. */
  let most = Infinity;
  let [weight, leftOut, place] = [0, 0, 0];

  function drop(kept: readonly Kept[]): void {
    leftOut += kept.length;
    for (const one of kept) weight -= one.weight;
  }

  function trim(group: Group): void {
    if (group.first.length > most) group.last = group.first.splice(most).concat(group.last);
    if (group.last.length > most) drop(group.last.splice(0, group.last.length - most));
  }

  /** Where all of a group is at its beginning nothing goes the first time: the next change comes here again. */
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

  /** Where it takes the place of the last of its group. */
  function hasRoom({ last }: Group, one: Kept): boolean {
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

function largest(groups: ReadonlyMap<string, Group>): number {
  let most = 1;
  for (const { first, last } of groups.values()) most = Math.max(most, first.length, last.length);
  return most;
}

/** Null for what no report shows. */
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
