/**
 * Renders a message as a Slack payload: a header, and one attachment coloured by severity. Labels are bold, and times
 * are shown in each reader's time zone. Text of a provider cannot mention, link or format: a text with anything that
 * could be markup is sent as `plain_text`.
 * All sizes stay below Slack's limits (Slack's Block Kit reference). The limit of a whole payload is undocumented;
 * others found 13,200 characters with containers, hence `TOTAL`.
 */
import type {
  ActionsBlock,
  ContextBlock,
  HeaderBlock,
  KnownBlock,
  MessageAttachment,
  SectionBlock,
} from '@slack/types';
import type { MessageContent } from '../../core/wording/message-content.ts';
import { fitItems, fitWords, type FittedItems } from '../../core/wording/truncate.ts';
import { formatQuotesHeading, type Fact, type Link, type Quote } from '../../core/wording/wording.ts';
import { joinFirst, formatRest, toOneLine } from '../../core/text/plain.ts';
import {
  formatBold,
  createBoldText,
  formatDate,
  escapeMarkup,
  ESCAPED,
  isUnmarked,
  createMarkdown,
  createPlainText,
  type SlackText,
} from './text-objects.ts';

export const SLACK_LIMITS = {
  header: 150,
  section: 3000,
  fields: 10,
  field: 2000,
  buttons: 25,
  button: 75,
  blocks: 50,
  total: 9000,
} as const;

const TOTAL = 8900;
const FALLBACK = 700;
const CONTEXT = 300;
const SENTENCES = 800;
const FIELD = 160;
const FIELDS = 8;
const LIST = 1200;
const LISTS = 4;
/** Maximum number of updates, two blocks each. */
const UPDATES = 15;
const LABEL = 60;
/** Space for a label and a date with its fallback text. */
const HEADING = 160;

const COLOURS = {
  info: '#2f6fba',
  warning: '#d98200',
  critical: '#c62828',
  resolved: '#2e7d32',
  ended: '#6b6b6b',
} as const;

export interface SlackPayload {
  text: string;
  blocks: KnownBlock[];
  attachments: MessageAttachment[];
  /** Older switches of Slack that keep it from parsing names and addresses in `text`. */
  mrkdwn: false;
  link_names: false;
  unfurl_links: false;
  unfurl_media: false;
}

/** The payload is within Slack's limits, whatever the message contains. */
export function renderSlack(content: MessageContent): SlackPayload {
  const headline = createPlainText(content.headline, SLACK_LIMITS.header);
  const fallback = createPlainText(formatFallback(content), FALLBACK);
  const head: HeaderBlock = { type: 'header', text: headline };
  const before = [
    createContext([content.kicker, ...content.remarks]),
    ...renderSentences(content),
    ...renderFields(content),
    ...renderLists(content),
  ];
  const record = content.record.length === 0 ? [] : [createContext(content.record)];
  const after = [...record, ...renderActions(content.links), createContext([`Linewatch ${content.instance}`])];
  const used = [head, ...before, ...after].reduce(
    (sum, block) => sum + countTextLength(block),
    headline.text.length + fallback.text.length,
  );
  return {
    text: fallback.text,
    blocks: [head],
    attachments: [
      {
        color: COLOURS[content.tone],
        fallback: headline.text,
        blocks: [...before, ...renderQuotes(content, TOTAL - used), ...after],
      },
    ],
    mrkdwn: false,
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
  };
}

/** Text for lock screens and screen readers: the headline first, then the facts needed to judge it. */
function formatFallback(content: MessageContent): string {
  const facts = content.facts.filter((each) => each.atAGlance);
  const latest = content.words.at(-1);
  const affects = content.lists.find((each) => each.affected);
  const parts = [
    `${content.headline} (${content.kicker})`,
    ...facts.map((each) => `${each.label}: ${each.text}`),
    ...(affects === undefined ? [] : [`${affects.label}: ${formatInline(fitItems(affects, 150, ESCAPED))}`]),
    ...(latest === undefined ? [] : [`“${ESCAPED.cut(toOneLine(latest.text), 160)}”`]),
    ...content.remarks,
  ];
  return parts.map((part) => (/[.!?…][”]?$/.test(part) ? part : `${part}.`)).join(' ');
}

function createContext(elements: readonly string[]): ContextBlock {
  return { type: 'context', elements: elements.slice(0, 5).map((element) => createPlainText(element, CONTEXT)) };
}

