/** Exports and the monthly report of a history at its bound, under the memory limit of the unit. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { fillHistory } from '../support/full-history.ts';
import { closedPort } from '../support/http-receiver.ts';
import { startLinewatch, type LinewatchProcess } from '../support/linewatch-process.ts';
import { startMailbox, type Mailbox } from '../support/mailbox.ts';
import { openLimitedGroup, whyNoGroup, type LimitedGroup } from './memory-group.ts';

const absent = whyNoGroup();
const DAY = 24 * 3_600_000;
/** The history may have as much. */
const BYTES = 500_000_000;
const UNIT = readFileSync(join(import.meta.dirname, '../../systemd/linewatch.service'), 'utf8');
const LIMIT = Number(/^MemoryMax=(\d+)M$/m.exec(UNIT)?.[1]);
const LONGEST_MS = 400_000;
/** A month and a half ago, for the process that is started with it. */
const EARLIER = { NODE_OPTIONS: `--import=data:text/javascript,const{now}=Date;Date.now=()=>now()-${45 * DAY}` };

describe.skipIf(absent !== '')(`a history at its bound${absent && ` (skipped: ${absent})`}`, () => {
  const cwd = mkdtempSync(join(tmpdir(), 'linewatch-memory-limit-'));
  let mailbox: Mailbox;
  let group: LimitedGroup;
  let running: LinewatchProcess;
  let url: string;

  beforeAll(async () => {
    mailbox = await startMailbox();
    const listen = `127.0.0.1:${await closedPort()}`;
    url = `http://${listen}`;
    const smtp = { host: '127.0.0.1', port: mailbox.port, security: 'none' };
    const file = {
      state_dir: join(cwd, 'state'),
      http: { listen },
      // Nothing answers there, so nothing but the history takes memory.
      status_pages: [{ name: 'provider', base_url: `http://127.0.0.1:${await closedPort()}` }],
      receivers: [{ name: 'ops-mail', type: 'email', from: 'watch@example.com', to: ['ops@example.com'], smtp }],
      route: { receivers: ['ops-mail'] },
      report: { monthly: ['ops-mail'] },
    };
    mkdirSync(join(cwd, 'state'), { mode: 0o700 });
    writeFileSync(join(cwd, 'linewatch.yaml'), stringify(file));
    // Reports begin with the last whole month of their first start, so that one is due at the second.
    const first = startLinewatch(['run'], { cwd, env: EARLIER });
    await first.logged('watching');
    first.signal('SIGTERM');
    expect((await first.ended).code).toBe(0);
    await fillHistory({ directory: join(cwd, 'state'), until: Date.now() - 60_000, bytes: BYTES });
    group = openLimitedGroup(LIMIT);
    running = startLinewatch(['run'], { cwd, within: group.within });
    await running.logged('watching');
  }, LONGEST_MS);

  afterAll(async () => {
    running.signal('SIGKILL');
    await running.ended;
    group[Symbol.dispose]();
    await mailbox[Symbol.asyncDispose]();
    rmSync(cwd, { recursive: true });
  });

  /** Starts an export, and resolves once its first bytes are there. */
  async function open(path: string): Promise<{ read(): Promise<number> }> {
    const answer = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(LONGEST_MS) });
    expect([path, answer.status]).toEqual([path, 200]);
    const pieces = (answer.body ?? new ReadableStream<Uint8Array>()).values();
    let bytes = (await pieces.next()).value?.length ?? 0;
    return {
      async read() {
        for await (const piece of pieces) bytes += piece.length;
        return bytes;
      },
    };
  }

  async function expectAlive(): Promise<void> {
    expect(group.killed()).toBe(0);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  }

  it(
    `is mailed as a report, and exported whole while others read nothing, within ${LIMIT} MB`,
    { timeout: LONGEST_MS },
    async () => {
      const month = new Date().toISOString().slice(0, 7);
      // Exports are made one at a time: this one has begun when the others ask.
      const whole = await open('/history.csv');
      const others = ['/history.csv', `/report?month=${month}`, `/api/report?month=${month}`].map((path) =>
        get(`${url}${path}`, { agent: false }, (answer) => answer.pause().on('error', () => undefined)).on(
          'error',
          () => undefined,
        ),
      );
      expect(await whole.read()).toBeGreaterThan(BYTES / 2);
      for (const other of others) other.destroy();
      await mailbox.takes(1);
      expect(mailbox.mails.some(({ attachments }) => attachments.length > 0)).toBe(true);
      await expectAlive();
    },
  );

  it('is a report of the month as page, JSON and table', { timeout: LONGEST_MS }, async () => {
    const month = new Date(Date.now() - 30 * DAY).toISOString().slice(0, 7);
    for (const path of [`/report?month=${month}`, `/api/report?month=${month}`, `/report?month=${month}&format=csv`]) {
      const { read } = await open(path);
      expect(await read()).toBeGreaterThan(10_000);
    }
    await expectAlive();
  });
});
