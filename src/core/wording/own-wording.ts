/** Wording of Linewatch's own events: failed receivers, its state on disk, its configuration. */
import { type Kind, SEVERITIES } from '../transition/kind.ts';
import { formatCount, formatList, toOneLine, toPlainText } from '../text/plain.ts';
import type { FoldedAlert } from '../transition/details.ts';
import { formatElapsed, parseInstant } from './time.ts';
import {
  createLink,
  createList,
  createMomentFact,
  cleanName,
  createWording,
  type Setting,
  type WordingTable,
  type Wording,
} from './wording.ts';

const SELF_NAME = 'Linewatch itself';

export const selfWording: WordingTable<
  Extract<Kind, `alert.${string}` | `receiver.${string}` | `linewatch.${string}`>
> = {
  'alert.acknowledged'({ to, details: { title, comment, releasedBy = '' } }) {
    const thing = cleanName(title);
    if (to === null) {
      return createWording(`${cleanName(releasedBy)} has released it: ${thing}`, thing, {
        where: 'your own people',
        standing: 'it is not acknowledged',
        sentences: ['Reminders go on until somebody acknowledges it again.'],
      });
    }
    return createWording(`${cleanName(to)} has it: ${thing}`, thing, {
      where: 'your own people',
      standing: `${cleanName(to)} has it`,
      sentences: [
        ...(toOneLine(comment) === '' ? [] : [`${cleanName(to)} says: ${toOneLine(comment)}`]),
        'Nobody is reminded of it any more, unless it worsens. You are still told if it grows, and when it ends.',
      ],
    });
  },

  'receiver.failed'({ to, details }) {
    return createWording(`Deliveries to ${details.receiver} fail: ${toOneLine(to)}`, details.receiver, {
      where: SELF_NAME,
      standing: 'deliveries to it fail',
      sentences: [
        `What did not reach ${details.receiver} is kept until this is mended.`,
        '“linewatch deliveries list” shows them; “retry” sends them again, “drop” gives them up.',
      ],
    });
  },

  'receiver.recovered'({ details }) {
    return createWording(`${details.receiver} takes our messages again`, details.receiver, {
      where: SELF_NAME,
      standing: 'it takes our messages again',
      sentences: [
        'What waited for it is on its way. What it refused waits for “linewatch deliveries retry” or “drop”.',
      ],
    });
  },

  'receiver.unproved'({ details: { receiver, seen } }, setting) {
    return createWording(`Nobody has shown that messages to ${receiver} are read`, receiver, {
      where: SELF_NAME,
      standing: 'nobody has shown that its messages are read',
      facts: createMomentFact('Last proved', parseInstant(seen), setting),
      sentences: [
        'For 24 hours nobody has opened the link of its weekly message, or acknowledged an alert.',
        `Ask its readers whether they got the message; “linewatch notify test ${receiver}” sends another one.`,
      ],
    });
  },

  'receiver.proved'({ details: { receiver } }) {
    return createWording(`Messages to ${receiver} are read`, receiver, {
      where: SELF_NAME,
      standing: 'its messages are read',
      sentences: ['Somebody has opened its link, or acknowledged an alert.'],
    });
  },

  'linewatch.state'({ to, details }, setting) {
    if (details.folded !== undefined) return describeFolded(details.folded, setting);
    return createWording(`Linewatch: ${toOneLine(to)}`, 'Linewatch', {
      where: SELF_NAME,
      ...splitReason(details.reason, to),
      ...(details.proof !== undefined && { links: createLink('Seen', details.proof.url) }),
    });
  },

  'linewatch.config'({ to, details }) {
    return createWording(`Linewatch’s configuration: ${toOneLine(to)}`, 'Linewatch’s configuration', {
      where: SELF_NAME,
      ...splitReason(details.reason, to),
    });
  },

  'linewatch.leader'({ from, to, details }) {
    return createWording(`Linewatch: ${toOneLine(to)} watches in place of ${toOneLine(from)}`, 'Linewatch', {
      where: SELF_NAME,
      ...splitReason(details.reason, to),
    });
  },
};

/** Several alerts in one message: a count, then a line for each. */
function describeFolded(folded: readonly FoldedAlert[], { customer }: Setting): Wording {
  const open = folded.filter(({ resolvedAt }) => resolvedAt === null);
  const counts = SEVERITIES.toReversed().flatMap((severity) => {
    const count = open.filter((one) => one.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  const over = folded.length - open.length;
  const parts = [...counts, ...(over === 0 ? [] : [`${over} over`])];
  const lines = folded.map(({ number, severity, title, source, startedAt, resolvedAt }) => {
    const how = resolvedAt === null ? severity : `over after ${formatElapsed(Math.max(0, resolvedAt - startedAt))}`;
    const whose = customer(source);
    const name = whose === null || title.includes(cleanName(whose)) ? '' : `${cleanName(whose)}: `;
    return `#${number} ${how}: ${name}${toOneLine(title)}`;
  });
  return createWording(
    `${formatCount(folded.length, 'alert')} in one message: ${formatList(parts, Infinity)}`,
    'Linewatch',
    {
      where: SELF_NAME,
      sentences: ['This medium takes only so many messages, so several alerts share one.'],
      lists: createList('Alerts', lines, false),
    },
  );
}

/** A single line is a sentence; several lines are a list. */
function splitReason(text: string, headline: string): Pick<Wording, 'sentences' | 'lists'> {
  const lines = toPlainText(text)
    .split('\n')
    .filter((line) => line !== '' && line !== toOneLine(headline));
  return lines.length > 1
    ? { sentences: [], lists: createList('In particular', lines, false) }
    : { sentences: lines, lists: [] };
}
