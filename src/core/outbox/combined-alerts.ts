/** Combines alerts into one message: sources with a shared outage, and alerts that opened and ended while silenced. */
import type { OriginView } from '../observation/health.ts';
import { listFoldedAlerts, isSummary, type Message, type Sending, createSending, findTopic } from './message.ts';
import type { Announced } from './enqueue.ts';
import { MINUTE } from '../text/duration.ts';
import { formatCount } from '../text/plain.ts';
import { hashIdentity } from '../transition/transition.ts';
import { findWorst, SEVERITIES } from '../transition/kind.ts';
import type { FoldedAlert, StateDetails } from '../transition/details.ts';
import { findMaximum } from '../transition/collections.ts';

/**
 * Sources with a shared outage recover one after the other, within a sweep interval; their recoveries are collected for
 * this long.
 */
const RECOVERIES_WITHIN_MS = 2 * MINUTE;
/** Failures after the first one are collected for this long. */
const FAILURES_WITHIN_MS = 10_000;

/** Delays messages about a source, so that they are sent with those of other sources that share its outage. */
export function gatherOutage<T extends Announced>(announced: readonly T[], origin: OriginView | undefined): T[] {
  const isAnyDown = (origin?.down ?? 0) > 0;
  return announced.map((one) => {
    if (one.transition.kind === 'source.unreachable') return { ...one, joinMs: FAILURES_WITHIN_MS };
    return isAnyDown && one.transition.kind === 'source.recovered' ? { ...one, waitMs: RECOVERIES_WITHIN_MS } : one;
  });
}

/** A silence muted the message when it was enqueued. */
type WasMuted = (message: Message) => boolean;

/** The alert opened and ended while a silence muted it. */
export function isPassedInSilence(messages: readonly Message[], wasMuted: WasMuted): boolean {
  const opens = messages[0]?.first ?? false;
  const ended = messages.at(-1)?.alert.resolvedAt ?? null;
  return opens && ended !== null && messages.every((message) => wasMuted(message));
}

/** Summarises all alerts that opened and ended while silenced in one message. */
export function summarizeSilence(pending: readonly Message[], wasMuted: WasMuted): Sending {
  const alerts = Map.groupBy(
    pending.filter((message) => message.alert.number !== null && !isSummary(message)),
    findTopic,
  );
  return summarizeAlerts([...alerts.values()].filter((messages) => isPassedInSilence(messages, wasMuted)).flat());
}

/** One line for each alert; this many fit into the text limits of every medium. */
const FOLDED_ALERTS = 20;

/** Folds the waiting messages of the worst alerts into one. */
export function foldWorst(waiting: readonly Message[]): Sending {
  const alerts = [...Map.groupBy(waiting, findTopic).values()];
  const worst = SEVERITIES.toReversed().flatMap((severity) =>
    alerts.filter((messages) => messages.at(-1)?.alert.severity === severity),
  );
  return foldMessages(worst.slice(0, FOLDED_ALERTS).flat());
}

/** Id of the message that folds these. */
export function toFoldId(settles: readonly string[]): string {
  return hashIdentity('folded', settles);
}

/** Replaces these messages by one that settles them and shows the present state of each alert. */
export function foldMessages(parts: readonly Message[]): Sending {
  const latest = new Map(parts.map(({ alert }) => [`${alert.id} ${alert.source}`, alert]));
  const folded = [...latest.values()].map(({ number, severity, title, source, startedAt, resolvedAt }): FoldedAlert => {
    return { number: number ?? 0, severity, title, source, startedAt, resolvedAt };
  });
  const open = folded.filter(({ resolvedAt }) => resolvedAt === null);
  return replaceByOne(parts, {
    id: toFoldId(parts.map(({ id }) => id)),
    alert: {
      severity: findWorst(open.length > 0 ? open : folded),
      title: formatCount(folded.length, 'alert'),
      resolvedAt: null,
    },
    at: findMaximum(parts.map(({ promisedAt }) => promisedAt)),
    details: { reason: '', folded },
  });
}

/** Id of the summary that settles these messages. */
export function toSilenceId(settles: readonly string[]): string {
  return hashIdentity('silenced', settles);
}

/** Replaces these messages by one that settles them and lists the alerts that opened and ended. */
export function summarizeAlerts(passed: readonly Message[]): Sending {
  const ended = [...Map.groupBy(passed, findTopic).values()].flatMap((messages) =>
    messages.slice(-1).map(({ alert }) => alert),
  );
  const lines = ended.map((alert) => {
    const minutes = Math.round(((alert.resolvedAt ?? alert.startedAt) - alert.startedAt) / MINUTE);
    const lasted = minutes < 1 ? 'less than a minute' : `${minutes} min`;
    return `#${alert.number ?? ''} ${alert.severity}: ${alert.title} (${alert.source}), lasted ${lasted}`;
  });
  return replaceByOne(passed, {
    id: toSilenceId(passed.map(({ id }) => id)),
    alert: {
      severity: findWorst(ended),
      title: `${formatCount(ended.length, 'alert')} opened and ended while silenced`,
    },
    at: findMaximum(ended.map((alert) => alert.resolvedAt ?? alert.startedAt)),
    details: { reason: lines.join('\n') },
  });
}

interface Replacement {
  id: string;
  /** All other fields are those of the first message's alert. */
  alert: Pick<Message['alert'], 'severity' | 'title'> & Partial<Pick<Message['alert'], 'resolvedAt'>>;
  /** Epoch milliseconds. */
  at: number;
  details: StateDetails;
}

/** The new message belongs to no alert and has no number. */
function replaceByOne(parts: readonly Message[], { id, alert, at, details }: Replacement): Sending {
  const [first] = parts;
  if (first === undefined) return createSending([], []);
  const message: Message = {
    ...first,
    id,
    alert: { ...first.alert, source: 'linewatch', id, number: null, ...alert },
    changes: [
      {
        status: 'info',
        transition: {
          id,
          source: 'linewatch',
          subject: 'linewatch',
          kind: 'linewatch.state',
          from: null,
          to: alert.title,
          at,
          details,
        },
      },
    ],
    reminder: 0,
    first: true,
    replaces: 0,
    ...listFoldedAlerts(parts),
    unsaved: parts.some((one) => one.unsaved),
  };
  return createSending([message], parts);
}
