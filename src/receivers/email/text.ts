/** A briefing as the plain text of a mail. Lines are not broken: phones do that better. */
import type { Briefing } from '../../core/wording/briefing.ts';
import { quotesHeading, type List } from '../../core/wording/wording.ts';
import { quoteHeading, type MailParts } from './parts.ts';

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
    briefing.links.map((link) => `${link.text}: ${link.url}`).join('\n'),
    `-- \nLinewatch ${briefing.instance}`,
  ];
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`;
}

function bullets(list: List): string {
  return [`${list.label}:`, ...list.items.map((item) => `- ${item}`)].join('\n');
}
