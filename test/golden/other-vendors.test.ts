/**
 * What people read of the page of another vendor, in every kind of message and on every channel: it calls that page by
 * its name and never speaks of “the provider”, who is the reader's own.
 */
import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/core/outbox/message.ts';
import { KINDS } from '../../src/core/transition/kind.ts';
import { composeContent, type MessageContent } from '../../src/core/wording/message-content.ts';
import { createSampleMessage } from '../../src/core/wording/samples/samples.ts';
import { renderMail } from '../../src/receivers/email/render.ts';
import { renderPagerDuty } from '../../src/receivers/pagerduty/render.ts';
import { renderSlack } from '../../src/receivers/slack/render.ts';
import { renderTerminal } from '../../src/receivers/terminal/render.ts';
import { NOW, TIMEZONE } from '../support/messages.ts';
import { RARE_STORIES } from '../support/rare-stories.ts';
import { STORIES } from '../support/stories.ts';

/** Of a status page; what a vendor refuses is refused to an account or to a page, which has no credentials. */
const OF_A_PAGE = /^(?:page|component|notice|maintenance|source)\./;
const OF_AN_ACCOUNT = ['source.credentials', 'source.accepted'];

function isOfPage({ changes }: Message): boolean {
  return changes.every(
    ({ transition: { kind, details } }) =>
      OF_A_PAGE.test(kind) && !OF_AN_ACCOUNT.includes(kind) && !('account' in details),
  );
}

/** The same as it comes from the page “carrier”. */
function atCarrier(message: Message): Message {
  return {
    ...message,
    alert: { ...message.alert, source: 'carrier', title: message.alert.title.replaceAll('“provider”', '“carrier”') },
    changes: message.changes.map(({ transition, status }) => ({
      status,
      transition: { ...transition, source: 'carrier', vendor: true },
    })),
  };
}

function compose(message: Message, now: number): MessageContent {
  const page = (source: string) => ({ source, url: 'https://status.example.test/', vendor: true }) as const;
  return composeContent(message, { timezone: TIMEZONE, instance: 'hq', externalUrl: null, now, page });
}

/** On every channel for people. */
function rendered(message: Message, now: number): string[] {
  const told = compose(message, now);
  const mail = renderMail(message, told, { organizer: 'linewatch@example.test', attendees: ['ops@example.test'] });
  return [
    JSON.stringify(told),
    `${mail.subject}\n${mail.text}`,
    mail.html,
    mail.calendar?.content.replaceAll('\r\n ', '') ?? '',
    JSON.stringify(renderSlack(told)),
    renderTerminal(told, { width: 80, colour: false }),
    JSON.stringify(renderPagerDuty(message, told, 'key')),
  ];
}

const SAMPLED = KINDS.map(
  (kind) => [kind, () => ({ message: createSampleMessage(kind, 'ops', NOW), now: NOW })] as const,
);
const TOLD = Object.entries({ ...STORIES, ...RARE_STORIES, ...Object.fromEntries(SAMPLED) });
const OF_PAGES = TOLD.filter(([, story]) => isOfPage(story().message));

test('every kind of a page is among them', () => {
  const kinds = new Set(OF_PAGES.flatMap(([, story]) => story().message.changes.map((each) => each.transition.kind)));
  const wanted = KINDS.filter((kind) => OF_A_PAGE.test(kind) && !OF_AN_ACCOUNT.includes(kind));
  expect(wanted.filter((kind) => !kinds.has(kind))).toEqual([]);
});

describe.each(OF_PAGES)('%s', (_, story) => {
  const { message, now } = story();

  test('never speaks of the provider', () => {
    const found = rendered(atCarrier(message), now).flatMap((text) => text.match(/.{0,60}provider.{0,60}/gi) ?? []);
    expect(found).toEqual([]);
  });

  test('names the page where the provider would be named', () => {
    const [own, others] = [message, atCarrier(message)].map((each) => {
      const { headline, sentences } = compose(each, now);
      return [headline, ...sentences];
    });
    const places = (own ?? []).flatMap((sentence, index) => (/the provider\b/i.test(sentence) ? [index] : []));
    expect(places.filter((index) => others?.[index]?.includes('“carrier”') !== true)).toEqual([]);
  });
});

test('a vendor, who may only remove a notice, is not said to tell its end', () => {
  const story = STORIES['notice-recovering'];
  if (story === undefined) throw new RangeError('no such story');
  const { message, now } = story();
  const end = 'Recovering is not an all-clear: we tell you when';
  expect(compose(atCarrier(message), now).sentences).toEqual([`${end} “carrier” no longer shows it as open.`]);
  const ours = composeContent(message, { timezone: TIMEZONE, instance: 'hq', externalUrl: null, now });
  expect(ours.sentences).toEqual([`${end} the provider says that it is over.`]);
});
