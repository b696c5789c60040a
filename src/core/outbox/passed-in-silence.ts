/** Alerts that opened and ended while silences muted them: people hear of them afterwards, in one message. */
import { MINUTE } from '../text/duration.ts';
import { plural } from '../text/plain.ts';
import { identity } from '../transition/transition.ts';
import { worse, type Severity } from '../transition/kind.ts';
import { greatest } from '../transition/long-lists.ts';
import type { Message } from './message.ts';
import { foldedOf, isSummary, sendingOf, topic, type Sending } from './sending.ts';

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
  const severity = ended.reduce<Severity>((worst, alert) => worse(worst, alert.severity), 'info');
  const message: Message = {
    ...first,
    id,
    alert: { ...first.alert, id, number: null, severity, title: what },
    changes: [
      {
        status: 'info',
        transition: {
          id,
          source: first.alert.source,
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
