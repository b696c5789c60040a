/** A provider that cannot be read: told once, and once more when it can be read again. */
import { expect, test } from 'vitest';
import { cases } from '../support/runs.ts';
import { openSite } from '../support/site.ts';

test.concurrent.each(cases(['reset', 'html'] as const))(
  '%s: unreachable once after the threshold, recovered once',
  async (kind) => {
    await using site = await openSite();
    const linewatch = await site.start();
    await site.event('source.baseline');
    const { faults, log } = site.provider.simulator;
    const broken = performance.now();
    faults.add({ fault: { kind } });
    const lost = await site.event('source.unreachable');
    expect(performance.now() - broken).toBeGreaterThan(1_500);
    expect(lost).toMatchObject({ subject: 'source', data: { alert: { status: 'open', severity: 'warning' } } });
    await log.next(undefined, 6);
    faults.clear();
    const back = await site.event('source.recovered');
    expect(back.data.alert).toMatchObject({ id: lost.data.alert.id, status: 'resolved' });
    await site.slack.takes(3);
    await site.mailbox.takes(3);
    await site.round();
    linewatch.signal('SIGTERM');
    await linewatch.ended;
    expect(site.events().map(({ type }) => type.replace('linewatch.', ''))).toEqual([
      'source.baseline',
      'source.unreachable',
      'source.recovered',
    ]);
    expect([site.slack.taken.length, site.mailbox.mails.length]).toEqual([3, 3]);
  },
);
