/** A new notice says at its end how often its components were hit before, in every medium for people, and as a field. */
import { describe, expect, it } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import type { Message } from '../../../src/core/outbox/message.ts';
import type { RecordDetails } from '../../../src/core/transition/notice-details.ts';
import { fitMailParts, renderTextMail } from '../../../src/receivers/email/mail-parts.ts';
import { renderHtmlMail } from '../../../src/receivers/email/html-mail.ts';
import { renderSlack } from '../../../src/receivers/slack/render.ts';
import { renderTerminal } from '../../../src/receivers/terminal/render.ts';
import { toCloudEvents } from '../../../src/receivers/webhook/event.ts';
import { change, message, notice, NOW, TIMEZONE } from '../../support/messages.ts';

const HOUR = 3_600_000;
const LINE = 'SIP Trunks: 7 incidents in 12 months, median 2 h 10 min';

function record(id: string, name: string, more: Partial<RecordDetails> = {}): RecordDetails {
  return { id, name, incidents: 7, months: 12, since: '2025-03-24T03:43:00.000Z', median_ms: 7_800_000, ...more };
}

function opened(records: RecordDetails[] | undefined, rest: Partial<Message> = {}): Message {
  const details = notice({}, records === undefined ? {} : { record: records });
  return message([change('notice.opened', 'notice/9', { from: null, to: 'investigating', details }, 'open')], {}, rest);
}

function told(given: Message) {
  return composeContent(given, { timezone: TIMEZONE, instance: 'hq', externalUrl: null, now: NOW });
}

describe('what came before', () => {
  it('stands last, for people and for programs', () => {
    const given = opened([record('1', 'SIP Trunks')]);
    expect(told(given).record).toEqual([LINE]);
    const content = told(given);
    const blocks = renderSlack(content).attachments[0]?.blocks ?? [];
    const at = blocks.findIndex((block) => JSON.stringify(block).includes(LINE));
    expect(blocks.slice(at + 1).map(({ type }) => type)).toEqual(['actions', 'context']);
    const parts = fitMailParts(content);
    expect(renderTextMail(content, parts).trimEnd().split('\n\n').at(-3)).toBe(LINE);
    expect(renderHtmlMail(content, parts, 'x').indexOf(LINE)).toBeGreaterThan(
      renderHtmlMail(content, parts, 'x').indexOf('Affects'),
    );
    expect(renderTerminal(content, { width: 80, colour: false })).toContain(LINE);
    expect(toCloudEvents(given, 'hq')[0]?.data.details).toMatchObject({
      record: [{ id: '1', incidents: 7, months: 12 }],
    });
  });

  it('is not said where nobody knows, nor by a reminder', () => {
    expect(told(opened(undefined)).record).toEqual([]);
    const reminder = opened([record('1', 'SIP Trunks')], { reminder: 1, promisedAt: NOW - HOUR, dueAt: NOW });
    expect(told(reminder).record).toEqual([]);
  });

  it('names three components and counts the others; a name of the provider’s stays one line', () => {
    const names = ['SIP\nTrunks', 'SMS', 'Portal', 'Voicemail', 'Fax'];
    const many = names.map((name, index) => record(String(index), name, { median_ms: null, incidents: 9 - index }));
    expect(told(opened(many)).record).toEqual([
      'SIP Trunks: 9 incidents in 12 months',
      'SMS: 8 incidents in 12 months',
      'Portal: 7 incidents in 12 months',
      'and 2 components more with incidents before',
    ]);
  });
});
