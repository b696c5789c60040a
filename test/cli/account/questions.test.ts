/** Nothing is changed that nobody said yes to, and what is asked says what it is about. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountBench, OPERATIONS, type AccountBench } from '../../support/account-bench.ts';

let bench: AccountBench;

beforeAll(async () => {
  bench = await accountBench();
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

const changes = OPERATIONS.filter(({ effect }) => effect !== 'read');

/** What was asked for besides looking. */
function changesAsked(): string[] {
  return bench.asked().filter((id) => changes.some((operation) => operation.id === id));
}

describe.each(changes.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  it('is refused without a terminal and without --yes, and nothing is sent', async () => {
    bench.asked();
    const ran = await bench.run(bench.words(id), { typed: 'y\n' });
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/^linewatch: account .* changes something and there is no terminal to ask on; --yes/);
    expect(bench.asked()).toEqual([]);
  });

  it('says what it is about to do, and takes anything but a yes for a no', async () => {
    for (const typed of ['n\n', '\n', 'yep\n', '']) {
      bench.asked();
      const ran = await bench.run(bench.words(id), { isTerminal: true, typed });
      expect(ran.code).toBe(1);
      expect(ran.out).toBe('');
      expect(ran.err.toLowerCase()).toContain(`about to: ${operation.summary.toLowerCase()}`);
      expect(ran.err).toContain('account');
      expect(ran.err).toContain('head-office');
      expect(ran.err).toMatch(/Go ahead\? \[y\/N\] \n?Nothing was changed\.\n$/);
      if (operation.warning !== null) expect(ran.err).toContain(operation.warning);
      expect(ran.err).not.toContain('planted-secret');
      expect(changesAsked()).toEqual([]);
    }
  });
});

describe('a yes', () => {
  it('on the terminal is one', async () => {
    bench.asked();
    const ran = await bench.run(['phonebook', 'create', '--name', 'Suppliers'], { isTerminal: true, typed: 'y\n' });
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/^id {2}\d+\n$/);
    expect(bench.asked()).toEqual(['phonebook.create']);
  });

  it('shows what a change would replace', async () => {
    const ran = await bench.run(
      ['extensions', 'update', '40002', '--name', 'Front desk', '--voicemail', 'false', '--vm-password', '4321'],
      { isTerminal: true, typed: 'n\n' },
    );
    const name = bench.provider.simulator.accounts
      .account()
      .world.extensions.all()
      .find(({ id }) => id === 40_002)?.name;
    expect(ran.err).toContain(`${name} → Front desk`);
    expect(ran.err).toMatch(/voicemail +yes → no/);
    expect(ran.err).toMatch(/vm_password +\[hidden\]/);
    // The port of the provider may hold the same digits.
    expect(ran.err.replaceAll(/127\.0\.0\.1:\d+/g, '')).not.toContain('4321');
  });

  it('is not asked for what is not there', async () => {
    const ran = await bench.run(['extensions', 'delete', '7'], { isTerminal: true, typed: 'y\n' });
    expect([ran.code, ran.out]).toEqual([1, '']);
    expect(ran.err).not.toContain('Go ahead?');
    expect(ran.err).toMatch(/^linewatch: account extensions delete: there is no such thing \(404\)/);
  });

  it('given by Ctrl-C is a no', async () => {
    const { platform, ended } = bench.start(['action-toggles', 'update', '301', '--status', 'off'], {
      isTerminal: true,
    });
    await expect.poll(() => platform.written().err).toContain('Go ahead?');
    platform.signal('SIGINT');
    const ran = await ended;
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('Nothing was changed.');
  });
});

