/** What is asked of a part: done here, or passed on, and who hears that something has changed. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { ControlRefusal } from '../../src/control/protocol.ts';
import { createControlRoutes } from '../../src/daemon/requests/control.ts';
import type { Daemon } from '../../src/daemon/loop/daemon.ts';
import { answerRequest, defineRequest, type RequestContext } from '../../src/daemon/requests/request.ts';
import type { DaemonPart } from '../../src/daemon/status/daemons.ts';
import { NO_HISTORY } from '../support/no-history.ts';

function asked(
  daemon: Daemon | null,
  {
    perform = () => Promise.resolve('here'),
    changes = true,
  }: { perform?: () => Promise<string>; changes?: boolean } = {},
) {
  const happened: string[] = [];
  const part: DaemonPart = {
    sources: null,
    daemon,
    kept: {} as DaemonPart['kept'],
    pass: (name) => Promise.resolve(`${name} elsewhere`),
    changed: () => void happened.push('changed'),
  };
  const row = defineRequest({
    name: 'deed',
    asks: z.null(),
    changes,
    perform,
    answer: ({ performIn }) => performIn(part),
  });
  return { answer: answerRequest(row, {} as RequestContext, null), happened };
}

test('what was done here is heard of, and what another did is not', async () => {
  const here = asked({} as Daemon);
  expect([await here.answer, here.happened]).toEqual(['here', ['changed']]);
  const elsewhere = asked(null);
  expect([await elsewhere.answer, elsewhere.happened]).toEqual(['deed elsewhere', []]);
});

test('a request that changes nothing is not heard of', async () => {
  const { answer, happened } = asked({} as Daemon, { changes: false });
  expect([await answer, happened]).toEqual(['here', []]);
});

test('a question of another shape is refused before anybody performs it', async () => {
  const row = defineRequest({
    name: 'deed',
    asks: z.strictObject({ number: z.int({ error: 'a number is a whole one' }) }),
    changes: true,
    answer: () => Promise.reject(new Error('asked all the same')),
  });
  const answer = answerRequest(row, {} as RequestContext, { number: 1.5 });
  await expect(answer).rejects.toThrow(new ControlRefusal('The request cannot be read: a number is a whole one.'));
});

test('what was refused is not heard of', async () => {
  const { answer, happened } = asked({} as Daemon, { perform: () => Promise.reject(new ControlRefusal('No.')) });
  await expect(answer).rejects.toThrow('No.');
  expect(happened).toEqual([]);
});

test.each([
  ['status', {}],
  ['alert.list', {}],
  ['alert.show', { number: 1 }],
] as const)('%s is drawn after what others lead was read', async (name, ask) => {
  let isRead = false;
  const elsewhere = {
    sources: null,
    daemon: null,
    kept: {} as DaemonPart['kept'],
    pass: () => Promise.reject(new Error()),
  };
  const drawn = (): never => {
    throw new Error(isRead ? 'drawn as of now' : 'drawn as it was read long ago');
  };
  const routes = createControlRoutes({
    daemons: { parts: () => [elsewhere], refresh: () => Promise.resolve(void (isRead = true)) },
    status: drawn,
    alert: drawn,
    now: () => 0,
    configuration: () => ({ file: '', timezone: 'UTC', database: null }),
    ...NO_HISTORY,
  });
  await expect(routes[name](ask)).rejects.toThrow('drawn as of now');
});
