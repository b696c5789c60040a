/** What is said of routes beforehand is what happens: no alert gets where nothing was said to get. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Facts, createFacts } from '../../../src/core/alert/matchers.ts';
import { listReachableReceivers, listReaches } from '../../../src/core/alert/route-coverage.ts';
import { findMatchingRoutes, findReached, type Route, type RouteEvent } from '../../../src/core/alert/route.ts';
import { KINDS, listKinds, SEVERITIES, STATUSES } from '../../../src/core/transition/kind.ts';
import { everyone } from '../../support/running-daemon.ts';

const SOURCES = [
  { name: 'provider', labels: {} },
  { name: 'acme', labels: { customer: 'acme', tier: 'gold' } },
  { name: 'globex', labels: { customer: 'globex' } },
];
const KIND = ['notice.opened', 'registration.lost', 'toggle.state'] as const;
const PLACES = ['Perth', 'Perth North', 'Richmond'];
const few = <T>(...all: T[]): fc.Arbitrary<T[]> =>
  fc.uniqueArray(fc.constantFrom(...all), { minLength: 1, maxLength: 2 });

const matchers = fc.record(
  {
    source: few('provider', 'acme', 'GLOBEX', '*'),
    severity: few('info', 'warning', 'c*'),
    kind: few('notice.*', 'registration.lost', '*'),
    customer: few('acme', '*', 'none'),
    site: few('Perth*', 'Perth', 'R*', '*'),
    component: few('SMS', '?MS'),
  },
  { requiredKeys: [] },
);

const wishes = fc.record({
  matchers,
  receivers: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
  minSeverity: fc.option(fc.constantFrom(...SEVERITIES)),
  events: fc.option(few<RouteEvent>('opened', 'updated', 'resolved', 'info')),
  continue: fc.boolean(),
});

function above(routes: fc.Arbitrary<Route[]>): fc.Arbitrary<Route> {
  return fc.tuple(wishes, routes).map(([own, below]) => ({ ...everyone([]), ...own, routes: below }));
}

const tree = above(fc.array(above(fc.array(above(fc.constant([])), { maxLength: 2 })), { maxLength: 4 }));

const asked: fc.Arbitrary<Facts> = fc
  .record({
    source: fc.constantFrom(...SOURCES),
    severity: fc.constantFrom(...SEVERITIES),
    kind: fc.constantFrom(...KIND),
    sites: fc.subarray(PLACES),
    components: fc.subarray(['SMS', 'Trunks']),
  })
  .map(({ source, severity, kind, sites, components }) =>
    createFacts([
      ...Object.entries(source.labels).map(([key, value]) => [key, [[value]]] as const),
      ['source', [[source.name]]],
      ['severity', [[severity]]],
      ['kind', [[kind]]],
      ['site', sites.map((name) => [name])],
      ['component', components.map((name) => [name])],
    ]),
  );

test('no alert gets to a route that was said never to be reached, and nobody hears by one that was said to tell nothing', () => {
  fc.assert(
    fc.property(tree, fc.array(asked, { maxLength: 20 }), (written, alerts) => {
      const root = { ...written, matchers: {}, continue: false };
      const reaches = listReaches(root, SOURCES);
      for (const facts of alerts) {
        for (const leaf of findMatchingRoutes(root, facts)) {
          expect(reaches.find(({ route }) => route === leaf)).toMatchObject({ never: null, isLeaf: true });
        }
        const severity = SEVERITIES.find((each) => facts.values.get('severity')?.[0]?.includes(each)) ?? 'info';
        for (const status of STATUSES) {
          for (const { receiver, route, wanted } of findReached(root, facts, { severity, statuses: [status] })) {
            if (wanted) expect(reaches.find((reach) => reach.route === route)?.tells.has(receiver)).toBe(true);
          }
        }
      }
    }),
  );
});

test('whoever hears of anything of a source is among its hearers, and nobody else', () => {
  fc.assert(
    fc.property(tree, fc.array(asked, { maxLength: 20 }), (written, alerts) => {
      const root = { ...written, matchers: {}, continue: false };
      const hearers = new Map(SOURCES.map((source) => [source.name, listReachableReceivers(root, source, KINDS)]));
      for (const source of SOURCES) {
        const tells = listReaches(root, [source]).flatMap((reach) => [...reach.tells]);
        expect([...(hearers.get(source.name) ?? [])].toSorted()).toEqual([...new Set(tells)].toSorted());
      }
      for (const facts of alerts) {
        const name = facts.values.get('source')?.[0]?.[0] ?? '';
        const severity = SEVERITIES.find((each) => facts.values.get('severity')?.[0]?.includes(each)) ?? 'info';
        for (const status of STATUSES) {
          for (const { receiver, wanted } of findReached(root, facts, { severity, statuses: [status] })) {
            if (wanted) expect(hearers.get(name)?.has(receiver)).toBe(true);
          }
        }
      }
    }),
  );
});

test('what no alert of a source is left over for hears nothing of it', () => {
  const [, acme, globex] = SOURCES;
  const below = (matchers: Route['matchers'], ...receivers: string[]): Route => ({ ...everyone(receivers), matchers });
  const severe = below({ customer: ['acme'], severity: ['critical'] }, 'pager');
  const rest = below({ customer: ['acme'], severity: ['info', 'warning'] }, 'mail');
  const hears = (...routes: Route[]): string[][] =>
    [acme, globex].map((source) =>
      [...listReachableReceivers({ ...everyone(['root']), routes }, source!, listKinds('account'))].toSorted(),
    );
  expect(hears(severe, rest)).toEqual([['mail', 'pager'], ['root']]);
  expect(hears(severe)).toEqual([['pager', 'root'], ['root']]);
  expect(hears({ ...severe, continue: true }, below({}, 'all'))).toEqual([['all', 'pager'], ['all']]);
  expect(hears(below({ kind: ['notice.*', 'linewatch.*'] }, 'notices'))).toEqual([['root'], ['root']]);
  expect(hears(below({ customer: ['acme'], site: ['Perth'] }, 'perth'))).toEqual([['perth', 'root'], ['root']]);
});

test('what is told of a source is told of a page or of an account, and nothing of it by Linewatch of itself', () => {
  const known = new Set([...listKinds('status page'), ...listKinds('account')]);
  const own = KINDS.filter((kind) => !known.has(kind));
  expect(new Set(own.map((kind) => kind.split('.')[0]))).toEqual(new Set(['receiver', 'linewatch']));
});

test('a route for two sites notifies about one where an earlier route takes the other, and not where routes take both', () => {
  const at = (...site: string[]): Route => ({ ...everyone(['ops']), matchers: { site } });
  const told = (...routes: Route[]): boolean[] => {
    const reaches = listReaches({ ...everyone(['root']), routes }, SOURCES);
    return routes.map((route) => reaches.find((reach) => reach.route === route)?.tells.has('ops') ?? false);
  };
  expect(told(at('Perth'), at('Richmond', 'Perth'))).toEqual([true, true]);
  expect(told(at('Perth'), at('Richmond'), at('Richmond', 'Perth'))).toEqual([true, true, false]);
});
