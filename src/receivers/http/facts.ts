/** Values of placeholders: facts of a message, and its rendered texts. */
import { defuse } from '../../core/text/defuse.ts';
import { toOneLine } from '../../core/text/plain.ts';
import type { Message } from '../../core/outbox/message.ts';
import type { MessageContent } from '../../core/wording/message-content.ts';
import { toAlertUrl } from '../../core/wording/wording.ts';
import { renderAdaptiveCard } from '../rendering/card.ts';
import { measureBy } from '../rendering/pieces.ts';
import type { Json, Preset } from './preset.ts';
import { HTML, renderText, createMarkdownStyle, PLAIN, createSizeMeasure, renderSms } from '../rendering/texts.ts';

/** Maximum length of a text without a limit of its own. */
const LONGEST = 15_000;
const LONGEST_TITLE = 1000;

interface FactInput {
  message: Message;
  content: MessageContent;
  preset: Preset;
  /** Address of Linewatch's page, or null. */
  externalUrl: string | null;
  /** 1, or less to shorten texts if the whole body was too long. */
  scale: number;
}

type ReadFact = (input: FactInput) => Json | undefined;

/** Facts by name, computed on demand. */
const FACTS: Readonly<Record<string, ReadFact>> = {
  title: (input) => shortenTitle(input, input.content.title),
  headline: (input) => shortenTitle(input, input.content.headline),
  subject: (input) => shortenTitle(input, formatThreadSubject(input)),
  kicker: (input) => shortenTitle(input, input.content.kicker),
  severity: ({ content }) => content.severity,
  status: ({ content }) => content.status,
  tone: ({ content }) => content.tone,
  number: ({ message }) => message.alert.number ?? undefined,
  source: ({ content }) => toOneLine(content.source),
  instance: ({ content }) => toOneLine(content.instance),
  url: ({ content }) => content.links.at(-1)?.url,
  ack_url: ({ message, externalUrl }) =>
    externalUrl === null ? undefined : (toAlertUrl(externalUrl, message.alert) ?? undefined),
  dedup_key: ({ message }) => `linewatch-${message.alert.id}`,
  message_id: ({ message }) => message.id,
  at: ({ message }) => new Date(message.changes.at(-1)?.transition.at ?? message.promisedAt).toISOString(),
  text: (input) => renderText(input.content, PLAIN, computeRoom(input), input.preset.limits.of),
  markdown: (input) =>
    renderText(input.content, createMarkdownStyle(input.preset.markdown), computeRoom(input), input.preset.limits.of),
  html: (input) => renderText(input.content, HTML, computeRoom(input), input.preset.limits.of),
  card: (input) => renderAdaptiveCard(input.content, computeRoom(input)),
  gsm7: ({ content }) => renderSms(content),
};

/** Names of all facts. */
export const FACT_NAMES: readonly string[] = Object.keys(FACTS);

function computeRoom({ preset: { limits }, scale }: FactInput): number {
  return Math.floor((limits.text ?? Math.min(LONGEST, limits.body ?? LONGEST)) * scale);
}

function shortenTitle({ preset: { limits }, scale }: FactInput, text: string): string {
  const size = createSizeMeasure(limits.of);
  return measureBy(size).cut(defuse(toOneLine(text)), Math.floor((limits.title ?? LONGEST_TITLE) * scale));
}

/** Subject of the thread about the alert, the same in all its messages. */
function formatThreadSubject({ message: { subject, alert }, content }: FactInput): string {
  return [content.number ?? '', subject ?? (alert.number === null ? content.headline : content.title)].join(' ').trim();
}

/** Undefined if the message has no such fact. */
export function findFact(name: string, input: FactInput): Json | undefined {
  return Object.hasOwn(FACTS, name) ? FACTS[name]?.(input) : undefined;
}
