/**
 * An alert of Alertmanager's API v2. Labels are its identity there, so they contain facts only. The provider's text
 * goes into annotations, which may change.
 * Source: prometheus.io, "Alerts API" and "Sending alerts".
 */
import { SEVERITIES, type Severity } from '../../core/transition/kind.ts';
import type { Message } from '../../core/outbox/message.ts';
import { toAlertUrl } from '../../core/wording/wording.ts';
import type { MessageContent } from '../../core/wording/message-content.ts';
import { toOneLine } from '../../core/text/plain.ts';
import { renderText, PLAIN } from '../rendering/texts.ts';

export interface PostedAlert {
  labels: Readonly<Record<string, string>>;
  annotations: Readonly<Record<string, string>>;
  startsAt: string;
  endsAt: string;
  generatorURL?: string;
}

export interface MessageOrigin {
  instance: string;
  customer: string | null;
  externalUrl: string | null;
  /** Epoch milliseconds. */
  now: number;
}

/** Alertmanager resolves the alert after this time, unless it is sent again. */
const LASTS_MS = 5 * 60_000;
const TEXT = 4000;

/** An open alert gets an end in the future that every repetition moves; an ended alert has its real end. */
export function renderAlert({ alert }: Message, content: MessageContent, origin: MessageOrigin): PostedAlert {
  const { instance, customer, externalUrl, now } = origin;
  const url = externalUrl === null ? null : toAlertUrl(externalUrl, alert);
  return {
    labels: createLabels(alert, alert.severity, { instance, customer }),
    annotations: {
      summary: toOneLine(content.headline),
      description: renderText(content, PLAIN, TEXT, 'utf16'),
    },
    startsAt: toTime(Math.min(alert.startedAt, now)),
    endsAt: toTime(alert.resolvedAt === null ? now + LASTS_MS : Math.min(alert.resolvedAt, now)),
    ...(url !== null && { generatorURL: url }),
  };
}

/** Resolves the same alert under its other severities, which Alertmanager treats as separate alerts. */
export function endOthers({ alert }: Message, posted: PostedAlert, now: number): PostedAlert[] {
  return SEVERITIES.filter((severity) => severity !== alert.severity).map((severity) => ({
    ...posted,
    labels: { ...posted.labels, severity },
    endsAt: toTime(now),
  }));
}

function createLabels(
  { number, source }: Message['alert'],
  severity: Severity,
  { instance, customer }: Pick<MessageOrigin, 'instance' | 'customer'>,
): PostedAlert['labels'] {
  return {
    alertname: 'Linewatch',
    alert: String(number),
    instance,
    source,
    severity,
    ...(customer !== null && { customer }),
  };
}

function toTime(at: number): string {
  return new Date(at).toISOString();
}
