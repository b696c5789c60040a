/** Sources in groups: what belongs together stays together, and all members find the same. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolveAccount, resolveStatusPage } from '../../src/config/config.ts';
import { findChangedShards, hashShards, listUnits, splitSources, toLayout } from '../../src/config/shards.ts';
import { breach } from '../support/runs.ts';

/** Pages by the number of their host, and accounts by the pages they name and the number of their host. */
interface Drawn {
  pages: number[];
  accounts: { pages: number[]; host: number; site: number | null }[];
  shards: number;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  pages: fc.array(fc.nat(6), { minLength: 1, maxLength: 8 }),
  accounts: fc.array(
    fc.record({
      pages: fc.array(fc.nat(7), { maxLength: 2 }),
      host: fc.nat(30),
      site: fc.option(fc.nat(7)),
    }),
    { maxLength: 20 },
  ),
  shards: fc.integer({ min: 1, max: 5 }),
});

function configured({ pages, accounts }: Pick<Drawn, 'pages' | 'accounts'>) {
  const statusPages = pages.map((host, index) =>
    resolveStatusPage({ name: `page-${index}`, base_url: `https://status-${host}.example.com/p/${index}` }),
  );
  const named = (page: number): string => `page-${page % pages.length}`;
  return {
    statusPages,
    accounts: accounts.map(({ pages: of, host, site }, index) =>
      resolveAccount(
        {
          name: `account-${index}`,
          base_url: `https://api-${host}.example.com`,
          api_key: 'k',
          ...(of.length > 0 && { status_pages: [...new Set(of.map(named))] }),
          ...(site !== null && { sites: { '192.0.2.1': { name: 'Office', status_pages: [named(site)] } } }),
        },
        statusPages,
        'UTC',
      ),
    ),
  };
}

test('every source is in one group, with its pages and with all that is asked of its origin', async () => {
  const law = async ({ shards, ...of }: Drawn): Promise<void> => {
    const config = configured(of);
    const groups = splitSources(config, shards);
    const groupOf = new Map(groups.flatMap(({ number, sources }) => sources.map((name) => [name, number])));
    const all = [...config.statusPages, ...config.accounts];
    expect(groups.flatMap(({ sources }) => sources).toSorted()).toEqual(all.map(({ name }) => name).toSorted());
    for (const { name, statusPages, sitePages } of config.accounts) {
      for (const page of [...statusPages, ...Object.values(sitePages).flat()]) {
        expect([name, groupOf.get(name)]).toEqual([name, groupOf.get(page)]);
      }
    }
    for (const { name, baseUrl } of all) {
      const beside = all.filter((other) => new URL(other.baseUrl).origin === new URL(baseUrl).origin);
      expect(new Set(beside.map((other) => groupOf.get(other.name)))).toEqual(new Set([groupOf.get(name)]));
    }
    // The order in which a member has them in its files says nothing.
    const turned = { statusPages: config.statusPages.toReversed(), accounts: config.accounts.toReversed() };
    expect(splitSources(turned, shards)).toEqual(groups);
    const [largest] = listUnits(config);
    const most = Math.max(...groups.map(({ sources }) => sources.length));
    expect(most).toBeLessThanOrEqual(Math.ceil(all.length / shards) + (largest?.length ?? 0) - 1);
    return await Promise.resolve();
  };
  expect(await breach(drawn, law, 3_000)).toBeNull();
});

test('what divides the sources otherwise is another layout', () => {
  const config = configured({ pages: [0, 1, 2], accounts: [] });
  const joined = configured({ pages: [0, 1, 1], accounts: [] });
  expect(toLayout(splitSources(config, 2))).toBe(toLayout(splitSources(config, 2)));
  const layouts = [splitSources(config, 2), splitSources(config, 3), splitSources(joined, 3)].map(toLayout);
  expect(new Set(layouts).size).toBe(3);
});

test('another layout concerns the shards that have other sources by it, and the first, which keeps removed ones', () => {
  const of = (...sources: string[][]) =>
    hashShards(sources.map((names, index) => ({ number: index + 1, sources: names })));
  const before = of(['a'], ['b', 'c'], ['d']);
  expect(findChangedShards(before, of(['a'], ['b', 'c'], ['d', 'e']))).toEqual([1, 3]);
  expect(findChangedShards(before, of(['a'], ['c'], ['b', 'd']))).toEqual([1, 2, 3]);
  expect(findChangedShards(before, of(['a'], ['b', 'c']))).toEqual([1, 2]);
  expect(findChangedShards(null, before)).toEqual([1, 2, 3]);
});
