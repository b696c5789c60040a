/**
 * One alert in which several accounts take part: what it costs each of them, as far as a reader may know. Each account
 * keeps its own part; whoever is told of the whole reads what stands here.
 */
import type { Repeat } from '../account/account-snapshot.ts';
import { findEarliest, findMaximum, findMinimum } from '../transition/collections.ts';
import type { OfVendor } from '../transition/transition.ts';

/** Phones of an account that are offline by one alert. */
export interface PhoneCounts {
  /** All that should be there at this hour. */
  total: number;
  down: number;
  /** The most that were down at once. */
  most: number;
  /** When the first of them was lost, epoch milliseconds; absent in older documents. */
  since?: number;
  /** How often they were lost; absent for once, and in older documents. */
  again?: Repeat;
  /** Where they are, the site that lost most first; absent in older documents. */
  sites?: readonly SiteLoss[];
}

export interface SiteLoss {
  /** Null for phones whose address is not known. */
  site: string | null;
  offline: number;
  total: number;
}

export interface AccountLoss extends PhoneCounts {
  source: string;
}

/** An alert as one reader may know it, when a message about it goes out. */
export interface SeenAlert {
  /** When the first phone of it was lost, epoch milliseconds; null where it is about no phones. */
  lostSince: number | null;
  /** Numbers of alerts that became part of it, which the reader was told of. */
  merged: readonly number[];
  /** Null where phones of fewer than two accounts are seen. */
  shared: SharedAlert | null;
}

export interface SharedAlert {
  /** `residual` once the provider said that it is over; `suspected` where an outage of the provider's is. */
  phase: 'open' | 'suspected' | 'residual';
  accounts: readonly AccountLoss[];
  /** The notice that explains it; null without one. */
  notice: NoticeOfAlert | null;
  /** Each account has lost its phones so often at least; absent for once, and in older documents. */
  again?: Repeat;
}

export interface NoticeOfAlert {
  /** In the page's own word. */
  state: string | null;
  /** The page that publishes it. */
  by: OfVendor & { source: string };
  /** Display name of that page. */
  called: string;
  isPlanned: boolean;
}

/** What one account keeps of the alert. */
interface PartOfAccount {
  id: string;
  number: number;
  status: 'open' | 'resolved';
  openedAt: number;
  resolvedAt: number | null;
  told: readonly { receiver: string }[];
  phones?: PhoneCounts;
  suspected?: boolean;
  residual?: boolean;
  withoutResolve?: true;
  group: string;
  absorbedBy?: string;
  explainedBy: string | null;
  /** Id of the alert that explained it, also after its end. */
  cause?: string | null;
}

type Notice = NoticeOfAlert | null;

/** Of whom a message may speak: those whose part its receiver was told of, and those it tells of. */
export interface AlertReading {
  alert: string;
  receiver: string;
  /** Names of the sources that the message tells of. */
  sources: ReadonlySet<string>;
}

/** `notices`: those that an alert may be explained by, by the id of their own alert. */
export function createSeenAlert(
  reading: AlertReading,
  accounts: Iterable<{ name: string; alerts: readonly PartOfAccount[] }>,
  notices: ReadonlyMap<string, Notice>,
): SeenAlert {
  const all = [...accounts];
  const seen = all.flatMap(({ name, alerts }) => {
    const mine = ownParts(alerts, reading.alert);
    return mine.some((part) => isTold(part, reading)) || reading.sources.has(name) ? [{ name, alerts, mine }] : [];
  });
  const parts = seen.flatMap(({ mine }) => mine);
  const since = parts.flatMap(({ phones }) => phones?.since ?? []);
  return {
    lostSince: since.length === 0 ? null : findEarliest(since),
    merged: mergedNumbers(
      seen.flatMap(({ alerts, mine }) => mergedInto(mine, alerts, reading)),
      all,
      reading,
    ),
    shared: sharedAlert(seen, notices.get(explanationOf(parts) ?? reading.alert) ?? null),
  };
}

function isTold({ told }: PartOfAccount, { receiver }: AlertReading): boolean {
  return told.some((one) => one.receiver === receiver);
}

/** The parts of one account in an alert, without those that became part of another. */
function ownParts(alerts: readonly PartOfAccount[], alert: string): PartOfAccount[] {
  return alerts.filter(({ id, absorbedBy }) => id === alert && absorbedBy === undefined);
}

