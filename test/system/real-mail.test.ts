/** What is sent to real servers: Postfix takes it, Dovecot threads it, and another program reads its calendar. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message } from '../../src/core/outbox/message.ts';
import { createReceiver } from '../../src/receivers/create.ts';
import type { Outcome } from '../../src/receivers/receiver.ts';
import { announced, cancelled, NOW, opened, recovering, rescheduled, resolved, TIMEZONE } from '../support/messages.ts';
import { CERTIFICATE, LOGIN, missingForMail, startMailServers, type MailServers } from './mail-servers.ts';

const PYTHON = '/usr/bin/python3';
const missing = missingForMail();
const noCalendar = spawnSync(PYTHON, ['-c', 'import icalendar']).status !== 0;

/** Reads one mail from stdin and tells what Debian's icalendar finds in its calendar part. */
const READ_CALENDAR = `
import email, icalendar, json, sys
parts = [p for p in email.message_from_bytes(sys.stdin.buffer.read()).walk() if p.get_content_type() == "text/calendar"]
calendar = icalendar.Calendar.from_ical(parts[0].get_payload(decode=True))
event = calendar.walk("VEVENT")[0]
print(json.dumps({
  "parts": len(parts), "method": str(calendar["METHOD"]), "uid": str(event["UID"]), "sequence": int(event["SEQUENCE"]),
  "status": str(event.get("STATUS", "")), "start": event.decoded("DTSTART").isoformat(), "errors": [str(e) for e in event.errors],
}))
`;

/** The numbers of each outermost parenthesis: `(1 (2)(4))(3 5)` is two threads. */
function threadsOf(text: string): number[][] {
  const threads: number[][] = [];
  let depth = 0;
  for (const [token] of text.matchAll(/[()]|\d+/g)) {
    if (token === '(' && depth === 0) threads.push([]);
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    else threads.at(-1)?.push(Number(token));
  }
  return threads.map((thread) => thread.toSorted((a, b) => a - b)).toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
}

interface Choice {
  to?: readonly string[];
  ca?: string | null;
  password?: string;
}

describe.skipIf(missing !== null)(`Postfix and Dovecot${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let started: MailServers | undefined;
  beforeAll(async () => {
    started = await startMailServers();
  });
  afterAll(async () => {
    await started?.[Symbol.asyncDispose]();
  });

  function theServers(): MailServers {
    if (started === undefined) throw new Error('the mail servers are not running');
    return started;
  }

  async function send(
    message: Message,
    { to = ['ops@example.test'], ca = readFileSync(CERTIFICATE, 'utf8'), password = LOGIN.password }: Choice = {},
  ): Promise<Outcome> {
    const receiver = createReceiver(
      {
        type: 'email',
        name: 'ops',
        smtp: {
          host: 'localhost',
          port: theServers().smtpPort,
          security: 'starttls',
          username: LOGIN.username,
          password,
          ca,
        },
        from: 'Linewatch <linewatch@example.test>',
        to,
      },
      { timezone: TIMEZONE, instance: 'hq', externalUrl: null, clock: () => NOW, names: () => null },
    );
    return await receiver.send([message], new AbortController().signal);
  }

  test('take mails over STARTTLS with an authority of our own and a password, and thread them by alert', async () => {
    for (const message of [opened(), recovering(), announced(), resolved(), rescheduled(), cancelled()]) {
      expect(await send(message)).toMatchObject({ kind: 'delivered' });
    }
    const mails = await theServers().takes(6);
    expect(mails.every((mail) => mail.includes('ESMTPSA'))).toBe(true);

    const said = await theServers().imap([
      'SELECT INBOX',
      'THREAD REFERENCES UTF-8 ALL',
      'FETCH 1:* (BODY.PEEK[HEADER.FIELDS (SUBJECT)])',
    ]);
    const threads = /^\* THREAD (.*)\r$/m.exec(said)?.[1] ?? said;
    const groups = threadsOf(threads);
    // The incident is one thread and the work is another one, each beginning with the mail that opened it.
    expect(groups).toEqual([
      [1, 2, 4],
      [3, 5, 6],
    ]);
  });

  test.skipIf(noCalendar)(
    `${noCalendar ? '(skipped: python3-icalendar is not on this machine) ' : ''}hand on a calendar that another program follows from plan to cancellation`,
    async () => {
      const mails = (await theServers().takes(6)).filter((mail) => mail.includes('text/calendar'));
      const read = mails.map((mail) => {
        const { stdout, stderr, status } = spawnSync(PYTHON, ['-c', READ_CALENDAR], { input: mail, encoding: 'utf8' });
        expect(status, stderr).toBe(0);
        return JSON.parse(stdout) as {
          method: string;
          uid: string;
          sequence: number;
          status: string;
          start: string;
          errors: string[];
        };
      });
      read.sort((a, b) => a.sequence - b.sequence);
      expect(read).toHaveLength(3);
      expect(new Set(read.map(({ uid }) => uid)).size).toBe(1);
      expect(new Set(read.map(({ sequence }) => sequence)).size).toBe(3);
      expect(read.map(({ method }) => method)).toEqual(['REQUEST', 'REQUEST', 'CANCEL']);
      expect(read.at(-1)?.status).toBe('CANCELLED');
      expect(read[0]?.start).not.toBe(read[1]?.start);
      expect(read.flatMap(({ errors }) => errors)).toEqual([]);
    },
  );

  test('a recipient who is busy is tried again alone, one who does not exist is named, and the others have it', async () => {
    const to = ['later@example.test', 'ops@example.test'];
    expect(await send(opened(), { to })).toMatchObject({ kind: 'transient', remaining: ['later@example.test'] });
    expect(await send(opened(), { to: ['nobody-here@example.test', 'ops@example.test'] })).toMatchObject({
      kind: 'permanent',
      remaining: ['nobody-here@example.test'],
    });
    expect(await send(opened(), { to: ['nobody-here@example.test'] })).toMatchObject({
      kind: 'permanent',
      reason: expect.stringContaining('nobody-here@example.test') as string,
    });
    await theServers().takes(8);
  });

  test('a wrong password is refused for good, and is not repeated in the reason', async () => {
    const outcome = await send(opened(), { password: 'a wrong secret' });
    expect(outcome).toMatchObject({
      kind: 'permanent',
      reason: expect.stringContaining('user name and password') as string,
    });
    expect(JSON.stringify(outcome)).not.toContain('a wrong secret');
  });

  test('a certificate that nobody here trusts gets no mail', async () => {
    expect(await send(opened(), { ca: null })).toMatchObject({
      kind: 'transient',
      reason: expect.stringContaining('certificate') as string,
    });
  });
});
