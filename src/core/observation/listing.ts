/**
 * The result of a sweep, for every kind of source. A part that was not read has the type `missed`: code that turns
 * absence into recovery does not compile.
 *
 * Only a complete listing proves that something is gone. A defect unchanged over three sweeps is a habit of the
 * provider: it is reported once, and the listing then counts as complete.
 */

/** Sweeps after which an unchanged defect is reported once and ignored. */
const SWEEPS_UNTIL_A_HABIT = 3;
/** A provider that invents defects must not grow the memory without bound. */
const MOST_REMEMBERED = 100;
/** Nor cause a message a day: further defects keep their listing incomplete. */
const MOST_TOLD = 50;

/** Reason why something could not be read: a stable code and a sentence without secrets. */
export interface Miss {
  kind: 'missed';
  code: string;
  why: string;
}

/** Access refused: 401, 403, or a login page instead of a response. */
export function isRefusal(miss: Miss | null): boolean {
  return miss?.code === 'credentials';
}

/** Code for parts that a page never shows: lacking them is no trouble. */
export const NOT_SHOWN = 'not_shown';

/** Code for a report that an account does not have, or may not read. */
export const NOT_AVAILABLE = 'not_available';

/** True if the miss has an event of its own: refused access, or another page at the address. */
export function isToldApart(miss: Miss): boolean {
  return isRefusal(miss) || miss.code === 'other_page';
}

/** Missed parts of a sweep; null for those read in full. */
export type MissedParts = Readonly<Record<string, Miss | null>>;

/** The end of a sweep: its misses, and monotonic time since the previous one. */
export interface SweepEnd {
  kind: 'end';
  parts: MissedParts;
  elapsedMs: number;
}

/** No reading: time has passed, or a dependency has changed. */
export interface Tick {
  kind: 'tick';
}

export type ReadOrMissed<T> = { kind: 'observed'; value: T } | Miss;

/**
 * A listing defect that may be permanent, such as a malformed row or a wrong count. `key` stays the same across sweeps.
 */
export interface Defect {
  key: string;
  text: string;
}

/**
 * A paginated listing. `missing`: a part was not read (failed page, loop, foreign link), so nothing counts as gone.
 * `defects` make it incomplete until they are reported. `unusable` names malformed rows, which never count as gone.
 */
export type Listing<T> =
  | { kind: 'observed'; items: T[]; defects: Defect[]; missing: Miss | null; unusable?: readonly string[] }
  | Miss;

/** Parts of a page and of an account. A source that lacks all of them is unreadable. */
export const PAGE_PARTS = ['notices', 'page', 'components'] as const;

/** Without the extension list, which only adds names. */
export const ACCOUNT_PARTS = ['registrations', 'toggles'] as const;
export type AccountPart = (typeof ACCOUNT_PARTS)[number];

/** A defect in consecutive sweeps. */
export interface DefectMemory {
  key: string;
  text: string;
  /** Consecutive sweeps. */
  sweeps: number;
  lastSweep: number;
  told: boolean;
}

/** `collection` prefixes the keys of `memory`, the defects seen before. */
export function isComplete<T>(listing: Listing<T>, collection: string, memory: readonly DefectMemory[]): boolean {
  if (listing.kind === 'missed' || listing.missing !== null) return false;
  return listing.defects.every((defect) =>
    memory.some((known) => known.sweeps >= SWEEPS_UNTIL_A_HABIT && known.key === `${collection}: ${defect.key}`),
  );
}

/**
 * Ids that are listed but unreadable: neither their state nor their absence is known. Only ids outside both lists are
 * absent.
 */
export function findUnreadIds<T>(listing: Listing<T>): ReadonlySet<string> {
  return new Set(listing.kind === 'missed' ? [] : listing.unusable);
}

/**
 * Returns the updated memory and the texts of defects that have just become habits. A defect that stopped starts over,
 * but an intermittent one is not reported again. A partial listing says nothing about defects.
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
