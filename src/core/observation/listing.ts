/**
 * What a look at a source brought back, whatever kind of source it is. A part that was not read is a `missed`,
 * a type of its own: code that turns absence into recovery does not compile.
 *
 * When may something be called gone? Only from a complete listing. A defect that stays the same over three sweeps is the
 * provider's habit: it is told once, and from then on the listing counts as complete.
 */

/** What stays the same over so many sweeps is told once, and no longer makes its listing incomplete. */
const SWEEPS_UNTIL_A_HABIT = 3;
/** A provider that invents a new defect every day must not make the memory grow for ever. */
const MOST_REMEMBERED = 100;
/** Nor is it worth a message every day: a defect beyond these leaves its listing incomplete. */
const MOST_TOLD = 50;

/** Why something could not be read: a stable code and a sentence without secrets. */
export interface Miss {
  kind: 'missed';
  code: string;
  why: string;
}

/** Access was refused: 401, 403, or a login page in place of an answer. */
export function isRefusal(miss: Miss | null): boolean {
  return miss?.code === 'credentials';
}

/** The code of what a page never shows: to lack it is no trouble. */
export const NOT_SHOWN = 'not_shown';

/** What is told by itself and not as unreachable: a refusal, or that another page answers at the address. */
export function isToldApart(miss: Miss): boolean {
  return isRefusal(miss) || miss.code === 'other_page';
}

/** What each part of a sweep lacked; null where it was read in full. */
export type Parts = Readonly<Record<string, Miss | null>>;

/** The end of a sweep: what it lacked, and how long the one before it is ago by a monotonic clock. */
export interface SweepEnd {
  kind: 'end';
  parts: Parts;
  elapsedMs: number;
}

/** Nothing was read; time has passed, or something that the source depends on has changed. */
export interface Tick {
  kind: 'tick';
}

/** One thing read, or not. */
export type Seen<T> = { kind: 'observed'; value: T } | Miss;

/**
 * A defect of a listing that may be the provider's lasting habit (a malformed row, a count that is off).
 * `key` is the same for the same defect, sweep after sweep.
 */
export interface Defect {
  key: string;
  text: string;
}

/**
 * A listing read page by page. `missing` says that a part was not read at all (a page failed, a loop, a
 * foreign link): nothing is gone from it. `defects` make it incomplete only until they have been told. `unusable` names
 * the rows that were there and could not be used: those are never gone from it, habit or not.
 */
export type Listing<T> =
  | { kind: 'observed'; items: T[]; defects: Defect[]; missing: Miss | null; unusable?: readonly string[] }
  | Miss;

/** The parts of a page and of an account: a source that lacks all of them cannot be read at all. */
export const PAGE_PARTS = ['notices', 'page', 'components'] as const;

/** The list of extensions only adds names to it. */
export const ACCOUNT_PARTS = ['registrations', 'toggles'] as const;
export type AccountPart = (typeof ACCOUNT_PARTS)[number];

/** A defect seen in consecutive sweeps; after three it is told once and no longer makes the listing incomplete. */
export interface DefectMemory {
  key: string;
  text: string;
  /** In a row. */
  sweeps: number;
  lastSweep: number;
  told: boolean;
}

/** `collection` names it in the keys of `memory`, which hold the defects that were seen before. */
export function isComplete<T>(listing: Listing<T>, collection: string, memory: readonly DefectMemory[]): boolean {
  if (listing.kind === 'missed' || listing.missing !== null) return false;
  return listing.defects.every((defect) =>
    memory.some((known) => known.sweeps >= SWEEPS_UNTIL_A_HABIT && known.key === `${collection}: ${defect.key}`),
  );
}

/**
 * What is listed, and of which nothing else is known: neither how it is, nor that it is gone. Absence is asked of what is
 * in neither the items nor these.
 */
export function findUnreadIds<T>(listing: Listing<T>): ReadonlySet<string> {
  return new Set(listing.kind === 'missed' ? [] : listing.unusable);
}

/**
 * Counts the defects of a collection in this sweep. Returns the memory after it and the texts of those
 * that have just become habits. A defect that did not last has to begin anew, but one that comes and goes
 * is not told again; what was not read to its end says nothing about its defects.
 */
export function countDefects(
  memory: readonly DefectMemory[],
  collection: string,
  listings: readonly Listing<unknown>[],
  sweep: number,
): { memory: DefectMemory[]; habits: string[] } {
  const read = listings.filter((listing) => listing.kind === 'observed' && listing.missing === null);
  if (read.length < listings.length) return { memory: [...memory], habits: [] };
  const seen = new Map<string, Defect>();
  for (const listing of read) {
    for (const defect of listing.kind === 'observed' ? listing.defects : []) {
      seen.set(`${collection}: ${defect.key}`, defect);
    }
  }
  const habits: string[] = [];
  let tellable = MOST_TOLD - memory.filter(({ told }) => told).length;
  const kept = memory.flatMap((known): DefectMemory[] => {
    if (!known.key.startsWith(`${collection}: `)) return [known];
    const again = seen.get(known.key);
    seen.delete(known.key);
    if (again === undefined) return known.told ? [{ ...known, sweeps: 0 }] : [];
    if (known.lastSweep === sweep) return [known];
    const isHabit = known.sweeps + 1 >= SWEEPS_UNTIL_A_HABIT;
    const told = known.told || (isHabit && tellable > 0);
    const sweeps = isHabit && !told ? known.sweeps : known.sweeps + 1;
    if (told && !known.told) {
      habits.push(again.text);
      tellable -= 1;
    }
    return [{ key: known.key, text: again.text, sweeps, lastSweep: sweep, told }];
  });
  const room = Math.max(0, MOST_REMEMBERED - kept.length);
  for (const [key, defect] of [...seen].slice(0, room)) {
    kept.push({ key, text: defect.text, sweeps: 1, lastSweep: sweep, told: false });
  }
  return { memory: kept, habits };
}
