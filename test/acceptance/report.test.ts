/** `linewatch report` right after an outage, beside the running daemon: what was told a moment ago counts. */
import { expect, test } from 'vitest';
import { openSite } from '../support/site.ts';

interface Printed {
  outages: { title: string; since: string; until: string | null; within_ms: number; evidence: unknown[] }[];
  uptimes: { name: string; degraded_ms: number }[];
}

test.concurrent('an outage that goes on counts up to now, and one that is over with all of it', async () => {
  await using site = await openSite();
  await site.start();
  await site.event('source.baseline');
  const month = new Date().toISOString().slice(0, 7);
  const report = async (): Promise<Printed> => {
    const { code, out, err } = await site.run('report', '--from', `${month}-01`, '--format', 'json');
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out) as Printed;
  };
  expect((await report()).outages).toEqual([]);

  const { status } = site.provider.simulator;
  const notice = status.openNotice({ subject: 'Calls fail', content: 'We are looking.', components: ['SMS'] });
  await site.event('notice.opened');
  const [open, ...others] = (await report()).outages;
  expect(others).toEqual([]);
  expect(open).toMatchObject({ title: expect.stringContaining('Calls fail'), until: null });
  expect(open?.within_ms).toBeGreaterThan(0);

  await site.event('component.state');
  status.closeNotice(notice, { content: 'Mended.' });
  await site.event('notice.closed');
  await site.event('component.state', ({ data }) => data.to === 'operational');
  const { outages, uptimes } = await report();
  expect(outages).toMatchObject([
    { title: expect.stringContaining('Calls fail'), until: expect.any(String) as string },
  ]);
  const [over] = outages;
  expect(over?.within_ms).toBe(Date.parse(over?.until ?? '') - Date.parse(over?.since ?? ''));
  expect(over?.evidence.length).toBeGreaterThanOrEqual(3);
  expect(uptimes.find(({ name }) => name.endsWith('SMS'))?.degraded_ms).toBeGreaterThan(0);

  // Nothing is known of the month before: the one that goes on stands in its place.
  const text = await site.command('report');
  expect(text.out).toMatch(/: not known, as the history begins .*\. The month so far:\n/);
  expect(text.out).toContain('#1 critical: ');
});