describe('showing an extension', () => {
  const anyone = (): { user_id: string; id: number; name: string } =>
    bench.provider.simulator.accounts.account().world.extensions.all()[0] ?? expect.fail('no extension');

  it('takes its number where there is no such id, and says so', async () => {
    const { user_id: number, id, name } = anyone();
    const shown = await bench.run(['extensions', 'show', String(id), '--json']);
    const ran = await bench.run(['extensions', 'show', number, '--json']);
    expect([ran.code, ran.out]).toEqual([0, shown.out]);
    expect(ran.err).toBe(
      `There is no extension with the id ${number}; this is extension number ${number}, ${name}, with the id ${id}.\n`,
    );
    expect(shown.err).toBe('');
  });

  it('is refused where there is neither', async () => {
    expect(await bench.run(['extensions', 'show', '987654'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no such thing (404)'),
    });
  });
});

describe('dropping a registration', () => {
  function phone(): { number: string; id: number; name: string } {
    const { world } = bench.provider.simulator.accounts.account();
    const registered = world.phones.registrations('UTC');
    const found =
      world.extensions.all().find(({ user_id: number }) => registered.has(number)) ?? expect.fail('no phone');
    return { number: found.user_id, id: found.id, name: found.name };
  }

  it('finds the id by the number, and names the telephone before it asks', async () => {
    const { number, id, name } = phone();
    bench.asked();
    const { err } = await bench.run(['registrations', 'delete', '--extension', number], {
      isTerminal: true,
      typed: 'n\n',
    });
    expect(err).toContain(`${number} ${name}`);
    expect(err).toMatch(/telephone +(Yealink|Polycom|Grandstream|Cisco|Snom|Fanvil|Zoiper|\w+)/);
    expect(err).toMatch(/at \d+\.\d+\.\d+\.\d+/);
    expect(err).toContain('This reboots the telephone.');
    const ran = await bench.run(['registrations', 'delete', '--extension', number, '--yes']);
    expect([ran.code, ran.err]).toEqual([0, '']);
    const sent = bench.provider.simulator.log.all().filter(({ method }) => method === 'DELETE');
    expect(sent.map(({ path }) => path)).toEqual([`/api/v1/pbx/registrations/${id}`]);
  });

  it('takes the id as an argument, and names the telephone before it asks', async () => {
    const { number, id, name } = phone();
    const { err } = await bench.run(['registrations', 'delete', String(id)], { isTerminal: true, typed: 'n\n' });
    expect(err).toContain(`${number} ${name}`);
    expect(err).toMatch(/telephone +.+ at \d+\.\d+\.\d+\.\d+/);
    bench.provider.simulator.log.clear();
    const ran = await bench.run(['registrations', 'delete', String(id), '--yes']);
    expect([ran.code, ran.err]).toEqual([0, '']);
    const sent = bench.provider.simulator.log.all().filter(({ method }) => method === 'DELETE');
    expect(sent.map(({ path }) => path)).toEqual([`/api/v1/pbx/registrations/${id}`]);
  });

  it('says before it asks that a number was typed in place of an id', async () => {
    const { number } = phone();
    const { err } = await bench.run(['registrations', 'delete', number], { isTerminal: true, typed: 'n\n' });
    expect(err.replaceAll(/\s+/g, ' ')).toContain(
      `none with this id is listed; ${number} is an extension number: --extension ${number}`,
    );
  });

  it.each([
    [[], 2, 'wants an ID or --extension NUMBER'],
    [['1', '--extension', '2'], 2, 'takes one extension'],
    [['1', '2'], 2, 'takes one extension'],
    [['x'], 2, "ID wants a whole number, not 'x'"],
    [['--extension', '9999'], 1, 'the account has no extension 9999; nothing was changed'],
  ])('%j is refused', async (words, code, why) => {
    bench.asked();
    const ran = await bench.run(['registrations', 'delete', ...words, '--yes']);
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toContain(why);
    expect(changesAsked()).toEqual([]);
  });

  it('that the provider says it did not do is a failure', async () => {
    const fault = bench.provider.simulator.faults.add({
      on: 'registrations.delete',
      fault: { kind: 'status', status: 200, body: { result: false } },
    });
    const ran = await bench.run(['registrations', 'delete', '40001', '--yes']);
    bench.provider.simulator.faults.remove(fault);
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('the provider says that it was not done') });
  });
});
