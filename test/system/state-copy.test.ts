/** An installation moves from its files to a database and back, and nobody is told anything again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../support/site.ts';
import { startPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

describe.skipIf(whyNoPostgres !== null)(`state${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`, () => {
  let postgres: RealPostgres;
  let site: Site;

  beforeAll(async () => {
    [postgres, site] = [await startPostgres(), await openSite()];
  });

  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  async function stopped(work: () => Promise<void>): Promise<void> {
    const linewatch = await site.start();
    await work();
    linewatch.signal('SIGTERM');
    await linewatch.ended;
  }

  const told = (): string[] => site.events().map(({ type, subject }) => `${type} ${subject}`);

  /** As the history has it. */
  async function happened(): Promise<{ id: string; kind: string }[]> {
    const { code, out, err } = await site.run('history', '--json');
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out) as { id: string; kind: string }[];
  }

  it('goes to a database and back, and its alerts go on', async () => {
    const { status } = site.provider.simulator;
    let notice = 0;
    await stopped(async () => {
      await site.event('source.baseline');
      notice = status.openNotice({ subject: 'Calls fail' });
      await site.event('notice.opened');
    });

    const before = await happened();
    expect(before.length).toBeGreaterThan(1);
    site.config['database'] = { url: postgres.url, lease: '4s', member: 'first' };
    await site.save();
    expect((await site.run('history')).err).toMatch(
      /^linewatch: there is no history in the database postgres at .* yet/,
    );
    const copied = await site.run('state', 'copy', '--to-database');
    expect([copied.code, copied.err]).toEqual([0, '']);
    expect(copied.out).toMatch(/^\d+ documents and \d+ rows of the history copied to the database and compared\.\n$/);
    expect(await happened()).toEqual(before);
    const again = await site.run('state', 'copy', '--to-database');
    expect([again.code, again.err]).toEqual([
      1,
      expect.stringMatching(/There is state already where it should go \(\d+ documents and a history\)/),
    ]);
    await stopped(async () => {
      status.closeNotice(notice);
      await site.event('notice.closed');
      // A report goes as far as all was read: the look that saw it is to be over.
      await site.round();
    });

    const since = await happened();
    expect(since.slice(0, before.length)).toEqual(before);
    // The page's own state may follow it in the same look.
    expect(since.slice(before.length).map(({ kind }) => kind)).toContain('notice.closed');
    const report = await site.run('report', '--from', '1d');
    expect([report.code, report.out]).toEqual([0, expect.stringContaining('Calls fail')]);

    const back = await site.run('state', 'copy', '--to-files', '--replace');
    expect([back.code, back.err]).toEqual([0, '']);
    delete site.config['database'];
    await site.save();
    expect(await happened()).toEqual(since);
    await stopped(async () => {
      status.openNotice({ subject: 'Calls fail again' });
      await site.event('notice.opened', ({ data }) => JSON.stringify(data).includes('again'));
    });
    expect(told().filter((each) => each.startsWith('linewatch.source.baseline'))).toHaveLength(1);
    // The page's own state goes to and fro with its notices; a notice opens and ends once.
    const ofNotices = told().filter((each) => each.startsWith('linewatch.notice.'));
    expect(new Set(ofNotices).size).toBe(ofNotices.length);
    const ids = site.events().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const all = await happened();
    expect(all.slice(0, since.length)).toEqual(since);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it('is not copied while a member leads', async () => {
    site.config['database'] = { url: postgres.url, lease: '4s', member: 'first' };
    await site.save();
    const leading = await site.start();
    const refused = await site.run('state', 'copy', '--to-files', '--replace');
    expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/in use by process|leads/)]);
    leading.signal('SIGTERM');
    await leading.ended;
  });
});
