/**
 * A briefing as a Slack payload: a header, and one attachment whose colour is the severity. All text objects
 * are `plain_text`, so nothing a provider writes can mention, link or format; all sizes stay below Slack's
 * limits by construction. Source of the limits: Slack's Block Kit reference; the sum over a payload, which it
 * does not give, was found by others at 13,200 characters with containers, hence `TOTAL`.
 */
import type {
  ActionsBlock,
  ContextBlock,
  HeaderBlock,
  KnownBlock,
  MessageAttachment,
  PlainTextElement,
  SectionBlock,
} from '@slack/types';
import type { Briefing } from '../../briefing/briefing.ts';
import { fitItems, fitWords } from '../../briefing/fit.ts';
import type { Link } from '../../briefing/link.ts';
import { oneLine } from '../../briefing/text.ts';
import { quotesHeading, type List, type Quote } from '../../briefing/wording.ts';
import { ESCAPED, escape } from './escape.ts';

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
const LIST = 700;
const LISTS = 3;
const UPDATES = 20;

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
  /** Slack's older switches, which still keep it from reading names and addresses in `text`. */
  mrkdwn: false;
  link_names: false;
  unfurl_links: false;
  unfurl_media: false;
}

export function renderSlack(briefing: Briefing): SlackPayload {
  const headline = text(briefing.headline, SLACK_LIMITS.header);
  const fallback = text(fallbackText(briefing), FALLBACK);
  const head: HeaderBlock = { type: 'header', text: headline };
  const before = [
    context([briefing.kicker, ...briefing.remarks]),
    ...sentences(briefing),
    ...fields(briefing),
    ...lists(briefing),
  ];
  const after = [...actions(briefing.links), context([`Linewatch ${briefing.instance}`])];
  const used = [head, ...before, ...after].reduce(
    (sum, block) => sum + textLength(block),
    headline.text.length + fallback.text.length,
  );
  return {
    text: fallback.text,
    blocks: [head],
    attachments: [
      {
        color: COLOURS[briefing.tone],
        fallback: headline.text,
        blocks: [...before, ...words(briefing, TOTAL - used), ...after],
      },
    ],
    mrkdwn: false,
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
  };
}

function text(content: string, limit: number): PlainTextElement {
  return { type: 'plain_text', text: escape(ESCAPED.cut(content, limit)) || ' ', emoji: false };
}

/** What a phone's lock screen and a screen reader say: the headline first, then what is needed to judge it. */
function fallbackText(briefing: Briefing): string {
  const facts = briefing.facts.filter((each) => ['Since', 'Lasted', 'Window', 'Now'].includes(each.label));
  const latest = briefing.words.at(-1);
  const affects = briefing.lists.find((each) => each.label === 'Affects');
  const parts = [
    `${briefing.headline} (${briefing.kicker})`,
    ...facts.map((each) => `${each.label}: ${each.text}`),
    ...(affects === undefined ? [] : [inline(affects, 150)]),
    ...(latest === undefined ? [] : [`“${ESCAPED.cut(oneLine(latest.text), 160)}”`]),
    ...briefing.remarks,
  ];
  return parts.map((part) => (/[.!?…][”]?$/.test(part) ? part : `${part}.`)).join(' ');
}

function context(elements: readonly string[]): ContextBlock {
  return { type: 'context', elements: elements.slice(0, 5).map((element) => text(element, CONTEXT)) };
}

function section(content: string, limit: number): SectionBlock {
  return { type: 'section', text: text(content, limit) };
}

function sentences(briefing: Briefing): SectionBlock[] {
  return briefing.sentences.length === 0 ? [] : [section(briefing.sentences.join('\n'), SENTENCES)];
}

function fields(briefing: Briefing): SectionBlock[] {
  const facts = briefing.facts.slice(0, FIELDS).map((fact) => text(`${fact.label}: ${fact.text}`, FIELD));
  return facts.length === 0 ? [] : [{ type: 'section', fields: facts }];
}

function inline(list: List, limit: number): string {
  const { items, more } = fitItems(list.items, limit, ESCAPED);
  return `${list.label}: ${items.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function lines(list: List, limit: number): string {
  const { items, more } = fitItems(list.items, limit, ESCAPED);
  return [`${list.label}:`, ...items.map((item) => `• ${item}`), ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

function lists(briefing: Briefing): SectionBlock[] {
  // The heading, the bullets and "and 12 more" come on top of what the items may take.
  return briefing.lists
    .slice(0, LISTS)
    .map((list) => section(list.inline ? inline(list, LIST - 200) : lines(list, LIST - 200), LIST));
}

/** The provider's words, in as few sections as they fit. */
function words(briefing: Briefing, room: number): KnownBlock[] {
  if (briefing.words.length === 0) return [];
  const heading = quotesHeading(briefing.words);
  const perUpdate = 90;
  const linked = briefing.links.length > 0;
  const budget = room - CONTEXT - heading.length - perUpdate * Math.min(briefing.words.length, UPDATES);
  // One update must fit one section together with its heading.
  const longest = SLACK_LIMITS.section - perUpdate;
  const { words: fitted, rest } = fitWords(briefing.words, UPDATES, budget, linked, ESCAPED, longest);
  return [
    context([heading]),
    ...pack(fitted.map(quoted)).map((each) => section(each, SLACK_LIMITS.section)),
    ...(rest === null ? [] : [context([rest])]),
  ];
}

function quoted(quote: Quote): string {
  const heading = [quote.state, quote.at].filter((part) => part !== null).join(' · ');
  return heading === '' ? quote.text : `${ESCAPED.cut(heading, 80)}\n${quote.text}`;
}

function pack(entries: readonly string[]): string[] {
  const packed: string[] = [];
  for (const entry of entries) {
    const last = packed.at(-1);
    const joined = last === undefined ? entry : `${last}\n\n${entry}`;
    if (last !== undefined && ESCAPED.size(joined) <= SLACK_LIMITS.section) packed[packed.length - 1] = joined;
    else packed.push(entry);
  }
  return packed;
}

function actions(links: readonly Link[]): ActionsBlock[] {
  if (links.length === 0) return [];
  return [
    {
      type: 'actions',
      elements: links.slice(0, 5).map((link, index) => ({
        type: 'button',
        action_id: `open-${index}`,
        text: text(link.text, SLACK_LIMITS.button),
        url: link.url,
      })),
    },
  ];
}

/** The sum of all text in a block. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + textLength(each), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, each]) => sum + (key === 'text' && typeof each === 'string' ? each.length : textLength(each)),
    0,
  );
}
