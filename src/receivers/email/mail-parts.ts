/** Shortened parts of a mail, shared by its HTML and its plain text; and the plain text itself. */
import type { MessageContent } from '../../core/wording/message-content.ts';
import { CHARACTERS, fitItems, fitWords } from '../../core/wording/truncate.ts';
import { formatQuotesHeading, type List, type Quote } from '../../core/wording/wording.ts';
import { joinNames, formatRest } from '../../core/text/plain.ts';

export interface MailParts {
  words: Quote[];
  rest: string | null;
  lists: List[];
}

/** Some clients truncate a mail at 100 kB of HTML; this limit stays well below it. */
const WORDS = 24_000;
/** Less than the maximum of a stored text, so that a text truncated when it was read is marked as shortened. */
const UPDATE = 15_000;
const UPDATES = 50;
const LIST = 3000;

/** `rest` names the omitted texts; a list ends with the number of its omitted items. */
export function fitMailParts(content: MessageContent): MailParts {
  const { words, rest } = fitWords(content.words, UPDATES, WORDS, content.links.length > 0, CHARACTERS, UPDATE);
  const lists = content.lists.map((list) => {
    const { items, more } = fitItems(list, LIST);
    return { ...list, items: [...items, ...formatRest(more)] };
  });
  return { words, rest, lists };
}

/** Empty if neither state nor time is known. */
export function formatQuoteHeading(quote: Quote): string {
  return [quote.state, quote.at].filter((part) => part !== null).join(' · ');
}

/** Plain text without line wrapping, which mail clients do better. */
export function renderTextMail(content: MessageContent, { words, rest, lists }: MailParts): string {
  const facts = [
    ...content.facts.map((fact) => `${fact.label}: ${fact.text}`),
    ...lists.filter((list) => list.inline).map((list) => `${list.label}: ${joinNames(list.items)}`),
  ];
  const said = words.flatMap((quote) => [
    [formatQuoteHeading(quote), ...quote.text.split('\n').map((line) => `> ${line}`.trimEnd())]
      .filter((line) => line !== '')
      .join('\n'),
  ]);
  const paragraphs = [
    `${content.headline}\n${content.kicker}`,
    content.remarks.join('\n'),
    content.sentences.join('\n'),
    facts.join('\n'),
    ...lists.filter((list) => !list.inline).map(formatBullets),
    ...(said.length === 0 ? [] : [formatQuotesHeading(words), ...said]),
    rest ?? '',
    content.record.join('\n'),
    content.links.map((link) => `${link.text}: ${link.url}`).join('\n'),
    `-- \nLinewatch ${content.instance}`,
  ];
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`;
}

function formatBullets(list: List): string {
  return [`${list.label}:`, ...list.items.map((item) => `- ${item}`)].join('\n');
}
