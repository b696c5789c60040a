/** Values as people write them, in the place of what the interface wants. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountBench, type AccountBench } from '../../support/account-bench.ts';

let bench: AccountBench;

beforeAll(async () => {
  bench = await accountBench();
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

/** The request that the words come to, as `--dry-run --json` prints it. */
async function requested(...words: string[]): Promise<{ url: string; body?: Record<string, unknown> }> {
  const ran = await bench.run([...words, '--dry-run', '--json']);
  expect([words, ran.code, ran.err]).toEqual([words, 0, '']);
  return JSON.parse(ran.out) as { url: string; body?: Record<string, unknown> };
}

describe('a moment', () => {
  it('is a date in the zone of the configuration where the interface wants seconds', async () => {
    const { url } = await requested(
      'reports',
      'missed-calls',
      'list',
      '--start-time',
      '2026-10-01',
      '--end-time',
      '2026-10-01T08:00',
    );
    const query = new URL(url).searchParams;
    // Midnight and eight in Melbourne, ten hours before UTC until daylight saving begins.
    expect(query.get('start_time')).toBe(String(Date.UTC(2026, 8, 30, 14) / 1000));
    expect(query.get('end_time')).toBe(String(Date.UTC(2026, 8, 30, 22) / 1000));
  });

  it('may have a zone of its own, and may be seconds', async () => {
    const { url } = await requested(
      'reports',
      'missed-calls',
      'list',
      '--start-time',
      '2026-10-01T00:00Z',
      '--end-time',
      '1790900000',
    );
    const query = new URL(url).searchParams;
    expect(query.get('start_time')).toBe(String(Date.UTC(2026, 9, 1) / 1000));
    expect(query.get('end_time')).toBe('1790900000');
  });

  it('is a date where the interface has a form of its own', async () => {
    const words = ['billing', 'calls', 'outgoing', 'list', '2026-10-01', '2026-10-02 08:30:00'];
    const path = decodeURIComponent(new URL((await requested(...words)).url).pathname);
    expect(path).toContain('2026-10-01 00:00:00/2026-10-02 08:30:00');
  });

  it('that does not exist is refused with what would be right', async () => {
    const ran = await bench.run(['reports', 'missed-calls', 'list', '--start-time', '2026-13-01']);
    expect(ran).toMatchObject({
      code: 2,
      err: expect.stringContaining('--start-time wants a date such as 2026-01-31'),
    });
  });
});

describe('a number', () => {
  it('loses its plus where the interface wants digits', async () => {
    const { body } = await requested('extensions', 'update', '40001', '--caller-id', '+61390004100');
    expect(body).toEqual({ caller_id: 61_390_004_100 });
  });

  it('keeps it where the interface takes it', async () => {
    const { body } = await requested('sms', 'send', '--to', '+61400000000', '--from', '+61400000001', '--body', 'x');
    expect(JSON.stringify(body)).toContain('+61400000000');
  });
});

describe('none', () => {
  it('clears what may be empty', async () => {
    const { body } = await requested('extensions', 'update', '40001', '--caller-id', 'none', '--agent-status', 'none');
    expect(body).toEqual({ caller_id: null, agent_status: null });
    const ran = await bench.run(['extensions', 'update', '40001', '--caller-id', 'none', '--yes']);
    expect([ran.code, ran.err]).toEqual([0, '']);
    const shown = await bench.run(['extensions', 'show', '40001', '--json']);
    expect(JSON.parse(shown.out)).toMatchObject({ caller_id: null });
  });

  it('is a text like any other elsewhere', async () => {
    const { body } = await requested('extensions', 'update', '40001', '--name', 'none');
    expect(body).toEqual({ name: 'none' });
  });
});

describe('an extension', () => {
  const number = (id: number): string => {
    const all = bench.provider.simulator.accounts.account().world.extensions.all();
    return all.find((one) => one.id === id)?.user_id ?? '';
  };

  it('is changed by its number', async () => {
    const ran = await bench.run(['extensions', 'update', number(40_003), '--name', 'Workshop', '--yes']);
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining('with the id 40003')]);
    const shown = await bench.run(['extensions', 'show', '40003', '--json']);
    expect(JSON.parse(shown.out)).toMatchObject({ name: 'Workshop' });
  });

  it('is asked about by its number before it is deleted, and never deleted by it unasked', async () => {
    const words = ['extensions', 'delete', number(40_004)];
    const asked = await bench.run(words, { isTerminal: true, typed: 'n\n' });
    expect(asked.err).toMatch(/with the id 40004[\s\S]*Go ahead\? \[y\/N\] \n?Nothing was changed/);
    expect(await bench.run([...words, '--yes'])).toMatchObject({ code: 1, out: '' });
    expect(number(40_004)).not.toBe('');
    expect(await bench.run(words, { isTerminal: true, typed: 'y\n' })).toMatchObject({ code: 0 });
    expect(number(40_004)).toBe('');
  });
});

it('what is missing is said before there is no terminal to ask on', async () => {
  const ran = await bench.run(['extensions', 'create', '--name', 'X']);
  expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('wants --area-code') });
});
