/** What both forms of a mail show, already cut to size, so that they say the same; and its plain text. */
import type { Briefing } from '../../core/wording/briefing.ts';
import { CHARACTERS, fitItems, fitWords } from '../../core/wording/fit.ts';
import { quotesHeading, type List, type Quote } from '../../core/wording/wording.ts';
import { formatRest } from '../../core/text/plain.ts';

export interface MailParts {
  words: Quote[];
  rest: string | null;
  lists: List[];
}

/** Some clients cut a mail off at 100 kB of HTML; this stays well below it. */
const WORDS = 24_000;
/** Less than is kept of a text: so one that was cut when it was read is always marked as cut. */
const UPDATE = 15_000;
const UPDATES = 50;
const LIST = 3000;

/** `rest` says what was left out of the texts; a list says so in its last item. */
export function mailParts(briefing: Briefing): MailParts {
  const { words, rest } = fitWords(briefing.words, UPDATES, WORDS, briefing.links.length > 0, CHARACTERS, UPDATE);
  const lists = briefing.lists.map(({ items, ...list }) => {
    const { items: shown, more } = fitItems(items, LIST);
    return { ...list, items: [...shown, ...formatRest(more)] };
  });
  return { words, rest, lists };
}

/** Empty where neither its state nor its time is known. */
export function quoteHeading(quote: Quote): string {
  return [quote.state, quote.at].filter((part) => part !== null).join(' · ');
}

/** Lines are not broken: phones do that better. */
export function textMail(briefing: Briefing, { words, rest, lists }: MailParts): string {
  const facts = [
    ...briefing.facts.map((fact) => `${fact.label}: ${fact.text}`),
    ...lists.filter((list) => list.inline).map((list) => `${list.label}: ${list.items.join(', ')}`),
  ];
  const said = words.flatMap((quote) => [
    [quoteHeading(quote), ...quote.text.split('\n').map((line) => `> ${line}`.trimEnd())]
      .filter((line) => line !== '')
      .join('\n'),
  ]);
  const paragraphs = [
    `${briefing.headline}\n${briefing.kicker}`,
    briefing.remarks.join('\n'),
    briefing.sentences.join('\n'),
    facts.join('\n'),
    ...lists.filter((list) => !list.inline).map(bullets),
    ...(said.length === 0 ? [] : [quotesHeading(words), ...said]),
    rest ?? '',
    briefing.record.join('\n'),
    briefing.links.map((link) => `${link.text}: ${link.url}`).join('\n'),
    `-- \nLinewatch ${briefing.instance}`,
  ];
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`;
}

function bullets(list: List): string {
  return [`${list.label}:`, ...list.items.map((item) => `- ${item}`)].join('\n');
}
