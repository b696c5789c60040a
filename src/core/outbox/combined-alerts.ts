/**
 * What is told in one message: sources behind one origin that fall and come back one after the other, and alerts that
 * opened and ended while silences muted them, which people hear of afterwards.
 */
import type { OriginView } from '../observation/health.ts';
import { foldedOf, isSummary, type Message, type Sending, sendingOf, topic } from './message.ts';
import type { Announced } from './enqueue.ts';
import { MINUTE } from '../text/duration.ts';
import { formatCount } from '../text/plain.ts';
import { hashIdentity } from '../transition/transition.ts';
import { findWorst, SEVERITIES } from '../transition/kind.ts';
import type { FoldedAlert, StateDetails } from '../transition/details.ts';
import { findMaximum } from '../transition/collections.ts';

/** Sources behind one origin come back one after the other, within an interval: people hear of that once. */
const RETURN_GATHERS_MS = 2 * MINUTE;
/** And those that fall after the first are told together. */
const FALLS_GATHER_MS = 10_000;

/** What is said of a source waits for what is said of the others behind its origin, where some are down. */
export function gatherOutage<T extends Announced>(announced: readonly T[], origin: OriginView | undefined): T[] {
  const isAnyDown = (origin?.down ?? 0) > 0;
  return announced.map((one) => {
    if (one.transition.kind === 'source.unreachable') return { ...one, joinMs: FALLS_GATHER_MS };
    return isAnyDown && one.transition.kind === 'source.recovered' ? { ...one, waitMs: RETURN_GATHERS_MS } : one;
  });
}

/** Whether a message was muted by a silence when it was promised. */
type WasHeld = (message: Message) => boolean;

/** Opened and ended while a silence muted it. */
export function passedInSilence(messages: readonly Message[], wasHeld: WasHeld): boolean {
  const opens = messages[0]?.first ?? false;
  const ended = messages.at(-1)?.alert.resolvedAt ?? null;
  return opens && ended !== null && messages.every((message) => wasHeld(message));
}

/** Everything that opened and ended inside silences, in one message. */
export function summaryOfSilence(pending: readonly Message[], wasHeld: WasHeld): Sending {
  const alerts = Map.groupBy(
    pending.filter((message) => message.alert.number !== null && !isSummary(message)),
    topic,
  );
  return summaryOf([...alerts.values()].filter((messages) => passedInSilence(messages, wasHeld)).flat());
}

/** As many fit into the text of any medium, each on a line. */
const FOLDED_ALERTS = 20;

/** The alerts that go out in one message, the worst first: everything that waits of each. */
export function foldWorst(waiting: readonly Message[]): Sending {
  const alerts = [...Map.groupBy(waiting, topic).values()];
  const worst = SEVERITIES.toReversed().flatMap((severity) =>
    alerts.filter((messages) => messages.at(-1)?.alert.severity === severity),
  );
  return foldMessages(worst.slice(0, FOLDED_ALERTS).flat());
}

/** The id of the message that folds these. */
export function toFoldId(settles: readonly string[]): string {
  return hashIdentity('folded', settles);
}

/** Replaces these messages by one that settles them and has the present state of each of their alerts. */
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

/** The id of the message that settles these. */
export function silenceId(settles: readonly string[]): string {
  return hashIdentity('silenced', settles);
}

/** Replaces these messages by one that settles them and lists what opened and ended. */
export function summaryOf(passed: readonly Message[]): Sending {
  const ended = [...Map.groupBy(passed, topic).values()].flatMap((messages) =>
    messages.slice(-1).map(({ alert }) => alert),
  );
  const lines = ended.map((alert) => {
    const minutes = Math.round(((alert.resolvedAt ?? alert.startedAt) - alert.startedAt) / MINUTE);
    const lasted = minutes < 1 ? 'less than a minute' : `${minutes} min`;
    return `#${alert.number ?? ''} ${alert.severity}: ${alert.title} (${alert.source}), lasted ${lasted}`;
  });
  return replaceByOne(passed, {
    id: silenceId(passed.map(({ id }) => id)),
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
  /** The rest is that of the first message's alert. */
  alert: Pick<Message['alert'], 'severity' | 'title'> & Partial<Pick<Message['alert'], 'resolvedAt'>>;
  /** Epoch milliseconds. */
  at: number;
  details: StateDetails;
}

/** The one message is about no alert and has no number. */
function replaceByOne(parts: readonly Message[], { id, alert, at, details }: Replacement): Sending {
  const [first] = parts;
  if (first === undefined) return sendingOf([], []);
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
    ...foldedOf(parts),
    unsaved: parts.some((one) => one.unsaved),
  };
  return sendingOf([message], parts);
}
