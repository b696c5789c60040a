/**
 * An alert that several sources take part in, seen as the one that it is: a notice of the provider's and the phones it
 * costs share an id, and each document keeps its part. Whoever shows alerts to people shows these.
 */
import { compareSeverities, type Severity, findWorst } from '../transition/kind.ts';
import { findAcknowledgement } from './acknowledgement.ts';
import type { Acknowledgement, Alert, Because } from './alert.ts';
import { formatCount } from '../text/plain.ts';
import { findOutageTitle } from './source-outage.ts';

export interface JoinedAlert {
  id: string;
  number: number;
  /** Open while any part is. */
  status: Alert['status'];
  title: string;
  /** What the loss is blamed on that the title is of; null for nothing. */
  because: Because | null;
  /** The worst of what counts. */
  severity: Severity;
  /** The earliest of what counts. */
  startedAt: number;
  /** When the last part ended; null while one is open. */
  resolvedAt: number | null;
  /** Names of the sources of what counts, that of the title first. */
  sources: readonly string[];
  /** What counts: while a part is open only those that are. That of the title comes first. */
  parts: readonly [Alert, ...Alert[]];
  /** Every part, those that count first: the provider's words about it hold after its part is over. */
  all: readonly Alert[];
  /** Who has all of it in hand; null for nobody. */
  acknowledged: Acknowledgement | null;
  /** Numbers of the open alerts that have become part of it: what they were about is told and counted here. */
  also: readonly number[];
}

/** As much as is known of an account's alert of what it has become part of. */
type Absorbable = Alert & { group?: string; absorbedBy?: string };

/** In the order in which each first appears. */
export function joinParts(alerts: readonly Absorbable[]): JoinedAlert[] {
  const intoWhich = absorption(alerts);
  const [own, absorbed] = [alerts.filter((alert) => !intoWhich.has(alert)), [...intoWhich]];
  return [...Map.groupBy(own, ({ id }) => id).values()].flatMap((same) => {
    const open = same.filter(({ status }) => status === 'open');
    const isOpen = open.length > 0;
    const [lead, ...others] = (isOpen ? open : same).toSorted(isOpen ? lossFirst : causeFirst);
    if (lead === undefined) return [];
    const also = absorbed.flatMap(([{ number }, into]) => (into === lead.id ? [number] : []));
    return [joined([lead, ...others], same, also)];
  });
}

/** Of each open alert that has become part of another one that is open: the id of that. */
function absorption(alerts: readonly Absorbable[]): Map<Absorbable, string> {
  const named = (source: string, group: string): string => JSON.stringify([source, group]);
  const open = alerts.filter(({ status }) => status === 'open');
  const goesOn = new Map(
    open.flatMap(({ id, source, group, absorbedBy }): [string, string][] =>
      group === undefined || absorbedBy !== undefined ? [] : [[named(source, group), id]],
    ),
  );
  return new Map(
    open.flatMap((alert): [Absorbable, string][] => {
      const into = alert.absorbedBy === undefined ? undefined : goesOn.get(named(alert.source, alert.absorbedBy));
      return into === undefined ? [] : [[alert, into]];
    }),
  );
}

function joined(parts: JoinedAlert['parts'], same: readonly Alert[], also: JoinedAlert['also']): JoinedAlert {
  const [{ id, number, status, because }] = parts;
  return {
    id,
    number,
    status,
    title: titleOf(parts),
    because: because ?? null,
    severity: findWorst(parts),
    startedAt: parts.reduce((earliest, { startedAt }) => Math.min(earliest, startedAt), Infinity),
    resolvedAt:
      status === 'open' ? null : parts.reduce((latest, { resolvedAt }) => Math.max(latest, resolvedAt ?? 0), 0),
    sources: [...new Set(parts.map(({ source }) => source))],
    parts,
    all: [...new Set([...parts, ...same])],
    acknowledged: findAcknowledgement(parts),
    also,
  };
}

/** Of several losses the first is named, and the others are not kept quiet. */
function titleOf([lead, ...others]: JoinedAlert['parts']): string {
  const outage = findOutageTitle([lead, ...others]);
  if (outage !== null) return outage;
  const more = isLoss(lead) ? others.filter(isLoss).length : 0;
  return more === 0 ? lead.title : `${lead.title}, and ${formatCount(more, 'more loss', 'more losses')}`;
}

function isLoss({ family }: Alert): boolean {
  return family === 'phones';
}

/** While it lasts people are served best by what they lose themselves. */
function lossFirst(a: Alert, b: Alert): number {
  return Number(isLoss(b)) - Number(isLoss(a)) || compareWorstThenOldest(a, b);
}

/** Afterwards nothing is lost any more, and what it was is said by its cause. */
function causeFirst(a: Alert, b: Alert): number {
  return Number(isLoss(a)) - Number(isLoss(b)) || compareWorstThenOldest(a, b);
}

/** For sorting. */
export function compareWorstThenOldest(
  a: Pick<Alert, 'severity' | 'startedAt'>,
  b: Pick<Alert, 'severity' | 'startedAt'>,
): number {
  return compareSeverities(a.severity, b.severity) || a.startedAt - b.startedAt;
}
