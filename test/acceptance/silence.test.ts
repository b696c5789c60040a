/** `linewatch silence`: what is muted is what was meant. */
import { expect, test } from 'vitest';
import { openSite } from '../support/site.ts';

test('a silence that could mute nothing, or begins nobody knows when, is refused with what was probably meant', async () => {
  await using site = await openSite();
  await site.save();
  const refused = async (...more: string[]): Promise<string> => {
    const { code, out, err } = await site.command('silence', 'add', '--for', '1h', ...more);
    expect([code, out]).toEqual([2, '']);
    return err;
  };
  expect(await refused('--match', 'severty=critical')).toContain(`no key 'severty'; did you mean "severity"?`);
  expect(await refused('--match', 'severity=criticl')).toContain(`no severity 'criticl'; did you mean "critical"?`);
  expect(await refused('--match', 'source=provder')).toContain(`no source 'provder'; did you mean "provider"?`);
  expect(await refused('--match', 'source=provider', '--from', '2026-03-24T22:00')).toContain('a time with its zone');
  expect(await refused('--match', 'source=provider', '--for', '2x')).toContain(`such as 30m, 2h or 1d, not '2x'`);
  // What can match reaches for the daemon, which does not run here.
  const { err } = await site.command(
    'silence',
    'add',
    '--for',
    '1h',
    '--match',
    'source=prov*',
    '--match',
    'component=SMS',
  );
  expect(err).toContain('No Linewatch is running');
});
