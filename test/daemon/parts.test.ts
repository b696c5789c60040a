/** What is asked of a member that does not lead all: done here where it leads, passed on where another one does. */
import { expect, test } from 'vitest';
import { createControlRoutes, listPerformers, type DaemonContract } from '../../src/daemon/requests/control.ts';
import { ControlRefusal, type ControlRoutes } from '../../src/control/protocol.ts';
import { createOwnState } from '../../src/core/engine/self-source.ts';
import type { SystemStatus } from '../../src/core/view/system-status.ts';
import type { Daemon } from '../../src/daemon/loop/daemon.ts';
import type { KeptOfPart, DaemonPart } from '../../src/daemon/status/daemons.ts';
import { createReceiverState } from '../../src/daemon/common/documents.ts';
import { collectKeptState, type ReceiverFacts } from '../../src/daemon/status/status-reader.ts';
import { change, message, notice } from '../support/messages.ts';
import { NO_HISTORY } from '../support/no-history.ts';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const CHANGE = change('notice.opened', 'notice/1', { from: null, to: 'investigating', details: notice() }, 'open');

function waiting(receiver: string, ids: readonly string[], isRemoved = false): ReceiverFacts {
  const all = ids.map((id) => ({ ...message([CHANGE], {}, { receiver }), id }));
  return { name: receiver, type: 'slack', isRemoved, state: createReceiverState(), waiting: all, unsettled: all };
}

/** A daemon with these messages, which it takes up and drops. */
function daemonWith(name: string, receivers: readonly ReceiverFacts[], done: string[]): Daemon {
  return {
    own: {
      state: createOwnState(),
      happened: ({ kind }: { kind: string }) => Promise.resolve(void done.push(`${name}: ${kind}`)),
    },
    named: (source: string) =>
      source !== name
        ? undefined
        : {
            acknowledge: ({ by }: { by: string }) => {
              done.push(`${name}: taken by ${by}`);
              return Promise.resolve(['slack']);
            },
          },
    matchable: { sources: ['provider'], labels: [] },
    deliveries: receivers.map((one) => ({
      receiver: { name: one.name, type: one.type },
      state: one.state,
      nextTryAt: () => null,
      waiting: () => one.waiting,
      unsettled: () => one.unsettled,
      retry: (id: string | null) => {
        done.push(`${name}: retry ${one.name} ${id ?? 'all'}`);
        return Promise.resolve(id === null ? one.waiting.length : 1);
      },
      drop: (id: string | null) => {
        done.push(`${name}: drop ${one.name} ${id ?? 'all'}`);
        return Promise.resolve(1);
      },
    })),
    removed: { all: () => [] },
    calls: new Map(),
  } as unknown as Daemon;
}

interface Scene {
  routes: ControlRoutes<DaemonContract>;
  /** What was done here, and what was passed on. */
  done: string[];
  /** Why nothing is passed on; null where it is. */
  refusing: string | null;
}

/** The first shard is led here, the second elsewhere. */
function scene(here: readonly ReceiverFacts[], there: readonly ReceiverFacts[], isFirstHere = true): Scene {
  const done: string[] = [];
  const daemons = [daemonWith('one', here, done), daemonWith('two', there, done)] as const;
  const open = [1, 2].map((number) => ({
    number,
    also: [],
    id: `alert ${number}`,
    sources: [number === 1 ? 'one' : 'two'],
    receivers: [],
    startedAt: NOW,
  }));
  const status = (): SystemStatus => ({ open, now: NOW }) as unknown as SystemStatus;
  const alert = () => ({ story: null }) as never;
  const deeds = listPerformers({ status, alert, now: () => NOW });
  const it: Scene = { done, refusing: null, routes: {} as ControlRoutes<DaemonContract> };
  const part = (index: 0 | 1): DaemonPart => {
    const isHere = (index === 0) === isFirstHere;
    const kept: KeptOfPart = collectKeptState(daemons[index]);
    return {
      sources: [index === 0 ? 'one' : 'two'],
      daemon: isHere ? daemons[index] : null,
      kept,
      async pass(name, ask) {
        if (it.refusing !== null) throw new ControlRefusal(it.refusing);
        done.push(`passed on: ${name}`);
        // It crosses the database.
        return await deeds.get(name)?.(daemons[index], JSON.parse(JSON.stringify(ask)));
      },
    };
  };
  it.routes = createControlRoutes({
    daemons: { parts: () => [part(0), part(1)], refresh: () => Promise.resolve() },
    status,
    alert,
    now: () => NOW,
    configuration: () => ({ file: '', timezone: 'UTC', database: null }),
    ...NO_HISTORY,
  });
  return it;
}

const SILENCE = { matchers: { source: ['provider'] }, from: NOW, until: NOW + 60_000, comment: 'known' };

