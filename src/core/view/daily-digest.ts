/** The morning digest: open alerts, alerts resolved since yesterday, and a sign that Linewatch runs. */
import { createFacts } from '../alert/matchers.ts';
import { listReachableReceivers, type RoutedSource } from '../alert/route-coverage.ts';
import { type Occasion, findReached, type Route } from '../alert/route.ts';
import { SELF_NAME } from '../engine/self-source.ts';
import { formatCount } from '../text/plain.ts';
import { listKinds } from '../transition/kind.ts';
import { formatElapsed, formatTime, formatTimeWindow } from '../wording/time.ts';
import { formatBoxes, formatUnreadReports } from './standing/calls-view.ts';
import { isLate } from './verdict/known.ts';
import type { AccountView, OpenAlert, SystemStatus, ReceiverView, SourceView } from './system-status.ts';
import { computeVerdict } from './verdict/verdict.ts';

/** Receivers with the same sources. */
export interface Readers {
  /** Null for all receivers of the digest's route. */
  receivers: readonly string[] | null;
  /** Names of the sources; null for all. */
  sources: ReadonlySet<string> | null;
}

/** Facts for routing: an event about Linewatch itself without an alert. */
const DIGEST = createFacts([
  ['source', [[SELF_NAME]]],
  ['kind', [['linewatch.state']]],
  ['severity', [['info']]],
]);
const OCCASION = { severity: 'info', statuses: ['info'] } as const satisfies Occasion;

/**
 * A receiver reads only about sources whose alerts are routed to it: one customer must not read about phones of
 * another.
 */
export function groupDigestReaders(
  root: Route,
  sources: readonly (RoutedSource & Pick<SourceView, 'type'>)[],
): Readers[] {
  const readers = findReached(root, DIGEST, OCCASION).flatMap(({ receiver, wanted }) => (wanted ? [receiver] : []));
  const heard = sources.map((source) => ({
    name: source.name,
    by: listReachableReceivers(root, source, listKinds(source.type)),
  }));
  const sourcesOf = (receiver: string): string[] => heard.flatMap(({ name, by }) => (by.has(receiver) ? [name] : []));
  const alike = Map.groupBy(readers, (receiver) => JSON.stringify(sourcesOf(receiver)));
  const groups = [...alike.values()].map((receivers): Readers => {
    const known = new Set(receivers.slice(0, 1).flatMap(sourcesOf));
    return { receivers, sources: known.size === sources.length ? null : known };
  });
  return groups.every((group) => group.sources === null) ? [{ receivers: null, sources: null }] : groups;
}

/** `timezone`: of the readers; the status has only their sources. */
export function composeDigest(status: SystemStatus, timezone: string): { what: string; reason: string } {
  const { now, sources, open, ended, receivers } = status;
  const { losses, headline, split, todo } = computeVerdict({ ...status, timezone });
  const lines = [
    ...split,
    ...(losses === null ? [] : todo.map((each) => `To do: ${each}`)),
    ...open.map((alert) => `Open: ${named(alert)}, since ${formatTime(alert.startedAt, timezone, now)}`),
    ...ended.map(
      (alert) => `Ended: ${named(alert)}, ${formatTimeWindow(alert.startedAt, alert.endedAt, timezone, now)}`,
    ),
    ...sources.filter(isLate).map(unread),
    ...sources.flatMap((source) => (source.type === 'account' ? callLines(source, timezone, now) : [])),
    ...waitingFor(receivers),
  ];
  const what =
    `daily digest — ${sources.length === 0 ? 'Linewatch itself' : `watching ${formatCount(sources.length, 'source')}`}, ` +
    (losses === null ? '' : `${headline}, `) +
    `${open.length === 0 ? 'nothing' : open.length} open, ${ended.length === 0 ? 'nothing' : ended.length} ended in 24 hours`;
  return { what, reason: lines.join('\n') };
}

function named({
  number,
  severity,
  title,
  sources,
}: Pick<OpenAlert, 'number' | 'severity' | 'title' | 'sources'>): string {
  return `#${number} ${severity}: ${title} (${sources.join(', ')})`;
}

function unread({ name, lastReadAt, unreadMs }: SourceView): string {
  return lastReadAt === null
    ? `Not read in full since the start: ${name}`
    : `Not read in full for ${formatElapsed(unreadMs)}: ${name}`;
}

function callLines({ called, calls }: SourceView & AccountView, timezone: string, now: number): string[] {
  if (calls === undefined) return [];
  const lines = [...formatBoxes(calls, timezone, now), ...formatUnreadReports(calls, timezone, now)];
  return lines.map((line) => `${called}: ${line}`);
}

/** Configured receivers get waiting messages as soon as they can; removed ones need the operator. */
function waitingFor(receivers: readonly ReceiverView[]): string[] {
  const waiting = receivers.reduce((sum, receiver) => sum + (receiver.isRemoved ? 0 : receiver.waiting), 0);
  return [
    ...(waiting === 0 ? [] : [`${waits(waiting)} to be delivered`]),
    ...receivers.flatMap(({ name, isRemoved, waiting: left, refused }) => [
      ...(isRemoved && left > 0 ? [`${waits(left)} for ${name}, which is no longer configured`] : []),
      ...(refused === 0 ? [] : [`${formatCount(refused, 'message was', 'messages were')} refused for good by ${name}`]),
    ]),
  ];
}

function waits(count: number): string {
  return formatCount(count, 'message waits', 'messages wait');
}
