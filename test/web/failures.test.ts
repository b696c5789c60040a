/** Failed requests in the log: those that Linewatch could not answer, and no others. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openWeb, type OpenWebOptions } from './open-web.ts';

const HALF_A_FORM = [
  'POST /sign-in HTTP/1.1',
  'Host: 127.0.0.1',
  'Sec-Fetch-Site: same-origin',
  'Content-Type: application/x-www-form-urlencoded',
  'Content-Length: 1000',
  '',
  'name=ki',
].join('\r\n');

test('a client that goes away in the middle of its form is no failure', async () => {
  await using web = await openWeb();
  const socket = connect(Number(new URL(web.url).port), '127.0.0.1');
  socket.write(HALF_A_FORM);
  await web.began();
  socket.destroy();
  await once(socket, 'close');
  await web.over();
  expect(web.failures).toEqual([]);
});

test('what Linewatch cannot answer is one, with the request', async () => {
  const error = new TypeError('a mistake');
  const history = { days: () => Promise.reject(error) } as unknown as NonNullable<OpenWebOptions['history']>;
  await using web = await openWeb({ history });
  expect((await web.ask('/api/days')).status).toBe(500);
  expect(web.failures).toEqual([{ request: 'GET /api/days', error }]);
});
