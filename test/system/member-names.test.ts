/** Who takes part: one process a name, and a member that is gone is forgotten when somebody says so. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { startLinewatch } from '../support/linewatch-process.ts';
import { openSite, type Site } from '../support/site.ts';
import { startMember, type Member } from './members.ts';
import { startPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

const LEASE = '4s';

describe.skipIf(whyNoPostgres !== null)(
  `names of members${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`,
  () => {
    let postgres: RealPostgres;
    let site: Site;
    let one: Member;
    let two: Member;

    beforeAll(async () => {
      [postgres, site] = [await startPostgres(), await openSite()];
      one = await startMember('one', new URL(postgres.url), site.config, LEASE);
      await one.process.logged('watching');
      two = await startMember('two', new URL(postgres.url), site.config, LEASE);
    });

    afterAll(async () => {
      for (const member of [one, two]) await member[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    });

    const standing = (name: string): Promise<string> =>
      postgres.ask(`select standing from linewatch_member where name = '${name}'`);

    it('belong to one process: a clone of a machine is refused, and the first goes on', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'linewatch-clone-'));
      try {
        const database = { url: postgres.url, lease: LEASE, member: 'one' };
        await writeFile(join(folder, 'linewatch.yaml'), stringify({ ...site.config, database }), { mode: 0o600 });
        const { code, err } = await startLinewatch(['run', '--config', 'linewatch.yaml'], { cwd: folder }).ended;
        expect(code).toBe(1);
        expect(err).toContain(
          'Another process takes part as one: give each member a name of its own with database.member.',
        );
      } finally {
        await rm(folder, { recursive: true });
      }
      expect(await standing('one')).toBe('leading');
      site.judgePace();
    });

    it('are listed, with what each leads and when it was heard of', async () => {
      const listed = async (): Promise<string> => await two.shows('member', 'list');
      await expect.poll(listed).toMatch(/^one: leading \(epoch 1\), renewed [\d.]+ s ago, lag \d+ ms, version /);
      expect(await listed()).toMatch(/^two: standing by, heard of [\d.]+ s ago/m);
      const out = await two.shows('member', 'list', '--json');
      expect(JSON.parse(out)).toMatchObject({ leader: 'one', all: [{ name: 'one', share: 1 }, { name: 'two' }] });
    });

    it('are not forgotten while their member takes part, and nobody else is known', async () => {
      expect(await two.run('member', 'forget', 'one')).toMatchObject({
        code: 1,
        err: expect.stringContaining('one takes part now: stop it first.') as string,
      });
      expect(await two.run('member', 'forget', 'nobody')).toMatchObject({
        code: 1,
        err: expect.stringContaining('There is no member nobody; known are one and two.') as string,
      });
      expect(await standing('one')).toBe('leading');
    });

    it('are forgotten when one is gone, and the other has all of its requests again', async () => {
      await one.kill();
      await two.process.logged('watching');
      const share = async (): Promise<unknown> =>
        (JSON.parse(await two.shows('member', 'list', '--json')) as { all: { share?: number }[] }).all.at(-1)?.share;
      await expect.poll(share).toBe(0.6);
      expect(await two.shows('member', 'list')).toMatch(/^two: leading .*, 60 % of its requests, /m);
      await expect.poll(async () => (await two.run('member', 'forget', 'one')).out).toBe('one is forgotten.\n');
      await expect.poll(share).toBe(1);
      expect(await standing('one')).toBe('');
      await one.start();
      await expect.poll(() => standing('one')).toBe('standing by');
    });

    it('are forgotten by themselves after a week, and not before', async () => {
      await one.kill();
      const known = async (): Promise<{ name: string; share?: number }[]> =>
        (JSON.parse(await two.shows('member', 'list', '--json')) as { all: { name: string; share?: number }[] }).all;
      const heardOf = (days: number): Promise<string> =>
        postgres.ask(
          `update linewatch_member set seen_at = clock_timestamp() - interval '${days} days' where name = 'one'`,
        );
      await heardOf(6);
      const reported = await postgres.ask(`select seen_at from linewatch_member where name = 'two'`);
      await expect
        .poll(() => postgres.ask(`select seen_at from linewatch_member where name = 'two'`))
        .not.toBe(reported);
      expect((await known()).map(({ name }) => name)).toEqual(['one', 'two']);
      await heardOf(8);
      await expect.poll(() => standing('one')).toBe('');
      await expect.poll(known).toMatchObject([{ name: 'two', share: 1 }]);
      await one.start();
      await expect.poll(() => standing('one')).toBe('standing by');
      site.judgePace();
    });
  },
);
