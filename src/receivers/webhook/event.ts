/**
 * Renders a message as CloudEvents 1.0, one event for each transition, in order. Field names are a public interface.
 */
import type { Message } from '../../core/outbox/message.ts';
import { NO_FACTS, reportFacts } from '../../core/view/story/facts-report.ts';
import type { FactsReport } from '../../core/view/story/alert-schema.ts';
import type { Severity, Status } from '../../core/transition/kind.ts';
import { toTimestamp } from '../../core/transition/details.ts';

export interface CloudEvent {
  specversion: '1.0';
  /** Id of the transition: the same on every retry, for every receiver, after a crash. */
  id: string;
  source: string;
  type: string;
  subject: string;
  time: string;
  datacontenttype: 'application/json';
  data: {
    alert: {
      id: string;
      number: number | null;
      /** Effect of this transition on the alert. */
      status: Status;
      severity: Severity;
      title: string;
      started_at: string | null;
      resolved_at: string | null;
      /** Id of the alert that caused this one. */
      caused_by: string | null;
    } & FactsReport;
    from: unknown;
    to: unknown;
    details: unknown;
    reminder: number;
    /** The disk failed, so the event may be repeated after a restart. Absent if it is saved. */
    unsaved?: boolean;
  };
}

/** The event's id is the transition's, so that receivers can deduplicate retries. */
export function toCloudEvents(message: Message, instance: string): CloudEvent[] {
  const { alert, reminder, unsaved, facts } = message;
  const phase = alert.resolvedAt === null ? 'open' : 'resolved';
  const known = reportFacts(facts ?? { ...NO_FACTS, phase });
  return message.changes.map(({ transition, status }) => ({
    specversion: '1.0',
    id: transition.id,
    source: `/linewatch/${encodeURIComponent(instance)}/${encodeURIComponent(transition.source)}`,
    type: `linewatch.${transition.kind}`,
    subject: transition.subject,
    time: new Date(transition.at).toISOString(),
    datacontenttype: 'application/json',
    data: {
      alert: {
        id: alert.id,
        number: alert.number,
        status,
        severity: alert.severity,
        title: alert.title,
        started_at: toTimestamp(alert.startedAt),
        resolved_at: toTimestamp(alert.resolvedAt),
        caused_by: alert.cause,
        ...known,
      },
      from: transition.from,
      to: transition.to,
      details: transition.details,
      reminder,
      ...(unsaved && { unsaved }),
    },
  }));
}
