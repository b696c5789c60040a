/** Renders a message as an event of PagerDuty's Events API v2, one incident for each alert. */
import type { MessageContent } from '../../core/wording/message-content.ts';
import { isMerge } from '../../core/wording/phones/merged-losses.ts';
import { fitItems, fitWords } from '../../core/wording/truncate.ts';
import { joinFirst, joinNames, truncate } from '../../core/text/plain.ts';
import { formatAuthorSays } from '../../core/wording/wording.ts';
import { isOnlyAcknowledged, type Message } from '../../core/outbox/message.ts';

/** PagerDuty's own limits: 1,024 characters for the summary, 512 kB for an event. */
const SUMMARY = 1024;
const WORDS = 20_000;

interface PagerDutyEvent {
  routing_key: string;
  event_action: 'trigger' | 'acknowledge' | 'resolve';
  dedup_key: string;
  client: 'Linewatch';
  payload?: {
    summary: string;
    source: string;
    severity: 'info' | 'warning' | 'critical';
    timestamp: string;
    component?: string;
    class: string;
    custom_details: Record<string, string>;
  };
  links?: { href: string; text: string }[];
}

/**
 * Null for a message without an alert. An update triggers again under the same key. So does a reminder: it joins the
 * open incident, or opens a new one if a person closed it while the alert is still open.
 */
export function renderPagerDuty(message: Message, content: MessageContent, routingKey: string): PagerDutyEvent | null {
  if (message.alert.number === null) return null;
  const common = { routing_key: routingKey, dedup_key: `linewatch-${message.alert.id}`, client: 'Linewatch' } as const;
  // An update after the end must not trigger again, and an alert that ends with its source must be resolved.
  if (message.alert.resolvedAt !== null) return { ...common, event_action: 'resolve' };
  if (content.status === 'info') return null;
  if (isOnlyAcknowledged(message)) return { ...common, event_action: 'acknowledge' };
  const last = message.changes.at(-1);
  // The title names what was open at the first sweep, for which there is no other change.
  const headline = last?.transition.kind === 'source.baseline' ? content.title : content.headline;
  const affected = content.lists.find((list) => list.affected)?.items ?? [];
  return {
    ...common,
    event_action: 'trigger',
    payload: {
      summary: truncate(`${headline} (${content.kicker})`, SUMMARY),
      source: `${content.instance}/${content.source}`,
      // The larger alert rings; the incident that is part of it from now on does not ring louder.
      severity: isMerge(message) ? 'info' : content.severity,
      timestamp: new Date(last?.transition.at ?? message.promisedAt).toISOString(),
      ...(affected.length === 0 ? {} : { component: joinNames(fitItems({ items: affected }, 200).items) }),
      class: last?.transition.kind ?? 'alert',
      custom_details: listDetails(content),
    },
    ...(content.links.length === 0 ? {} : { links: content.links.map(({ text, url }) => ({ href: url, text })) }),
  };
}

function listDetails(content: MessageContent): Record<string, string> {
  const fitted = fitWords(content.words, 20, WORDS, content.links.length > 0);
  const words = fitted.words.map((quote) =>
    [[quote.state, quote.at].filter((part) => part !== null).join(' · '), quote.text].join('\n'),
  );
  const entries = [
    ...content.facts.map((fact) => [fact.label, fact.text]),
    ...content.lists.map((list) => {
      const { items, more } = fitItems(list, 2000);
      return [list.label, joinFirst(items, more)];
    }),
    ...(content.sentences.length === 0 ? [] : [['What it means', content.sentences.join(' ')]]),
    ...(words.length === 0
      ? []
      : [[formatAuthorSays(content.words), [...words, ...(fitted.rest === null ? [] : [fitted.rest])].join('\n\n')]]),
    ...(content.record.length === 0 ? [] : [['Before', content.record.join('; ')]]),
    ...(content.remarks.length === 0 ? [] : [['About this message', content.remarks.join(' ')]]),
  ];
  return Object.fromEntries(entries) as Record<string, string>;
}