/** Alerts that became part of these in this life of theirs, which may be over with them. */
function mergedInto(
  mine: readonly PartOfAccount[],
  alerts: readonly PartOfAccount[],
  reading: AlertReading,
): PartOfAccount[] {
  const groups = new Map(mine.map((part) => [part.group, part]));
  return alerts.filter((other) => {
    const into = groups.get(other.absorbedBy ?? '');
    const isOfNow = other.resolvedAt === null || other.resolvedAt >= (into?.openedAt ?? Infinity);
    return into !== undefined && other.id !== reading.alert && isOfNow && isTold(other, reading);
  });
}

/**
 * Losses of several accounts may have been told in one alert. Alerts that became part of a merged one are named with it
 * once nothing of that one goes on by itself.
 */
function mergedNumbers(
  merged: readonly PartOfAccount[],
  accounts: readonly { alerts: readonly PartOfAccount[] }[],
  reading: AlertReading,
): number[] {
  const found = new Map(merged.map(({ id, number }) => [id, number]));
  if (found.size === 0) return [];
  const own = partsById(accounts);
  // What is found on the way is looked through in its turn.
  for (const id of found.keys()) {
    const known = own.get(id) ?? [];
    if (known.some(({ mine }) => mine.some(({ status }) => status === 'open'))) continue;
    for (const { alerts, mine } of known) {
      for (const part of mergedInto(mine, alerts, { ...reading, alert: id })) {
        if (part.id !== reading.alert) found.set(part.id, part.number);
      }
    }
  }
  return [...found.values()].toSorted((a, b) => a - b);
}

/** By the id of an alert: the parts of each account that takes part in it, without those that became part of another. */
function partsById(
  accounts: readonly { alerts: readonly PartOfAccount[] }[],
): ReadonlyMap<string, readonly { alerts: readonly PartOfAccount[]; mine: PartOfAccount[] }[]> {
  const own = accounts.flatMap(({ alerts }) =>
    [
      ...Map.groupBy(
        alerts.filter(({ absorbedBy }) => absorbedBy === undefined),
        ({ id }) => id,
      ),
    ].map(([id, mine]) => ({
      id,
      alerts,
      mine,
    })),
  );
  return Map.groupBy(own, ({ id }) => id);
}

/** The alert that explains most of the open parts, or of all once none is open; null where none does. */
function explanationOf(parts: readonly PartOfAccount[]): string | null {
  const open = parts.filter(({ status }) => status === 'open');
  const by = Map.groupBy(open.length > 0 ? open : parts, findExplanation);
  by.delete(null);
  return [...by].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? null;
}

/** A notice that has ended, as its page said, explains what is still lost and the end of that. */
function findExplanation(part: PartOfAccount): string | null {
  const ended = part.residual === true && part.withoutResolve !== true ? (part.cause ?? null) : null;
  return part.explainedBy ?? ended;
}

function sharedAlert(
  seen: readonly { name: string; mine: readonly PartOfAccount[] }[],
  notice: Notice,
): SharedAlert | null {
  const counted = seen.flatMap(({ name, mine }) => {
    const counts = mine.flatMap(({ phones }) => phones ?? []);
    return counts.length === 0 ? [] : [{ source: name, ...sumOf(counts) }];
  });
  if (counted.length < 2) return null;
  const open = seen.flatMap(({ mine }) => mine.filter(({ status }) => status === 'open'));
  const isResidual = open.some(({ residual }) => residual === true);
  const isSuspected = open.some(({ suspected }) => suspected === true);
  const again = countRepeats(seen.flatMap(({ mine }) => mine));
  return {
    phase: isResidual ? 'residual' : isSuspected ? 'suspected' : 'open',
    accounts: counted,
    notice,
    ...(again !== null && { again }),
  };
}

/** How often the phones of all of them were lost at least; null for once. */
function countRepeats(parts: readonly PartOfAccount[]): Repeat | null {
  const known = parts.flatMap(({ phones }) => phones?.again ?? []);
  if (known.length === 0 || known.length < parts.length) return null;
  return { count: findMinimum(known.map(({ count }) => count)), since: findMinimum(known.map(({ since }) => since)) };
}

/** Of the parts of one account: each has phones of its own, though not always at the same time. */
function sumOf(counts: readonly PhoneCounts[]): PhoneCounts {
  const total = findMaximum(counts.map((each) => each.total));
  const sum = (of: 'down' | 'most'): number =>
    Math.min(
      total,
      counts.reduce((all, each) => all + each[of], 0),
    );
  return { total, down: sum('down'), most: sum('most') };
}
