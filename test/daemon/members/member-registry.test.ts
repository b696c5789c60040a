/** Whose a name is, and how long the others are silent, by the clock of the member that looks. */
import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/daemon/common/clock.ts';
import { openRegistry, type MemberRegistry } from '../../../src/daemon/members/member-registry.ts';
import { quietLog } from '../../support/running-daemon.ts';
import type { Database } from '../../../src/store/postgres/connection.ts';

const LEASE_MS = 6_000;

interface Row {
  name: string;
  standing: string;
  process: string | null;
  seenAt: string;
  silentMs: number;
  epoch: null;
  leads: null;
}

const NOTHING = { epoch: null, leads: null, configuration: null };
const ALONE = { log: quietLog, digest: () => ({ hash: 'h1', parts: { route: 'r1' } }) };

/** The table of members, and nothing else of a database. */
function scene(...rows: Partial<Row>[]) {
  const clock = createVirtualClock(0);
  const table = rows.map((row): Row => ({
    ...NOTHING,
    name: 'one',
    standing: 'leading',
    process: 'p0',
    seenAt: '1',
    silentMs: 0,
    ...row,
  }));
  const ask = (_doing: string, text: string, values: readonly unknown[] = []): Promise<never> => {
    if (!text.includes('insert')) return Promise.resolve(table as never);
    const [process, takesName] = values.slice(9) as [string, boolean];
    const name = String(values[1]);
    const known = table.find((row) => row.name === name);
    const row: Row = { ...NOTHING, name, standing: String(values[3]), process, seenAt: `${clock.now()}`, silentMs: 0 };
    if (known === undefined) table.push(row);
    else if (takesName || known.process === process) Object.assign(known, row);
    return Promise.resolve(table as never);
  };
  const database = { ask, place: 'it' } as unknown as Database;
  const member = (process: string): MemberRegistry =>
    openRegistry({ database, instance: 'i', name: 'one', process, version: '1', leaseMs: LEASE_MS, clock, ...ALONE });
  return { clock, table, member };
}

describe('a name', () => {
  test.each([
    ['nobody has it', []],
    ['its process has stopped', [{ standing: 'stopped' }]],
    ['its process is not heard of for a lease', [{ silentMs: LEASE_MS + 1 }]],
    ['its program is one of before', [{ process: null }]],
  ])('may be taken where %s', async (_name, rows: Partial<Row>[]) => {
    expect(
      await scene(...rows)
        .member('p1')
        .hasName(),
    ).toBe(true);
  });

  test('is waited for as long as its process may still live, by the own clock', async () => {
    const { clock, member } = scene({ silentMs: -60_000 });
    const memberRegistry = member('p1');
    expect(await memberRegistry.hasName()).toBe(false);
    clock.advance(LEASE_MS);
    expect(await memberRegistry.hasName()).toBe(false);
    clock.advance(1);
    expect(await memberRegistry.hasName()).toBe(true);
  });

  test('is refused while another process reports under it', async () => {
    const { clock, table, member } = scene({});
    const memberRegistry = member('p1');
    expect(await memberRegistry.hasName()).toBe(false);
    clock.advance(2_000);
    Object.assign(table[0] ?? {}, { seenAt: '2' });
    await expect(memberRegistry.hasName()).rejects.toThrow(
      'Another process takes part as one: give each member a name of its own with database.member.',
    );
  });

  test('is lost where another process has taken it', async () => {
    const { member } = scene();
    const [first, second] = [member('p1'), member('p2')];
    await first.report('standing by', null);
    await first.report('standing by', null);
    await second.report('standing by', null);
    await expect(first.report('standing by', null)).rejects.toThrow('Another process takes part as one');
  });
});

test('a member is silent for as long as it reports nothing, though the clock of the database is set back', async () => {
  const { clock, table, member } = scene({}, { name: 'two', process: 'p2', silentMs: 100 });
  const memberRegistry = member('p1');
  const silent = (): number | undefined => memberRegistry.members.find(({ name }) => name === 'two')?.silentMs;
  await memberRegistry.refresh();
  expect(silent()).toBe(100);
  clock.advance(2_000);
  for (const row of table) row.silentMs = -3_600_000;
  await memberRegistry.refresh();
  expect(silent()).toBe(2_100);
  clock.advance(1_000);
  Object.assign(table[1] ?? {}, { seenAt: '2', silentMs: 3_600_000 });
  await memberRegistry.refresh();
  expect(silent()).toBe(1_000);
});

test('a member is known for as long as its process is, and anew with the next one', async () => {
  const { clock, table, member } = scene({}, { name: 'two', process: 'p2' });
  const memberRegistry = member('p1');
  const known = (): number | undefined => memberRegistry.members.find(({ name }) => name === 'two')?.knownMs;
  await memberRegistry.refresh();
  expect(known()).toBe(0);
  clock.advance(LEASE_MS);
  await memberRegistry.refresh();
  expect(known()).toBe(LEASE_MS);
  clock.advance(1_000);
  Object.assign(table[1] ?? {}, { process: 'p3', seenAt: '2' });
  await memberRegistry.refresh();
  expect(known()).toBe(0);
});
