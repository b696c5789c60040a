/**
 * A provider that invents ids for ever: what is remembered of it reaches a plateau, it is told once that there is more
 * than is followed, and nothing that is open is dropped.
 */
import { describe, expect, test } from 'vitest';
import { REMEMBERED } from '../../src/core/observation/limits.ts';
import type { DetailAnswer, Notice } from '../../src/core/page/page-model.ts';
import { missed, phones, town } from '../core/account/paper-town.ts';
import {
  component,
  listing,
  MINUTE,
  MISSED,
  MORNING,
  notice,
  update,
  watchingDesk,
  type Desk,
} from '../support/builders.ts';
import { cases, TRIES_ALL } from '../support/runs.ts';

const PER_LOOK = 100;
const MOST_GROWTH = 1.05;
/** Looks at what is slow to look at: the plateau is reached in the first half of either. */
const FEWER = TRIES_ALL ? 1 : 0.5;

/** How much larger the state, as it is written, becomes in the second half than it was in the first. */
function grown(looks: number, look: (round: number) => unknown): number {
  const most = [0, 0];
  for (let round = 1; round <= looks; round += 1) {
    const state = look(round);
    if (round % 5 !== 0) continue;
    const half = round <= looks / 2 ? 0 : 1;
    most[half] = Math.max(most[half] ?? 0, JSON.stringify(state).length);
  }
  const [first = 0, second = 0] = most;
  return second / first;
}

const ids = (round: number): string[] =>
  Array.from({ length: PER_LOOK }, (_, index) => String(round * PER_LOOK + index));
const tellsOfCrowd = (said: readonly string[]): string[] => said.filter((line) => line.includes('is not followed'));

describe('a status page', () => {
  function watch(
    sight: (round: number, page: Desk) => Parameters<Desk['look']>[0],
    looks = 120,
  ): { page: Desk; growth: number; said: string[] } {
    const page = watchingDesk();
    const said: string[] = [];
    const growth = grown(looks, (round) => {
      said.push(...page.look(sight(round, page)));
      return page.state;
    });
    return { page, growth, said };
  }

  test.runIf(TRIES_ALL)('notices that come open and are gone at the next look', () => {
    const { page, growth } = watch(
      (round) => ({
        notices: ids(round).map((id) => notice(id)),
        answers: Object.fromEntries(
          ids(round - 1).map((id): [string, DetailAnswer] => [id, { kind: 'absent', status: 404 }]),
        ),
      }),
      60,
    );
    expect(growth).toBeLessThan(MOST_GROWTH);
    expect(page.state.alerts.filter(({ status }) => status === 'open')).toHaveLength(PER_LOOK);
  });

  test('notices that never end: those that were told stay, no more are taken up, and that is told once', () => {
    const { page, growth, said } = watch((round) => ({ notices: ids(round).map((id) => notice(id)) }), 40 * FEWER);
    expect(growth).toBeLessThan(MOST_GROWTH);
    const open = page.state.alerts.filter(({ status }) => status === 'open');
    expect(open).toHaveLength(REMEMBERED.openNotices);
    expect(open.map((alert) => alert.notice)).toEqual(
      Array.from({ length: REMEMBERED.openNotices }, (_, index) => String(PER_LOOK + index)),
    );
    expect(tellsOfCrowd(said)).toEqual([expect.stringMatching(/^\* source.schema .* notices: more than 500 are open/)]);
  });

  test('notices that are over when they are first seen', () => {
    const over = { state: 'resolved', timeline: 'past_recent', endedAt: MORNING } as const;
    const { growth } = watch((round) => ({ notices: ids(round).map((id) => notice(id, over)) }), 60 * FEWER);
    expect(growth).toBeLessThan(MOST_GROWTH);
  });

  test.runIf(TRIES_ALL)('components that are others at every look', () => {
    const others = (round: number) =>
      ids(round)
        .slice(0, 10)
        .map((id) => component(id, { state: 'degraded' }));
    const { growth } = watch((round) => ({ components: others(round) }), 1_100);
    expect(growth).toBeLessThan(MOST_GROWTH);
  });

  test.runIf(TRIES_ALL)('components of lists that are never complete', () => {
    const { page, growth, said } = watch(
      (round) => ({
        components: listing(
          ids(round).map((id) => component(id)),
          { missing: MISSED },
        ),
      }),
      280,
    );
    expect(growth).toBeLessThan(MOST_GROWTH);
    expect(page.state.snapshot.components).toHaveLength(REMEMBERED.components);
    expect(tellsOfCrowd(said)).toHaveLength(1);
  });

  test('a notice with another update at every look, whose history cannot be read', () => {
    const answers = { '7': MISSED };
    const text = 'x'.repeat(2_000);
    const { page, growth } = watch((round) => {
      const latest: Notice['latestUpdate'] = update(`${round} ${text}`, MORNING + round * MINUTE);
      return { notices: [notice('7', { latestUpdate: latest, updatedAt: MORNING + round * MINUTE })], answers };
    });
    expect(growth).toBeLessThan(MOST_GROWTH);
    expect(page.state.snapshot.notices?.[0]?.updates.at(-1)?.content).toContain('120 ');
  });

  test('defects that are others at every third look', () => {
    const { growth, said } = watch((round) => {
      const defects = ids(Math.floor(round / 4)).map((id) => ({ key: id, text: `row ${id} is odd` }));
      return { components: listing([component('1')], { defects }) };
    });
    expect(growth).toBeLessThan(MOST_GROWTH);
    expect(said.filter((line) => line.includes('is odd'))).toHaveLength(50);
  });
});

describe('an account', () => {
  test.runIf(TRIES_ALL)('phones that are others at every look', () => {
    const all = town();
    const account = all.account('acme', phones(1, 3, '203.0.113.7'));
    account.sweep(0);
    const PER_SWEEP = 700;
    const told: string[] = [];
    const growth = grown(38, (round) => {
      account.phones = phones(1_000 + round * PER_SWEEP, PER_SWEEP, '203.0.113.7').map((phone) => ({
        ...phone,
        up: true,
      }));
      account.sweep(MINUTE);
      told.push(...all.events('source.schema').map(({ transition }) => String(transition.to)));
      all.sent.length = 0;
      return account.state;
    });
    expect(growth).toBeLessThan(MOST_GROWTH);
    expect(account.state.snapshot.phones).toHaveLength(REMEMBERED.phones);
    expect(tellsOfCrowd([...new Set(told)])).toHaveLength(1);
  });

  test('a phone with another device and another network at every look', () => {
    const all = town();
    const account = all.account('acme', phones(100, 3, '203.0.113.7'));
    account.sweep(0);
    const growth = grown(120, (round) => {
      for (const phone of account.phones) {
        phone.agent = `Maker Model-${round} 1.0.${round}`;
        phone.address = `10.${round}.0.1`;
      }
      account.sweep(MINUTE);
      return account.state;
    });
    expect(growth).toBeLessThan(MOST_GROWTH);
  });

  test('toggles that are others at every look, in lists complete and not', () => {
    for (const missing of cases([null, missed()])) {
      const all = town();
      const account = all.account('acme', phones(100, 3, '203.0.113.7'));
      account.sweep(0);
      const growth = grown(120, (round) => {
        const items = ids(round).map((id) => ({ id, name: `Toggle ${id}`, status: true }));
        account.instead.toggles = { kind: 'observed', items, defects: [], missing };
        account.sweep(MINUTE);
        return account.state;
      });
      expect(growth).toBeLessThan(MOST_GROWTH);
    }
  });
});
