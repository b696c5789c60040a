/** What is asked of a part: done here, or passed on, and who hears that something has changed. */
import { expect, test } from 'vitest';
import { ControlRefusal } from '../../src/control/protocol.ts';
import { controlRoutes } from '../../src/daemon/requests/control.ts';
import type { Daemon } from '../../src/daemon/loop/daemon.ts';
import { doneIn, type Part, type Request } from '../../src/daemon/status/daemons.ts';
import { NO_HISTORY } from '../support/no-history.ts';

function asked(daemon: Daemon | null, deed: Request<string>['deed'] = () => Promise.resolve('here')) {
  const happened: string[] = [];
  const part: Part = {
    sources: null,
    daemon,
    kept: {} as Part['kept'],
    pass: (name) => Promise.resolve(`${name} elsewhere`),
    changed: () => void happened.push('changed'),
  };
  const answer = doneIn(part, { name: 'deed', deed }, null);
  return { answer, happened };
}

test('what was done here is heard of, and what another did is not', async () => {
  const here = asked({} as Daemon);
  expect([await here.answer, here.happened]).toEqual(['here', ['changed']]);
  const elsewhere = asked(null);
  expect([await elsewhere.answer, elsewhere.happened]).toEqual(['deed elsewhere', []]);
});

test('what was refused is not heard of', async () => {
  const { answer, happened } = asked({} as Daemon, () => Promise.reject(new ControlRefusal('No.')));
  await expect(answer).rejects.toThrow('No.');
  expect(happened).toEqual([]);
});

test.each([
  ['status', {}],
  ['alert.list', {}],
  ['alert.show', { number: 1 }],
] as const)('%s is drawn after what others lead was read', async (name, ask) => {
  let isRead = false;
  const elsewhere = { sources: null, daemon: null, kept: {} as Part['kept'], pass: () => Promise.reject(new Error()) };
  const drawn = (): never => {
    throw new Error(isRead ? 'drawn as of now' : 'drawn as it was read long ago');
  };
  const routes = controlRoutes({
    daemons: { parts: () => [elsewhere], refresh: () => Promise.resolve(void (isRead = true)) },
    picture: drawn,
    alert: drawn,
    now: () => 0,
    configuration: () => ({ file: '', timezone: 'UTC', database: null }),
    ...NO_HISTORY,
  });
  await expect(routes[name](ask)).rejects.toThrow('drawn as of now');
});