function createSection(text: SlackText): SectionBlock {
  return { type: 'section', text };
}

function renderSentences(content: MessageContent): SectionBlock[] {
  return content.sentences.length === 0
    ? []
    : [createSection(createPlainText(content.sentences.join('\n'), SENTENCES))];
}

/**
 * Label and value share a text if the value is unmarked. Values with possible markup come first, as rows of label and
 * value: they are usually the provider's own terms, and worth reading.
 */
function renderFields(content: MessageContent): SectionBlock[] {
  const facts = content.facts.slice(0, FIELDS);
  const together = facts.flatMap((fact) => createField(fact) ?? []);
  const apart = facts
    .filter((fact) => createField(fact) === null)
    .flatMap(({ label, text }) => [createBoldText(`${label}:`, LABEL), createPlainText(text, FIELD)]);
  const sections = [apart.slice(0, SLACK_LIMITS.fields), apart.slice(SLACK_LIMITS.fields), together];
  return sections.filter((each) => each.length > 0).map((each) => ({ type: 'section', fields: each }));
}

function createField({ label, text, moments }: Fact): SlackText | null {
  if (!isUnmarked(label)) return null;
  const heading = formatBold(`${label}:`, LABEL);
  if (moments !== undefined) return createMarkdown(`${heading} ${moments.map(formatDate).join(' – ')}`);
  return isUnmarked(text) ? createMarkdown(`${heading} ${escapeMarkup(ESCAPED.cut(text, FIELD))}`) : null;
}

function formatInline({ items, more }: FittedItems): string {
  return joinFirst(items, more);
}

function formatLines({ items, more }: FittedItems): string {
  return [...items.map((item) => `• ${item}`), ...formatRest(more)].join('\n');
}

function renderLists(content: MessageContent): KnownBlock[] {
  return content.lists.slice(0, LISTS).flatMap((list) => {
    // Reserves space for the heading, the bullets and "and 12 more".
    const shown = fitItems(list, LIST - 200, ESCAPED);
    const text = list.inline ? formatInline(shown) : formatLines(shown);
    if ([list.label, ...shown.items].every(isUnmarked)) {
      const whole = `${formatBold(`${list.label}:`, LABEL)}${list.inline ? ' ' : '\n'}${escapeMarkup(text)}`;
      return [createSection(createMarkdown(whole))];
    }
    const heading: ContextBlock = { type: 'context', elements: [createBoldText(`${list.label}:`, LABEL)] };
    return [heading, createSection(createPlainText(text, LIST))];
  });
}

/** Texts of the provider, each under its state and time. */
function renderQuotes(content: MessageContent, room: number): KnownBlock[] {
  if (content.words.length === 0) return [];
  const heading = formatQuotesHeading(content.words);
  const budget = room - CONTEXT - heading.length - HEADING * Math.min(content.words.length, UPDATES);
  const linked = content.links.length > 0;
  const { words: fitted, rest } = fitWords(content.words, UPDATES, budget, linked, ESCAPED, SLACK_LIMITS.section);
  return [
    { type: 'context', elements: [createBoldText(heading, CONTEXT)] },
    ...fitted.flatMap(renderQuote),
    ...(rest === null ? [] : [createContext([rest])]),
  ];
}

function renderQuote({ state, at, moment, text }: Quote): KnownBlock[] {
  const elements = [
    ...(state === null ? [] : [createBoldText(state, LABEL)]),
    ...(at === null || moment === undefined ? [] : [createMarkdown(formatDate({ at: moment, text: at }))]),
  ];
  const words = createSection(createPlainText(text, SLACK_LIMITS.section));
  return elements.length === 0 ? [words] : [{ type: 'context', elements }, words];
}

function renderActions(links: readonly Link[]): ActionsBlock[] {
  if (links.length === 0) return [];
  return [
    {
      type: 'actions',
      elements: links.slice(0, 5).map((link, index) => ({
        type: 'button',
        action_id: `open-${index}`,
        text: createPlainText(link.text, SLACK_LIMITS.button),
        url: link.url,
      })),
    },
  ];
}

/** Length of all text in a block. */
function countTextLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + countTextLength(each), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, each]) => sum + (key === 'text' && typeof each === 'string' ? each.length : countTextLength(each)),
    0,
  );
}
