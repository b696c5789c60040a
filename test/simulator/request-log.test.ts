import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countBusiestWindow } from '../../src/simulator/request-log.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';

test('keeps what arrived and never the credential', async () => {
  const provider = createSimulator({ clock: { monotonic: () => 42 } });
  await provider.app.request('/v1/notices.json?page=3', { headers: { authorization: 'Bearer planted-secret' } });
  await provider.app.request('/nowhere', { headers: { 'if-none-match': '"x"' } });
  expect(provider.log.all()).toEqual([
    {
      at: 42,
      method: 'GET',
      path: '/v1/notices.json',
      query: '?page=3',
      operation: 'notices.list',
      authorized: true,
      conditional: false,
      status: 200,
    },
    {
      at: 42,
      method: 'GET',
      path: '/nowhere',
      query: '',
      operation: null,
      authorized: false,
      conditional: true,
      status: 404,
    },
  ]);
  expect(JSON.stringify(provider.log.all())).not.toContain('planted-secret');
  provider.log.clear();
  expect(provider.log.all()).toEqual([]);
});

test('a test may wait for the arrival it needs', async () => {
  const provider = createSimulator();
  const second = provider.log.next(({ operation }) => operation === 'status.show', 2);
  await provider.app.request('/api/v1/status');
  await provider.app.request('/api/v1/notices');
  await provider.app.request('/v1/status');
  expect((await second).path).toBe('/v1/status');
});

test('counts the most in any second, wherever the second begins', () => {
  expect(countBusiestWindow([])).toBe(0);
  expect(countBusiestWindow([0, 200, 400, 600, 800, 1000].map((at) => ({ at })))).toBe(5);
  expect(countBusiestWindow([0, 900, 950, 999.9, 1100, 1899].map((at) => ({ at })))).toBe(5);
});

test('agrees with counting from every arrival', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 5000, noNaN: true })), (times) => {
      const counted = times.map((from) => times.filter((at) => at >= from && at - from < 1000).length);
      expect(countBusiestWindow(times.map((at) => ({ at })))).toBe(Math.max(0, ...counted));
    }),
  );
});
