/** What a listing costs the core: counted in looks at what was given, for a clock would say something else on every machine. */
import { expect, test } from 'vitest';
import { LIMITS } from '../../../src/core/observation/limits.ts';
import { listAncestors, createExplainer, createRelatives } from '../../../src/core/page/fold.ts';
import { createReplacementFinder } from '../../../src/core/page/notice.ts';
import type { NoticeMemory } from '../../../src/core/page/snapshot.ts';
import { notice } from '../../support/builders.ts';

const COUNT = 1000;

function noticeMemory(own: Partial<NoticeMemory> & { id: string }): NoticeMemory {
  const { latestUpdate: _, updates, ...seen } = notice(own.id);
  return {
    ...seen,
    updates: updates.map(({ state, content, createdAt }) => ({ state, content, createdAt })),
    components: [],
    listed: null,
    firstSeenAt: 0,
    closedAt: null,
    withdrawn: false,
    wasAcute: false,
    revision: 0,
    finalLook: false,
    windowSince: 0,
    said: [],
    ...own,
  };
}

/** The same objects, with every look at one of their fields counted. */
function counted<T extends object>(objects: readonly T[]): { objects: T[]; looks: () => number } {
  let looks = 0;
  return {
    objects: objects.map(
      (object) =>
        new Proxy(object, {
          get(target, field, receiver) {
            looks += 1;
            return Reflect.get(target, field, receiver) as unknown;
          },
        }),
    ),
    looks: () => looks,
  };
}

const CHAIN = Array.from({ length: COUNT }, (_, id) => ({ id: `${id}`, parentId: id === 0 ? null : `${id - 1}` }));

test('the way up ends where no real tree goes further', () => {
  const parents = new Map(CHAIN.map(({ id, parentId }) => [id, parentId]));
  const path = listAncestors(parents, `${COUNT - 1}`);
  expect(path).toHaveLength(LIMITS.levels);
  expect(path[0]).toBe(`${COUNT - 2}`);
});

test('relatives are found in one walk, however many ask', () => {
  const { objects, looks } = counted(CHAIN);
  const relatives = createRelatives(objects);
  expect(looks()).toBe(0);
  for (const { id } of CHAIN) expect(relatives(id).size).toBeLessThanOrEqual(2 * LIMITS.levels);
  expect(looks()).toBeLessThan(10 * COUNT);
});

test('notices are gone through once, however many components ask which of them explains it', () => {
  const notices = Array.from({ length: COUNT }, (_, id) =>
    noticeMemory({ id: `${id}`, beganAt: id, components: [{ id: `${id % 10}`, name: 'x' }] }),
  );
  const { objects, looks } = counted(notices);
  const explain = createExplainer(objects);
  const before = looks();
  for (let id = 0; id < COUNT; id += 1) explain(`${id}`, 'degraded', new Set(['0']));
  expect(before).toBeLessThan(100 * COUNT);
  // Two candidates each for the component and its relative.
  expect(looks() - before).toBeLessThan(20 * COUNT);
  expect(explain('3', 'degraded', new Set())?.id).toBe('993');
});

test('withdrawn notices are gone through once, however many might stand for one of them', () => {
  const withdrawn = Array.from({ length: COUNT }, (_, id) =>
    noticeMemory({ id: `${id}`, subject: `Trouble ${id}`, withdrawn: true, closedAt: 0 }),
  );
  const { objects, looks } = counted<NoticeMemory>(withdrawn);
  const replacedBy = createReplacementFinder(objects, 0);
  for (let id = 0; id < COUNT; id += 1) {
    const fresh = noticeMemory({ id: `${COUNT + id}`, subject: `TROUBLE, ${id}` });
    expect(replacedBy(fresh, () => true)?.id).toBe(`${id}`);
  }
  expect(looks()).toBeLessThan(100 * COUNT);
});
