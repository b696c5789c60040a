/** A report that was promised is made when its mail goes out, and attached to it as a page. */
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Message } from '../../src/core/outbox/message.ts';
import { createReceiver } from '../../src/receivers/create.ts';
import type { MailedReport } from '../../src/receivers/receiver.ts';
import { CERTIFICATE, smtpPeer, type SmtpPeer } from './smtp-peer.ts';

const NOW = Date.parse('2026-11-01T08:00:00Z');
const MADE: MailedReport = {
  name: 'linewatch-report-2026-10.html',
  html: '<!doctype html><p>100 %',
  text: 'October 2026',
};

let peer: SmtpPeer;

beforeEach(async () => {
  peer = await smtpPeer();
});
afterEach(async () => await peer.close());

function send(report: (month: string) => Promise<MailedReport>, details: object) {
  const smtp = {
    host: '127.0.0.1',
    port: peer.port,
    security: 'starttls',
    username: null,
    password: null,
    ca: CERTIFICATE,
  } as const;
  const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, clock: () => NOW, timeoutMs: 5000, report };
  const receiver = createReceiver(
    { type: 'email', name: 'mail', smtp, from: 'linewatch@example.test', to: ['ops@example.test'] },
    setting,
  );
  const alert = {
    id: 'a',
    number: null,
    source: 'linewatch',
    severity: 'info',
    title: 'Linewatch',
    startedAt: NOW,
    resolvedAt: null,
    cause: null,
  } as const;
  const told = {
    id: 't',
    source: 'linewatch',
    subject: 'linewatch',
    at: NOW,
    from: null,
    to: 'the report of October 2026',
  } as const;
  const transition = { ...told, kind: 'linewatch.state', details: { reason: 'It is attached.', ...details } } as const;
  const message: Message = {
    id: 'm',
    receiver: 'mail',
    alert,
    changes: [{ transition, status: 'info' }],
    reminder: 0,
    promisedAt: NOW,
    dueAt: NOW,
    first: true,
    replaces: 0,
    unsaved: false,
  };
  return receiver.send([message], new AbortController().signal);
}

const PROMISED = { report: { month: '2026-10', receivers: ['mail'] } };

it('is attached to the mail that promises it', async () => {
  const asked: string[] = [];
  const make = (month: string): Promise<MailedReport> => {
    asked.push(month);
    return Promise.resolve(MADE);
  };
  expect(await send(make, PROMISED)).toMatchObject({ kind: 'delivered' });
  expect(asked).toEqual(['2026-10']);
  const mail = await PostalMime.parse(peer.received[0]?.source ?? '');
  expect(mail.subject).toBe('[Linewatch] Linewatch: the report of October 2026');
  expect(mail.text).toContain('October 2026');
  expect(mail.attachments).toMatchObject([{ filename: MADE.name, mimeType: 'text/html', disposition: 'attachment' }]);
  const content = mail.attachments[0]?.content ?? '';
  expect(typeof content === 'string' ? content : new TextDecoder().decode(content)).toContain('100 %');
});

it('waits where it cannot be made now', async () => {
  const outcome = await send(() => Promise.reject(new Error('locked')), PROMISED);
  expect(outcome).toMatchObject({ kind: 'transient', reason: 'the report cannot be made: its history cannot be read' });
  expect(peer.received).toEqual([]);
});

it('is in no other mail', async () => {
  expect(await send(() => Promise.reject(new Error('nobody asks')), {})).toMatchObject({ kind: 'delivered' });
  const mail = await PostalMime.parse(peer.received[0]?.source ?? '');
  expect(mail.attachments).toEqual([]);
});
