/**
 * The other parts of an alert that changes. An alert with parts in several sources stays open while any of them is open:
 * the end of one part is only an update until then.
 */
import { isOpenHere } from '../alert/acknowledgement.ts';
import type { AccountAlert } from './account-alert.ts';
import type { Alert } from '../alert/alert.ts';
import { listNotified } from '../alert/notified.ts';
import { append } from '../transition/collections.ts';

/** A part that one source takes in an alert. It may take several, with losses that belong to one outage. */
export type Part = Alert & Partial<Omit<AccountAlert, keyof Alert>>;

/** The alerts of all sources as their last steps left them: by the id of the alert, then by the source. */
export type PartsById = ReadonlyMap<string, ReadonlyMap<string, readonly Part[]>>;

export interface OtherParts {
  /** Receivers that were notified of them, with the subject of the thread. */
  threads: ReadonlyMap<string, string>;
  /** When each receiver was last notified there of an outage of phones or sources. */
  heardAt: ReadonlyMap<string, number>;
  /** When each receiver was last notified there of phones that are still offline after the end of their cause. */
  leftAt: ReadonlyMap<string, number>;
  /** When the first open part was opened; infinite without one. */
  openedAt: number;
  /** Start of the outage of phones that is reported there; infinite without one. */
  outageSince: number;
  /** The receivers for which it goes on, as they were notified of an open part. */
  open: readonly string[];
  /** Open parts, without those merged into another alert. */
  openParts: readonly Part[];
  /** A part of it is open there, reported or not. */
  isOpen: boolean;
  /** An open part is not acknowledged. */
  isUntaken: boolean;
}

/** Finds the other parts of an alert. */
export type OtherPartsOf = (alert: Pick<Alert, 'id' | 'source'>) => OtherParts;

export const NO_OTHER_PARTS: OtherParts = {
  threads: new Map(),
  heardAt: new Map(),
  leftAt: new Map(),
  openedAt: Infinity,
  outageSince: Infinity,
  open: [],
  openParts: [],
  isOpen: false,
  isUntaken: false,
};

/**
 * Finds the parts in other sources, and caches them for each alert. Those of `own`, the current alerts of the source, are
 * among them where an alert has several; the threads are those in other sources.
 */
export function createOtherParts(parts: PartsById | undefined, own: readonly Part[] = []): OtherPartsOf {
  const known = new Map<string, OtherParts>();
  const beside = Map.groupBy(own, ({ id }) => id);
  return ({ id, source }) => {
    const key = JSON.stringify([id, source]);
    const found = known.get(key) ?? otherPartsOf(listPartsBeside(id, source, parts), beside.get(id));
    known.set(key, found);
    return found;
  };
}

function otherPartsOf(elsewhere: readonly Part[], own: readonly Part[] = []): OtherParts {
  if (own.length > 1) return { ...combinePartsOf([...elsewhere, ...own]), threads: combineParts(elsewhere).threads };
  return combinePartsOf(elsewhere);
}

function combinePartsOf(all: readonly Part[]): OtherParts {
  return all.length === 0 ? NO_OTHER_PARTS : { ...combineParts(all), openParts: all.filter(isOpenHere) };
}

/** Whether a message about any part of an alert named its cause. `own`: current alerts of the source. */
export function isConfirmedIn(id: string, source: string, own: readonly Part[], parts: PartsById | undefined): boolean {
  const isConfirmed = ({ confirmed }: Part): boolean => confirmed === true;
  return (
    own.some((part) => part.id === id && isConfirmed(part)) || listPartsBeside(id, source, parts).some(isConfirmed)
  );
}

function listPartsBeside(id: string, source: string, parts: PartsById | undefined): Part[] {
  const found: Part[] = [];
  for (const [name, some] of parts?.get(id) ?? []) if (name !== source) append(found, some);
  return found;
}

/**
 * Adds the parts of the same source: an open one stays open for all receivers that were notified of any of them, and all of
 * them are one thread.
 */
export function withOwnParts(alerts: readonly Part[], others: OtherPartsOf): OtherPartsOf {
  const parts = Map.groupBy(alerts, ({ id }) => id);
  return (alert) => {
    const known = others(alert);
    const own = parts.get(alert.id) ?? [];
    const beside = own.filter((part) => part !== alert);
    const threads = beside.length === own.length ? known.threads : joinThreads(beside, known.threads);
    const open = own.filter(isOpenHere);
    if (open.length === 0) return threads === known.threads ? known : { ...known, threads };
    return {
      ...known,
      threads,
      isOpen: true,
      open: [...new Set([...known.open, ...own.flatMap(listNotified)])],
      openParts: [...known.openParts, ...open],
    };
  };
}

/** With the subjects of other parts; the known ones stay. */
function joinThreads(parts: readonly Part[], known: OtherParts['threads']): OtherParts['threads'] {
  if (parts.length === 0) return known;
  const told = parts.flatMap(({ told: some, title }) =>
    some.map(({ receiver, subject = title }) => [receiver, subject] as const),
  );
  return new Map([...told, ...known]);
}

/** Fields of a part that the others need. */
type AskedPart = Pick<Part, 'status' | 'family' | 'title' | 'told'> &
  Partial<Pick<Part, 'suspected' | 'residual' | 'openedAt' | 'reopenedAt' | 'acknowledged'>>;

/** In one pass over the parts: an outage of a thousand accounts has a thousand of them, and each account looks at them. */
export function combineParts(parts: readonly AskedPart[]): Omit<OtherParts, 'openParts'> {
  const threads = new Map<string, string>();
  const open = new Set<string>();
  const [heardAt, leftAt] = [new Map<string, number>(), new Map<string, number>()];
  let [outageSince, firstOpenedAt, isOpen, isUntaken] = [Infinity, Infinity, false, false];
  for (const part of parts) {
    const { status, family, suspected = false, residual = false, openedAt = Infinity, reopenedAt = 0, told } = part;
    const [isOpenPart, isOutage] = [status === 'open', suspected || family === 'source'];
    if (isOpenPart) {
      isOpen = true;
      isUntaken ||= part.acknowledged === undefined;
      firstOpenedAt = Math.min(firstOpenedAt, openedAt);
      // Resolved parts do not count, and a part that reopened counts from then on.
      if (suspected) outageSince = Math.min(outageSince, Math.max(openedAt, reopenedAt));
    }
    for (const { receiver, at, subject } of told) {
      threads.set(receiver, subject ?? part.title);
      if (isOpenPart) open.add(receiver);
      if (isOutage) heardAt.set(receiver, Math.max(at, heardAt.get(receiver) ?? 0));
      if (isOutage && residual) leftAt.set(receiver, Math.max(at, leftAt.get(receiver) ?? 0));
    }
  }
  return { heardAt, leftAt, openedAt: firstOpenedAt, outageSince, threads, open: [...open], isOpen, isUntaken };
}
