/**
 * What a look at a source brought back, whatever kind of source it is. A part that was not read is a `missed`,
 * a type of its own: code that turns absence into recovery does not compile.
 */

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

/** What each part of a sweep lacked; null where it was read in full. */
export type Parts = Readonly<Record<string, Miss | null>>;

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
 * foreign link): nothing is gone from it. `defects` make it incomplete only until they have been told.
 */
export type Listing<T> = { kind: 'observed'; items: T[]; defects: Defect[]; missing: Miss | null } | Miss;
