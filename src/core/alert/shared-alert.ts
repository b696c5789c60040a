/**
 * An alert with parts in several accounts: the phones it costs each of them, as far as a reader may know. Each account
 * stores its own part; messages show the sums made here.
 */
import type { Repeat } from '../account/account-snapshot.ts';
import { findEarliest, findMaximum, findMinimum } from '../transition/collections.ts';
import { findWorst, type Severity } from '../transition/kind.ts';
import type { ReportedPhones } from '../transition/details.ts';
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
  /** How often they were lost; absent for a single loss, and in older documents. */
  again?: Repeat;
  /** Their sites, the one with most losses first; absent in older documents. */
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
  /** Its phones cannot be read now: the counts are those last seen. */
  unread?: true;
}

/** An account with its parts in alerts. */
interface AccountNow {
  name: string;
  alerts: readonly PartOfAccount[];
  /** Its phones cannot be read now. */
  unread?: boolean;
}

/** Facts of an alert that the reader of a message may know. */
export interface SeenAlert {
  /** When the first phone of it was lost, of those accounts that are still hit; null where it is about no phones. */
  lostSince: number | null;
  /** Numbers of alerts that became part of it and were sent to the reader. */
  merged: readonly number[];
  /** Null if the reader may see phones of fewer than two accounts. */
  shared: SharedAlert | null;
  /** Phones of the only account that the reader may see; absent for none and for several. */
  single?: SharedAlert;
  /** Phones that are offline in other alerts of the reader, which it explains; absent without any. */
  elsewhere?: readonly ReportedPhones[];
  /** The worst of its losses; absent without one, and in older documents. */
  severity?: Severity;
  /** All its open parts are acknowledged. */
  acknowledged?: true;
  /** When it opened again after all parts that the reader knows had ended, epoch milliseconds; absent if it did not. */
  reopenedAt?: number;
}

export interface SharedAlert {
  /** `residual`: the provider reported the end; `suspected`: an outage of the provider is suspected. */
  phase: 'open' | 'suspected' | 'residual';
  accounts: readonly AccountLoss[];
  /** The notice that explains it; null without one. */
  notice: NoticeOfAlert | null;
  /** Least number of losses in each account; absent for one, and in older documents. */
  again?: Repeat;
}

export interface NoticeOfAlert {
  /** Id and current title of its own alert; absent where they are not asked for. */
  alert?: { id: string; title: string };
  /** In the page's own words. */
  state: string | null;
  /** The page that publishes it. */
  by: OfVendor & { source: string };
  /** Display name of that page. */
  called: string;
  isPlanned: boolean;
}

/** Part of the alert that one account stores. */
interface PartOfAccount {
  id: string;
  number: number;
  status: 'open' | 'resolved';
  openedAt: number;
  reopenedAt?: number;
  resolvedAt: number | null;
  told: readonly { receiver: string }[];
  phones?: PhoneCounts;
  suspected?: boolean;
  residual?: boolean;
  withoutResolve?: true;
  group: string;
  absorbedBy?: string;
  explainedBy: string | null;
  severity: Severity;
  /** Id of the alert that explained it, also after its end. */
  cause?: string | null;
}

/** Scope of a message: sources whose part its receiver was notified of, and those that the message reports. */
export interface AlertReading {
  alert: string;
  receiver: string;
  /** Names of the sources that the message reports. */
  sources: ReadonlySet<string>;
}

/** `notices`: possible causes, by id of their own alert. */
export function createSeenAlert(
  reading: AlertReading,
  accounts: Iterable<AccountNow>,
  notices: ReadonlyMap<string, NoticeOfAlert | null>,
): SeenAlert {
  const all = [...accounts];
  const seen = all.flatMap(({ name, alerts, unread = false }) => {
    const mine = ownParts(alerts, reading.alert);
    return mine.some((part) => isTold(part, reading)) || reading.sources.has(name)
      ? [{ name, alerts, mine, unread }]
      : [];
  });
  const parts = seen.flatMap(({ mine }) => mine);
  const hit = parts.filter(({ phones }) => (phones?.down ?? 0) > 0);
  const since = (hit.length > 0 ? hit : parts).flatMap(({ phones }) => phones?.since ?? []);
  const elsewhere = listElsewhere(all, reading);
  const losses = sumUpAccounts(seen, notices.get(explanationOf(parts) ?? reading.alert) ?? null);
  const reopenedAt = findReopening(parts);
  return {
    ...(reopenedAt !== null && { reopenedAt }),
    ...(losses?.accounts.length === 1 && { single: losses }),
    ...(elsewhere.length > 0 && { elsewhere }),
    ...(parts.length > 0 && { severity: findWorst(parts) }),
    lostSince: since.length === 0 ? null : findEarliest(since),
    merged: mergedNumbers(
      seen.flatMap(({ alerts, mine }) => mergedInto(mine, alerts, reading)),
      all,
      reading,
    ),
    shared: losses !== null && losses.accounts.length > 1 ? losses : null,
  };
}

