/** A member that stands by: it says so to whoever asks, and takes a new configuration like one that leads. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { startLinewatch, type LinewatchProcess } from '../support/linewatch-process.ts';
import { closedPort } from '../support/http-receiver.ts';
import { openSite, type Site, type SiteConfig } from '../support/site.ts';
import { startMember, type Member } from './members.ts';
import { startPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

const LEASE_MS = 4_000;
/** What is written to the descriptor of systemd's socket is kept in a file. */
const NOTIFYING = ['/bin/sh', '-c', 'exec 3>>notified; exec "$@"', 'sh'];

describe.skipIf(whyNoPostgres !== null)(
  `standing by${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`,
  () => {
    let postgres: RealPostgres;
    let site: Site;
    let config: SiteConfig;
    let one: Member;
    let two: LinewatchProcess;
    let folder: string;
    let page: string;

    beforeAll(async () => {
      [postgres, site] = [await startPostgres(), await openSite()];
      const receivers = site.config.receivers.filter(({ name }) => name === 'bus');
      config = { ...site.config, receivers, route: { receivers: ['bus'] } };
      one = await startMember('one', new URL(postgres.url), config, `${LEASE_MS}ms`);
      await one.process.logged('watching');
      folder = await mkdtemp(join(tmpdir(), 'linewatch-standby-'));
      const listen = `127.0.0.1:${await closedPort()}`;
      page = `http://${listen}`;
      config = { ...config, http: { listen } };
      await configured(config);
      two = startLinewatch(['run', '--config', 'linewatch.yaml'], {
        cwd: folder,
        within: NOTIFYING,
        env: { LINEWATCH_NOTIFY_FD: '3' },
      });
      await two.logged('standing by');
    });

    afterAll(async () => {
      two.signal('SIGKILL');
      await two.ended;
      await one[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    });

    async function configured(of: SiteConfig): Promise<void> {
      const database = { url: postgres.url, lease: `${LEASE_MS}ms`, member: 'two' };
      await writeFile(join(folder, 'linewatch.yaml'), stringify({ ...of, database }), { mode: 0o600 });
    }

    async function ready(): Promise<[number, string]> {
      const answer = await fetch(`${page}/readyz`);
      return [answer.status, (await answer.text()).trim()];
    }

    const notified = async (): Promise<string> => await readFile(join(folder, 'notified'), 'utf8');

    it('says so, with all members and what is known of them', async () => {
      await expect.poll(ready).toEqual([200, 'standing by: one leads']);
      const status = startLinewatch(['status', '--config', 'linewatch.yaml'], { cwd: folder });
      const { out } = await status.ended;
      expect(out).toContain('two stands by; one leads.');
      expect(out).toMatch(/one: leading \(epoch 1\), renewed [\d.]+ s ago, lag \d+ ms, version /);
      expect(out).toMatch(/two: standing by, heard of [\d.]+ s ago, lag \d+ ms, version /);
      expect(await (await fetch(page)).text()).toContain('one watches; two: standing by.');
    });

    it('stays as it is where a new configuration is wrong, and leads with the next that is not', async () => {
      await configured({ ...config, route: { receivers: ['nobody'] } });
      two.signal('SIGHUP');
      await two.logged('The new configuration is refused; the running one stays');
      await configured({ ...config, instance: 'another' });
      two.signal('SIGHUP');
      await two.logged('A new instance needs a restart; the running configuration stays');
      const slack = { name: 'ops-slack', type: 'slack', webhook_url: `${site.slack.url}/services/T0/B0/x` };
      await configured({
        ...config,
        receivers: [...config.receivers, slack],
        route: { receivers: ['bus', 'ops-slack'], group_wait: '0s' },
      });
      two.signal('SIGHUP');
      await two.logged('The configuration was read again');
      expect(await ready()).toEqual([200, 'standing by: one leads']);
      await one.stop();
      const [names] = [(await two.logged('watching'))['receivers']];
      expect(names).toEqual(['bus', 'ops-slack']);
      await expect.poll(ready).toEqual([200, 'ready']);
      const { data } = await site.event('linewatch.leader');
      expect([data.from, data.to]).toEqual(['one', 'two']);
      // The first time it was ready as it began to stand by.
      const said = await notified();
      expect([said.match(/RELOADING=1/g), said.match(/READY=1/g)].map((all) => all?.length)).toEqual([3, 4]);
    });

    it('says that it stops, to systemd and to the others', async () => {
      await one.start();
      const standsBy = `select standing from linewatch_member where name = 'one'`;
      await expect.poll(() => postgres.ask(standsBy)).toBe('standing by');
      await one.stop();
      expect(await postgres.ask(standsBy)).toBe('stopped');

      await one.start();
      two.signal('SIGTERM');
      expect(await two.ended).toMatchObject({ code: 0 });
      await one.process.logged('watching');
      const again = startLinewatch(['run', '--config', 'linewatch.yaml'], {
        cwd: folder,
        within: NOTIFYING,
        env: { LINEWATCH_NOTIFY_FD: '3' },
      });
      await again.logged('standing by');
      const before = (await notified()).length;
      again.signal('SIGTERM');
      expect(await again.ended).toMatchObject({ code: 0 });
      expect((await notified()).slice(before)).toContain('STOPPING=1');
    });
  },
);
