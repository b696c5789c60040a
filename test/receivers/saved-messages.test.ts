import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCompose, type Receiver } from '../../src/receivers/receiver.ts';
import { copyMail, saveCopies, copySlack } from '../../src/receivers/saved-messages.ts';
import { announced, NOW, opened, TIMEZONE } from '../support/messages.ts';

const alive = new AbortController().signal;
const clock = () => NOW;
const compose = createCompose({ timezone: TIMEZONE, instance: 'hq', externalUrl: null, clock });

let directory: string;
const sent: string[] = [];
const receiver: Receiver = {
  name: 'ops/../mail',
  type: 'email',
  audience: 'people',
  batch: 1,
  send: async (messages) => {
    sent.push(...messages.map((each) => each.id));
    return await Promise.resolve({ kind: 'delivered', detail: 'taken' });
  },
};

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'linewatch-copies-'));
  sent.length = 0;
});
afterEach(async () => await rm(directory, { recursive: true }));

describe('copies', () => {
  it('of a Slack payload are kept beside sending', async () => {
    const copying = saveCopies(receiver, {
      directory: join(directory, 'out'),
      copyOf: copySlack(compose),
      failed: (error) => expect.unreachable(String(error)),
    });
    expect(await copying.send([opened()], alive)).toEqual({ kind: 'delivered', detail: 'taken' });
    expect(sent).toEqual([opened().id]);
    const [file = '', ...others] = await readdir(join(directory, 'out'));
    expect(others).toEqual([]);
    expect(file).toMatch(/^20260324T034300Z-ops_.._mail-alert-12-notice\.opened-[0-9a-f]{8}\.json$/);
    expect(JSON.parse(await readFile(join(directory, 'out', file), 'utf8'))).toMatchObject({
      text: expect.stringContaining('Trouble'),
    });
    expect((await stat(join(directory, 'out', file))).mode & 0o777).toBe(0o600);
  });

  it('of a mail are the mail itself and its page', async () => {
    const copyOf = copyMail(compose, 'Linewatch <linewatch@example.test>', ['ops@example.test'], clock);
    const [mail, page] = await copyOf(announced());
    expect([mail?.extension, page?.extension]).toEqual(['eml', 'html']);
    const parsed = await PostalMime.parse(mail?.content ?? '');
    expect(parsed.subject).toBe('[Linewatch] Core router replacement in Melbourne');
    expect(parsed.attachments.map((each) => each.mimeType)).toContain('text/calendar');
    expect(page?.content).toContain('Planned maintenance');
  });

  it('that cannot be kept do not keep the message back', async () => {
    const blocked = join(directory, 'file');
    await writeFile(blocked, '');
    const problems: unknown[] = [];
    const copying = saveCopies(receiver, {
      directory: join(blocked, 'out'),
      copyOf: copySlack(compose),
      failed: (error) => problems.push(error),
    });
    expect(await copying.send([opened()], alive)).toMatchObject({ kind: 'delivered' });
    expect(problems).toHaveLength(1);
  });
});