/** Null while a part goes on that began before all others had ended. A part that is new counts from its opening. */
function findReopening(parts: readonly PartOfAccount[]): number | null {
  const open = parts.filter(({ status }) => status === 'open');
  const first = findEarliest(open.map(({ openedAt, reopenedAt = openedAt }) => reopenedAt));
  if (first === null) return null;
  const ended = parts.filter(({ status }) => status === 'resolved');
  const hadBegun = ended.length > 0 || open.some(({ reopenedAt }) => reopenedAt === first);
  return hadBegun && ended.every(({ resolvedAt }) => resolvedAt !== null && resolvedAt <= first) ? first : null;
}

function isTold({ told }: PartOfAccount, { receiver }: AlertReading): boolean {
  return told.some((one) => one.receiver === receiver);
}

function listElsewhere(
  accounts: readonly { alerts: readonly PartOfAccount[] }[],
  reading: AlertReading,
): ReportedPhones[] {
  const explained = accounts
    .flatMap(({ alerts }) => alerts)
    .filter(({ status, id, absorbedBy }) => status === 'open' && absorbedBy === undefined && id !== reading.alert)
    .filter((part) => findExplanation(part) === reading.alert && isTold(part, reading));
  return [...Map.groupBy(explained, ({ id }) => id)].flatMap(([alert, [first, ...others]]) => {
    if (first === undefined) return [];
    const phones = [first, ...others].reduce((sum, part) => sum + (part.phones?.down ?? 0), 0);
    return phones === 0 ? [] : [{ alert, number: first.number, phones }];
  });
}

/** The parts of one account in an alert, without those that became part of another. */
function ownParts(alerts: readonly PartOfAccount[], alert: string): PartOfAccount[] {
  return alerts.filter(({ id, absorbedBy }) => id === alert && absorbedBy === undefined);
}

/** Alerts that became part of these since they opened; both may be over. */
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
 * Numbers of merged alerts. Alerts that became part of a merged one are added once that one has no open part of its own,
 * since losses of several accounts may have been reported in one alert.
 */
function mergedNumbers(
  merged: readonly PartOfAccount[],
  accounts: readonly { alerts: readonly PartOfAccount[] }[],
  reading: AlertReading,
): number[] {
  const found = new Map(merged.map(({ id, number }) => [id, number]));
  if (found.size === 0) return [];
  const own = partsById(accounts);
  // Alerts found in the loop are searched in their turn.
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

/** By id of an alert: its parts in each account, without those that became part of another. */
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

/** A resolved notice explains the remaining losses and their end too. */
function findExplanation(part: PartOfAccount): string | null {
  const ended = part.residual === true && part.withoutResolve !== true ? (part.cause ?? null) : null;
  return part.explainedBy ?? ended;
}

function sumUpAccounts(
  seen: readonly { name: string; mine: readonly PartOfAccount[]; unread: boolean }[],
  notice: NoticeOfAlert | null,
): SharedAlert | null {
  const counted = seen.flatMap(({ name, mine, unread }): AccountLoss[] => {
    const counts = mine.flatMap(({ phones }) => phones ?? []);
    return counts.length === 0 ? [] : [{ source: name, ...sumOf(counts), ...(unread && { unread }) }];
  });
  if (counted.length === 0) return null;
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

/** Least number of losses over the parts with offline phones, or over all parts once none is left; null for one. */
function countRepeats(parts: readonly PartOfAccount[]): Repeat | null {
  const offline = parts.filter(({ phones }) => (phones?.down ?? 0) > 0);
  const counted = offline.length > 0 ? offline : parts;
  const known = counted.flatMap(({ phones }) => phones?.again ?? []);
  if (known.length === 0 || known.length < counted.length) return null;
  return { count: findMinimum(known.map(({ count }) => count)), since: findMinimum(known.map(({ since }) => since)) };
}

/** Sums over the parts of one account, which have no phone in common at the same time. */
function sumOf(counts: readonly PhoneCounts[]): PhoneCounts {
  const total = findMaximum(counts.map((each) => each.total));
  const sum = (of: 'down' | 'most'): number =>
    Math.min(
      total,
      counts.reduce((all, each) => all + each[of], 0),
    );
  const [first, ...others] = counts;
  const sites = others.length === 0 ? first?.sites : undefined;
  return { total, down: sum('down'), most: sum('most'), ...(sites !== undefined && { sites }) };
}
