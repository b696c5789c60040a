/**
 * An alert that several sources take part in, seen as the one that it is: a notice of the provider's and the phones it
 * costs share an id, and each document keeps its part. Whoever shows alerts to people shows these.
 */
import { compareSeverities, type Severity, findWorst } from '../transition/kind.ts';
import { acknowledgementOf } from './acknowledgement.ts';
import type { Acknowledgement, Alert, Because } from './alert.ts';
import { findMinimum } from '../transition/collections.ts';
import { formatCount } from '../text/plain.ts';
import { outageTitleOf } from './source-outage.ts';

export interface Whole {
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
export function wholes(alerts: readonly Absorbable[]): Whole[] {
  const intoWhich = absorption(alerts);
  const [own, absorbed] = [alerts.filter((alert) => !intoWhich.has(alert)), [...intoWhich]];
  return [...Map.groupBy(own, ({ id }) => id).values()].flatMap((same) => {
    const open = same.filter(({ status }) => status === 'open');
    const isOpen = open.length > 0;
    const [lead, ...others] = (isOpen ? open : same).toSorted(isOpen ? lossFirst : causeFirst);
    if (lead === undefined) return [];
    const also = absorbed.flatMap(([{ number }, into]) => (into === lead.id ? [number] : []));
    return [whole([lead, ...others], same, also)];
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

function whole(parts: Whole['parts'], same: readonly Alert[], also: Whole['also']): Whole {
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
    acknowledged: acknowledgementOf(parts),
    also,
  };
}

/** Of several losses the first is named, and the others are not kept quiet. */
function titleOf([lead, ...others]: Whole['parts']): string {
  const outage = outageTitleOf([lead, ...others]);
  if (outage !== null) return outage;
  const more = isLoss(lead) ? others.filter(isLoss).length : 0;
  return more === 0 ? lead.title : `${lead.title}, and ${formatCount(more, 'more loss', 'more losses')}`;
}

function isLoss({ family }: Alert): boolean {
  return family === 'phones';
}

/** While it lasts people are served best by what they lose themselves. */
function lossFirst(a: Alert, b: Alert): number {
  return Number(isLoss(b)) - Number(isLoss(a)) || worstThenOldest(a, b);
}

/** Afterwards nothing is lost any more, and what it was is said by its cause. */
function causeFirst(a: Alert, b: Alert): number {
  return Number(isLoss(a)) - Number(isLoss(b)) || worstThenOldest(a, b);
}

/** For sorting. */
export function worstThenOldest(
  a: Pick<Alert, 'severity' | 'startedAt'>,
  b: Pick<Alert, 'severity' | 'startedAt'>,
): number {
  return compareSeverities(a.severity, b.severity) || a.startedAt - b.startedAt;
}

/** What the other sources that take part in an alert have told of it. */
export interface Elsewhere {
  /** Whom they told, and under which subject. */
  told: ReadonlyMap<string, string>;
  /** When each of them was last told there of an outage of phones, or of sources. */
  heardAt: ReadonlyMap<string, number>;
  /** When each of them was last told there of phones that are still offline after the end of their cause. */
  leftAt: ReadonlyMap<string, number>;
  /** When the first part that is open there was opened; infinite where none is. */
  openedAt: number;
  /** Since when an outage of phones is told there; infinite while it is not. */
  outageSince: number;
  /** Those of them for whom it goes on. */
  open: readonly string[];
  /** A part of it is open there, whoever was told. */
  isOpen: boolean;
  /** It goes on in a source where nobody has it in hand. */
  isUntaken: boolean;
  /** It was told with certainty there what explains it. */
  isConfirmed: boolean;
}

/** `others` holds the alerts of each other source. */
export function elsewhereOf(
  alert: string,
  others: readonly (readonly (Pick<Alert, 'id' | 'status' | 'family' | 'title' | 'told'> & {
    suspected?: boolean;
    residual?: boolean;
    confirmed?: true;
    openedAt?: number;
    reopenedAt?: number;
    acknowledged?: Acknowledgement;
  })[])[],
): Elsewhere {
  const same = others.flatMap((alerts) => alerts.filter(({ id }) => id === alert));
  const receivers = (some: typeof same): [receiver: string, subject: string][] =>
    some.flatMap(({ title, told }) =>
      told.map(({ receiver, subject }): [string, string] => [receiver, subject ?? title]),
    );
  const open = receivers(same.filter(({ status }) => status === 'open'));
  const [heardAt, leftAt] = [new Map<string, number>(), new Map<string, number>()];
  let outageSince = Infinity;
  for (const part of same) {
    const { status, family, suspected = false, residual = false, openedAt = Infinity, reopenedAt = 0, told } = part;
    if (!suspected && family !== 'source') continue;
    // What is over is no part of what is lost now, and what has come back lasts from then on.
    if (suspected && status === 'open') outageSince = Math.min(outageSince, Math.max(openedAt, reopenedAt));
    for (const { receiver, at } of told) {
      heardAt.set(receiver, Math.max(at, heardAt.get(receiver) ?? 0));
      if (residual) leftAt.set(receiver, Math.max(at, leftAt.get(receiver) ?? 0));
    }
  }
  return {
    heardAt,
    leftAt,
    openedAt: findMinimum(same.flatMap(({ status, openedAt = Infinity }) => (status === 'open' ? [openedAt] : []))),
    outageSince,
    told: new Map(receivers(same)),
    open: [...new Set(open.map(([receiver]) => receiver))],
    isOpen: same.some(({ status }) => status === 'open'),
    isUntaken: same.some(({ status, acknowledged }) => status === 'open' && acknowledged === undefined),
    isConfirmed: same.some(({ confirmed }) => confirmed === true),
  };
}
