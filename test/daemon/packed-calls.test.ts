/** Calls in typed arrays against the same calls in a plain map. */
import { expect, test } from 'vitest';
import { CALL_KINDS, CHARGE_LISTS, type Call, type Charge } from '../../src/core/calls/call-model.ts';
import { PackedCalls } from '../../src/daemon/calls/packed-calls.ts';
import { createRandom } from '../../src/simulator/random.ts';
import { NOON } from '../core/calls/call-stories.ts';

const IDS: readonly [string, ...string[]] = [
  '7',
  '07',
  '999999999',
  '9999999999',
  '-1',
  '0',
  'ä€',
  '',
  'a'.repeat(64),
  '3f0e8e0a-5e5c-4d7c-9d55-1a2b3c4d5e6f',
];

function readCall({
  kind,
  id,
  uuid,
  began,
  ended,
  talk,
  from,
  to,
  did,
  dialplan,
  condition,
  rang,
  rate,
  queue,
  listed,
}: Call): Call {
  return { kind, id, uuid, began, ended, talk, from, to, did, dialplan, condition, rang, rate, queue, listed };
}

function readCharge({ list, id, uuid, amount, start, rate }: Charge): Charge {
  return { list, id, uuid, amount, start, rate };
}

function makeCall(random: ReturnType<typeof createRandom>): Call {
  const ended = NOON + random.whole(0, 500);
  const lasted = random.whole(0, 60);
  const [kind, id] = [random.pick(CALL_KINDS), random.pick([...IDS, String(random.whole(1, 400))])];
  return {
    kind,
    id,
    uuid: random.pick(['', `u${random.whole(1, 40)}`]),
    began: ended - lasted,
    ended,
    talk: random.whole(0, lasted),
    from: `04${random.digits(2)}`,
    to: `13${random.digits(1)}`,
    did: random.pick(['', '1300555019']),
    dialplan: random.pick(['', 'Main line']),
    condition: '',
    rang: random.pick([[], [{ extension: '10 01', cause: 'NO_ANSWER' }]]),
    rate: random.pick(['61', '64']),
    queue: '',
    listed: random.pick([true, false]),
  };
}

function makeCharge(random: ReturnType<typeof createRandom>): Charge {
  return {
    list: random.pick(CHARGE_LISTS),
    id: random.pick([...IDS, String(random.whole(1, 300))]),
    uuid: random.pick(['', `u${random.whole(1, 60)}`]),
    amount: random.whole(-20_000, 90_000_000_00),
    start: NOON + random.whole(-900_000, 900_000),
    rate: random.pick(['Local', 'Mobile']),
  };
}

test('calls and charges are those that came last for their ids, whatever the ids are like', () => {
  const random = createRandom(5);
  const packed = new PackedCalls();
  const [calls, charges] = [new Map<string, Call>(), new Map<string, Charge>()];
  for (let step = 0; step < 6_000; step += 1) {
    const [call, charge] = [makeCall(random), makeCharge(random)];
    const [callKey, chargeKey] = [`${call.kind} ${call.id}`, `${charge.list} ${charge.id}`];
    const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
    const [before, billedBefore] = [calls.get(callKey), charges.get(chargeKey)];
    expect(packed.put(call)).toEqual(isSame(before, call) ? null : { before: before?.ended ?? null });
    expect(packed.put(call)).toBeNull();
    expect(packed.putCharge(charge)).toEqual(
      isSame(billedBefore, charge) ? null : { before: billedBefore?.start ?? null },
    );
    calls.set(callKey, call);
    charges.set(chargeKey, charge);
    if (step % 500 !== 0) continue;
    expect(sort(packed.calls().map(readCall))).toEqual(sort([...calls.values()]));
    expect(sort(packed.charges().map(readCharge))).toEqual(sort([...charges.values()]));
    const ends = packed.calls().map(({ ended }) => ended);
    expect(ends).toEqual(ends.toSorted((a, b) => a - b));
    const [from, to] = [NOON + 100, NOON + 200];
    const within = [...calls.values()].filter(({ ended }) => ended >= from && ended < to);
    expect(sort(packed.calls({ from, to }).map(readCall))).toEqual(sort(within));
    const kinds = ['missed', 'outgoing'] as const;
    const ofKinds = within.filter(({ kind }) => kind === 'missed' || kind === 'outgoing');
    expect(sort(packed.calls({ kinds, from, to }).map(readCall))).toEqual(sort(ofKinds));
    const [first, next] = [NOON - 400_000, NOON + 400_000];
    const billed = [...charges.values()].filter(({ start }) => start >= first && start < next);
    expect(sort(packed.charges(first, next).map(readCharge))).toEqual(sort(billed));
    for (let index = 1; index <= 61; index += 1) {
      const uuid = `u${index}`;
      const some = [...charges.values()].filter((one) => one.uuid === uuid);
      const sum = some.reduce((all, { amount }) => all + amount, 0);
      if (some.length > 0) expect(packed.chargeOf({ uuid })).toBe(sum);
      const own = packed.callOf({ uuid });
      if (own !== null) expect([own.uuid, calls.get(`${own.kind} ${own.id}`)?.uuid]).toEqual([uuid, uuid]);
      for (const one of some) expect(packed.callOf(one)?.id).toBe(own?.id);
    }
  }
  for (const call of packed.calls()) expect(packed.chargeOf(call)).toBe(packed.chargeOf({ uuid: call.uuid }));
  expect([packed.callOf({ uuid: '' }), packed.chargeOf({ uuid: '' }), packed.chargeOf({ uuid: 'none' })]).toEqual([
    null,
    null,
    null,
  ]);
});

function sort(rows: readonly unknown[]): string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}
