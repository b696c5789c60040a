/**
 * What of several alerts is told in one message. Sources that cannot be read at the same time are one trouble: those
 * behind one origin, or, when it is all of them, Linewatch's own way out. Programs hear of each; people get one message
 * with the list. And alerts that opened and ended while silences muted them: people hear of them afterwards.
 */
import type { Alert } from '../alert/alert.ts';
import type { OriginView } from '../observation/health.ts';
import { foldedOf, isSummary, type Message, type Sending, sendingOf, topic } from './message.ts';
import type { Announced } from './enqueue.ts';
import { MINUTE } from '../text/duration.ts';
import { plural } from '../text/plain.ts';
import { identity } from '../transition/transition.ts';
import { worstOf } from '../transition/kind.ts';
import { greatest } from '../transition/long-lists.ts';

/** Sources behind one origin come back one after the other, within an interval: people hear of that once. */
const RETURN_GATHERS_MS = 2 * MINUTE;
/** What was told of them in one message is repeated in one. */
const REMINDERS_GATHER_MS = 10_000;

const OUTAGE_KINDS = ['source.unreachable', 'source.recovered'] as const;

/** The kind of an outage, whether it is a reminder of one, and the origin it concerns; null for every other message. */
export function outageOf(
  message: Message,
): { kind: (typeof OUTAGE_KINDS)[number]; isReminder: boolean; origin: string } | null {
  const [change, ...more] = message.changes;
  if (change === undefined || more.length > 0) return null;
  const { transition } = change;
  if (transition.kind !== 'source.unreachable' && transition.kind !== 'source.recovered') return null;
  return {
    kind: transition.kind,
    isReminder: message.reminder > 0,
    origin: originOf(transition.details.base_url),
  };
}

/**
 * The messages that say the same of other sources as `first` does: behind its origin, or everywhere when it is
 * everything. Of each source only what is next of it, or its second outage would be told before the end of the first.
 */
export function sameOutage(pending: readonly Message[], first: Message, sources: readonly string[]): Message[] {
  const outage = outageOf(first);
  if (outage === null) return [];
  /** The alert of each source whose messages may come along; null once something else of it has to go first. */
  const open = new Map<string, string | null>();
  const alike = pending.filter((message) => {
    const other = outageOf(message);
    if (other === null) return false;
    const { source, id } = message.alert;
    const isAlike = other.kind === outage.kind && other.isReminder === outage.isReminder;
    const comesAlong = isAlike && (!open.has(source) || open.get(source) === id);
    open.set(source, comesAlong ? id : null);
    return comesAlong;
  });
  const concerned = new Set(alike.map(({ alert }) => alert.source));
  const everything = sources.length > 1 && sources.every((source) => concerned.has(source));
  return everything ? alike : alike.filter((message) => outageOf(message)?.origin === outage.origin);
}

/** The title of the one message; null where it is of no outage, or concerns one source only. */
export function outageTitle(messages: readonly Message[], sources: readonly string[]): string | null {
  const concerned = new Set(messages.map(({ alert }) => alert.source));
  if (concerned.size < 2 || messages.some((message) => outageOf(message) === null)) return null;
  const origins = new Set(messages.map((message) => outageOf(message)?.origin));
  const [origin] = origins;
  const everything = origins.size > 1 && sources.every((source) => concerned.has(source));
  return everything
    ? 'Linewatch itself cannot reach anything'
    : `${concerned.size} sources behind ${origin ?? 'one address'} are unreachable`;
}

function originOf(baseUrl: string): string {
  return /^https?:\/\/[^/]+/i.exec(baseUrl)?.[0] ?? baseUrl;
}

/** The return of a source waits for that of the others behind its origin, where some are still down. */
export function gatherReturns<T extends Announced>(announced: readonly T[], origin: OriginView | undefined): T[] {
  if ((origin?.down ?? 0) === 0) return [...announced];
  return announced.map((one) =>
    one.transition.kind === 'source.recovered' ? { ...one, waitMs: RETURN_GATHERS_MS } : one,
  );
}

/** How long the reminder of an alert waits for those of the others behind the origin, in milliseconds. */
export function reminderWait(origin: OriginView | undefined): (alert: Pick<Alert, 'family'>) => number {
  const waitMs = (origin?.down ?? 0) > 0 ? REMINDERS_GATHER_MS : 0;
  return (alert) => (alert.family === 'source' ? waitMs : 0);
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

/** The id of the message that settles these. */
export function silenceId(settles: readonly string[]): string {
  return identity('silenced', settles);
}

/** One message in place of these, which settles all of them; it is about no alert and has no number. */
export function summaryOf(passed: readonly Message[]): Sending {
  const [first] = passed;
  if (first === undefined) return sendingOf([], []);
  const settles = passed.map(({ id }) => id);
  const ended = [...Map.groupBy(passed, topic).values()].flatMap((messages) =>
    messages.slice(-1).map(({ alert }) => alert),
  );
  const what = `${plural(ended.length, 'alert')} opened and ended while silenced`;
  const lines = ended.map((alert) => {
    const minutes = Math.round(((alert.resolvedAt ?? alert.startedAt) - alert.startedAt) / MINUTE);
    const lasted = minutes < 1 ? 'less than a minute' : `${minutes} min`;
    return `#${alert.number ?? ''} ${alert.severity}: ${alert.title} (${alert.source}), lasted ${lasted}`;
  });
  const id = silenceId(settles);
  const at = greatest(ended.map((alert) => alert.resolvedAt ?? alert.startedAt));
  const severity = worstOf(ended);
  const message: Message = {
    ...first,
    id,
    alert: { ...first.alert, source: 'linewatch', id, number: null, severity, title: what },
    changes: [
      {
        status: 'info',
        transition: {
          id,
          source: 'linewatch',
          subject: 'linewatch',
          kind: 'linewatch.state',
          from: null,
          to: what,
          at,
          details: { reason: lines.join('\n') },
        },
      },
    ],
    reminder: 0,
    first: true,
    replaces: 0,
    ...foldedOf(passed),
    unsaved: passed.some((one) => one.unsaved),
  };
  return sendingOf([message], passed);
}
