/**
 * Joins the parts of an alert that several sources have. A notice of the provider and the phones it costs share an id, and
 * each source stores its part. Everything that shows alerts to people shows joined ones.
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
  /** Cause of the loss in the title; null without one. */
  because: Because | null;
  /** The worst of `parts`. */
  severity: Severity;
  /** The earliest of `parts`. */
  startedAt: number;
  /** When the last part ended; null while one is open. */
  resolvedAt: number | null;
  /** Names of the sources of `parts`, that of the title first. */
  sources: readonly string[];
  /** Open parts while there are any, otherwise all. That of the title comes first. */
  parts: readonly [Alert, ...Alert[]];
  /** Every part, `parts` first: the provider's text stays valid after its part is over. */
  all: readonly Alert[];
  /** Covers all of `parts`; null without one. */
  acknowledged: Acknowledgement | null;
  /** Numbers of the open alerts that have become part of it: it reports and counts their losses. */
  also: readonly number[];
}

/** An alert with the fields that say which alert it became part of, if an account has it. */
type Absorbable = Alert & { group?: string; absorbedBy?: string };

/** One for each id, in the order of first appearance. */
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

/** By open alert that became part of another open one: the id of that one. */
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

/** Names the first of several losses, and counts the others. */
function titleOf([lead, ...others]: JoinedAlert['parts']): string {
  const outage = findOutageTitle([lead, ...others]);
  if (outage !== null) return outage;
  const more = isLoss(lead) ? others.filter(isLoss).length : 0;
  return more === 0 ? lead.title : `${lead.title}, and ${formatCount(more, 'more loss', 'more losses')}`;
}

function isLoss({ family }: Alert): boolean {
  return family === 'phones';
}

/** While an alert is open its losses matter most to people. */
function lossFirst(a: Alert, b: Alert): number {
  return Number(isLoss(b)) - Number(isLoss(a)) || compareWorstThenOldest(a, b);
}

/** Once an alert is resolved nothing is lost any more, and its cause describes it best. */
function causeFirst(a: Alert, b: Alert): number {
  return Number(isLoss(a)) - Number(isLoss(b)) || compareWorstThenOldest(a, b);
}

/** For sorting. */
function compareWorstThenOldest(
  a: Pick<Alert, 'severity' | 'startedAt'>,
  b: Pick<Alert, 'severity' | 'startedAt'>,
): number {
  return compareSeverities(a.severity, b.severity) || a.startedAt - b.startedAt;
}
