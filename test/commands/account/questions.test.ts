/** Nothing is changed that nobody said yes to, and what is asked says what it is about. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accountBench,
  inputsFor,
  OPERATIONS,
  wordsFor,
  type AccountBench,
  type Inputs,
} from '../../support/account-bench.ts';

let bench: AccountBench;

beforeAll(async () => {
  bench = await accountBench();
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

const changes = OPERATIONS.filter(({ effect }) => effect !== 'read');

function wordsOf(id: string): string[] {
  const operation = OPERATIONS.find((one) => one.id === id) ?? expect.fail(id);
  return wordsFor(operation, inputsFor(bench.provider)[id as keyof Inputs]);
}

/** What was asked for besides looking. */
function changesAsked(): string[] {
  return bench.asked().filter((id) => changes.some((operation) => operation.id === id));
}

describe.each(changes.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  it('is refused without a terminal and without --yes, and nothing is sent', async () => {
    bench.asked();
    const ran = await bench.run(wordsOf(id), { typed: 'y\n' });
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/^linewatch: account .* changes something and there is no terminal to ask on; --yes/);
    expect(bench.asked()).toEqual([]);
  });

  it('says what it is about to do, and takes anything but a yes for a no', async () => {
    for (const typed of ['n\n', '\n', 'yep\n', '']) {
      bench.asked();
      // oxlint-disable-next-line no-await-in-loop -- one world
      const ran = await bench.run(wordsOf(id), { isTerminal: true, typed });
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
    expect(ran.err).not.toContain('4321');
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

  it.each([
    [['1001'], 2, 'is 1001 an extension number or the id of an extension? Write --extension 1001 or --id 1001'],
    [[], 2, 'wants --extension NUMBER or --id ID'],
    [['--id', '1', '--extension', '2'], 2, 'takes one extension'],
    [['--id', 'x'], 2, "--id wants a whole number, not 'x'"],
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
    const ran = await bench.run(['registrations', 'delete', '--id', '40001', '--yes']);
    bench.provider.simulator.faults.remove(fault);
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('the provider says that it was not done') });
  });
});
