/** The queue in front of a pool: as many at once as there are connections, in order, and all refused together. */
import { expect, test } from 'vitest';
import { createSeats } from '../../../src/store/postgres/seats.ts';

async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

function scene(count: number) {
  const seats = createSeats(count);
  const began: string[] = [];
  function begin(name: string) {
    const end = Promise.withResolvers<string>();
    const used = seats.use(async () => {
      began.push(name);
      return await end.promise;
    });
    return { used, end };
  }
  return { seats, began, begin };
}

test('as many run at once as there are seats, and the others in their order', async () => {
  const { began, begin } = scene(2);
  const [a, b, c, d] = [begin('a'), begin('b'), begin('c'), begin('d')];
  await turns();
  expect(began).toEqual(['a', 'b']);
  b.end.reject(new Error('refused'));
  await expect(b.used).rejects.toThrow('refused');
  await turns();
  expect(began).toEqual(['a', 'b', 'c']);
  for (const one of [a, c, d]) one.end.resolve('done');
  expect(await Promise.all([a.used, c.used, d.used])).toEqual(['done', 'done', 'done']);
});

test('what waits is refused together, what runs goes on, and the next gets a seat', async () => {
  const { seats, began, begin } = scene(1);
  const [a, b, c] = [begin('a'), begin('b'), begin('c')];
  seats.refuse(new Error('away'));
  await expect(b.used).rejects.toThrow('away');
  await expect(c.used).rejects.toThrow('away');
  a.end.resolve('done');
  expect(await a.used).toBe('done');
  const d = begin('d');
  d.end.resolve('done');
  expect(await d.used).toBe('done');
  expect(began).toEqual(['a', 'd']);
});