test('a silence is made where the first part is led, and its answer comes back', async () => {
  const here = scene([], []);
  await here.routes['silence.add'](SILENCE);
  expect(here.done).toEqual(['one: silence']);
  const there = scene([], [], false);
  expect(await there.routes['silence.add'](SILENCE)).toMatchObject({ comment: 'known', state: 'active' });
  expect(there.done).toEqual(['passed on: silence.add', 'one: silence']);
});

test('what cannot be read is refused here, and what makes no sense there, with the same words', async () => {
  const wrong = { ...SILENCE, matchers: { source: ['provder'] } };
  for (const isFirstHere of [true, false]) {
    const { routes, done } = scene([], [], isFirstHere);
    await expect(routes['silence.add']({ ...SILENCE, matchers: {} })).rejects.toThrow('mutes everything');
    await expect(routes['silence.expire']({ id: '' })).rejects.toThrow('cannot be read');
    await expect(routes['alert.ack']({ number: 1, by: ' ', comment: '' })).rejects.toThrow('who has it?');
    expect(done).toEqual([]);
    await expect(routes['silence.add'](wrong)).rejects.toThrow("no source 'provder'");
    await expect(routes['silence.expire']({ id: 'ab' })).rejects.toThrow('There is no silence ab.');
    await expect(routes['alert.ack']({ number: 7, by: 'alex', comment: '' })).rejects.toThrow('There is no alert #7.');
  }
});

test('an alert is taken where its source is watched', async () => {
  const { routes, done } = scene([], []);
  // The answer is made from the status, of which there is little here.
  await routes['alert.ack']({ number: 1, by: 'alex', comment: '' }).catch(() => null);
  await routes['alert.ack']({ number: 2, by: 'sam', comment: '' }).catch(() => null);
  expect(done).toEqual(['one: taken by alex', 'passed on: alert.ack', 'two: taken by sam']);
});

test('callers are listed of all parts, or a member that does not answer is named', async () => {
  const them = scene([], []);
  expect(await them.routes['calls.missed']({ alert: 1, since: null })).toEqual([]);
  expect(them.done).toEqual(['passed on: calls.missed']);
  them.refusing = 'The member lw-b does not answer.';
  await expect(them.routes['calls.missed']({ alert: 1, since: null })).rejects.toThrow(them.refusing);
});

test('what waits is listed of all parts', async () => {
  const { routes } = scene([waiting('slack', ['aa1'])], [waiting('slack', ['bb1']), waiting('old', ['bb2'], true)]);
  expect((await routes['deliveries.list']({})).map(({ id }) => id)).toEqual(['aa1', 'bb1', 'bb2']);
});

test('what is retried is retried wherever it waits, and nobody is asked who has nothing of it', async () => {
  const both = scene([waiting('slack', ['aa1', 'aa2'])], [waiting('slack', ['bb1'])]);
  expect(await both.routes['deliveries.retry']({ receiver: null, id: null })).toBe(3);
  expect(both.done.toSorted()).toEqual(['one: retry slack all', 'passed on: deliveries.retry', 'two: retry slack all']);
  const one = scene([waiting('slack', ['aa1'])], [waiting('slack', [])]);
  expect(await one.routes['deliveries.retry']({ receiver: 'slack', id: null })).toBe(1);
  expect(await one.routes['deliveries.drop']({ receiver: null, id: 'aa' })).toBe(1);
  expect(one.done).toEqual(['one: retry slack all', 'one: drop slack aa1']);
  const there = scene([waiting('slack', [])], [waiting('slack', ['bb1'])]);
  expect(await there.routes['deliveries.drop']({ receiver: null, id: 'bb' })).toBe(1);
  expect(there.done).toEqual(['passed on: deliveries.drop', 'two: drop slack bb1']);
});

test('what is refused says so, and what was done all the same', async () => {
  const it = scene([waiting('slack', ['aa1', 'aa2'])], [waiting('slack', ['bb1'])]);
  const { routes } = it;
  await expect(routes['deliveries.retry']({ receiver: 'slck', id: null })).rejects.toThrow(
    'There is no receiver slck; there are: slack.',
  );
  await expect(routes['deliveries.drop']({ receiver: null, id: 'cc' })).rejects.toThrow('No message cc waits');
  it.refusing = 'Nobody leads shard 2 now.';
  await expect(routes['deliveries.retry']({ receiver: null, id: null })).rejects.toThrow(
    '2 messages taken up, and no more: Nobody leads shard 2 now.',
  );
  await expect(routes['deliveries.retry']({ receiver: null, id: 'bb' })).rejects.toThrow(
    /^Nobody leads shard 2 now\.$/,
  );
});
