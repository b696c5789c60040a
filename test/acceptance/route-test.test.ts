/** `linewatch route test`: who hears of what, by which rule, and after how long. */
import { expect, test } from 'vitest';
import { openSite } from '../support/site.ts';

test.concurrent('what is urgent waits for nothing, what is not waits for company', async () => {
  await using site = await openSite();
  site.config.route = { receivers: ['ops-slack'], group_wait: '10s' };
  const waits = async (kind: string, severity = 'warning'): Promise<string> =>
    (await site.command('route', 'test', '--source', 'provider', '--kind', kind, '--severity', severity)).out;
  const at = (wait: string): string => `ops-slack: told, by route, after ${wait}\n`;
  expect(await waits('component.state')).toBe(at('10s'));
  expect(await waits('component.state', 'critical')).toBe(at('0s'));
  const urgent = ['notice.opened', 'maintenance.overrun', 'source.baseline'];
  for (const kind of urgent) expect(await waits(kind)).toBe(at('0s'));
});

test.concurrent('needs a route and no receiver that works', async () => {
  await using site = await openSite();
  site.config.receivers = [{ name: 'ops-slack', type: 'slack', webhook_url: '${credential:absent}' }];
  site.config.route = { receivers: ['ops-slack'] };
  expect(await site.command('route', 'test', '--kind', 'notice.opened')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^ops-slack: told/),
  });
  Reflect.deleteProperty(site.config, 'route');
  await site.save();
  expect(await site.command('route', 'test', '--kind', 'notice.opened')).toMatchObject({
    code: 2,
    err: expect.stringContaining('the configuration has no route'),
  });
});
