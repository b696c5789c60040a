/** How often the provider is asked: no more than the pages there are, and the recent past every ten minutes. */
import { afterEach, describe, expect, test } from 'vitest';
import { MINUTE, START, watchProvider, type WatchedProvider } from '../hostile/watched-provider.ts';
import { cases } from '../support/runs.ts';

let watched: WatchedProvider;
afterEach(() => watched.close());

const PAGE = 25;
const pages = (count: number): number => Math.max(1, Math.ceil(count / PAGE));

function parts(count: number): { id: number; name: string }[] {
  return Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Component ${index + 1}` }));
}

/** Requests of one sweep, by what they asked for. */
async function requests(): Promise<string[]> {
  const { log } = watched.provider.simulator;
  log.clear();
  await watched.sweeps(1);
  return log.all().map(({ operation, query }) => {
    const timeline = new URLSearchParams(query).get('filter[timeline_state_eq]');
    return timeline === null ? String(operation) : `${operation} ${timeline}`;
  });
}

describe('a sweep without news asks 1 + ⌈C/25⌉ + ⌈P/25⌉ + ⌈F/25⌉ times', () => {
  const COUNTS = [
    [0, 0, 0],
    [25, 25, 25],
    [26, 26, 26],
    [60, 60, 60],
    [60, 0, 26],
    [1, 26, 0],
  ] as const;
  test.each(cases(COUNTS, 2))(
    'with %d components, %d present and %d future notices',
    async (components, present, future) => {
      watched = await watchProvider({
        parts: parts(components),
        before: ({ simulator: { status } }) => {
          for (let notice = 0; notice < present; notice += 1) {
            status.openNotice({ subject: `Incident ${notice}`, state: 'recovering' });
          }
          for (let notice = 0; notice < future; notice += 1) {
            status.scheduleMaintenance({
              subject: `Work ${notice}`,
              beginsAt: START + 90 * 24 * 60 * MINUTE,
              endsAt: START + 91 * 24 * 60 * MINUTE,
            });
          }
        },
      });
      for (let sweep = 0; sweep < 3; sweep += 1) {
        expect((await requests()).length).toBe(1 + pages(components) + pages(present) + pages(future));
      }
    },
  );
});

test('the first page of the recent past is read every ten minutes', async () => {
  watched = await watchProvider();
  const read: number[] = [];
  for (let minute = 1; minute <= 30; minute += 1) {
    if ((await requests()).includes('notices.list past_recent')) read.push(minute);
  }
  expect(read).toEqual([10, 20, 30]);
});

test('an incident that came and went between two sweeps is found in the recent past at once', async () => {
  watched = await watchProvider();
  const { status } = watched.provider.simulator;
  await watched.sweeps(2);
  const id = status.openNotice({ subject: 'Short', components: ['SMS'] });
  status.closeNotice(id);
  await watched.sweeps(1);
  expect(watched.told()).toEqual([`notice.closed notice/${id} (info)`]);
  expect((await requests()).includes('notices.list past_recent')).toBe(false);
});

test('a count of notices that swings to and fro is looked into once, not at every swing', async () => {
  watched = await watchProvider();
  const { faults } = watched.provider.simulator;
  let more = 0;
  faults.add({
    on: 'status.show',
    fault: {
      kind: 'transform',
      body: (body) => {
        const { page } = body as { page: { links: { notices: { count: number } } } };
        const notices = { ...page.links.notices, count: page.links.notices.count + (more % 2) };
        return { page: { ...page, links: { ...page.links, notices } } };
      },
    },
  });
  let extra = 0;
  for (let sweep = 0; sweep < 9; sweep += 1) {
    more += 1;
    if ((await requests()).length > 4) extra += 1;
  }
  expect(extra).toBe(1);
  expect(watched.events()).toEqual([]);
});

test('a flip that no notice explains asks for what is present once more in the same sweep, and only then', async () => {
  watched = await watchProvider();
  const { status } = watched.provider.simulator;
  status.setComponentState('SMS', 'degraded');
  const asked = await requests();
  expect(asked.filter((one) => one === 'notices.list present')).toHaveLength(2);
  // A sixth request would wait for the next second.
  expect(asked).toHaveLength(5);
  expect((await requests()).filter((one) => one === 'notices.list present')).toHaveLength(1);
});

test('the detail of a notice is asked for when the list shows it changed, and not otherwise', async () => {
  watched = await watchProvider();
  const { status } = watched.provider.simulator;
  const id = status.openNotice({ subject: 'No audio', components: ['SMS'] });
  expect((await requests()).filter((one) => one === 'notices.show')).toHaveLength(1);
  expect((await requests()).filter((one) => one === 'notices.show')).toHaveLength(0);
  status.updateNotice(id, { content: 'We are looking into it.' });
  expect((await requests()).filter((one) => one === 'notices.show')).toHaveLength(1);
  expect((await requests()).filter((one) => one === 'notices.show')).toHaveLength(0);
});

test('on a page of many components a flip in the first of them is asked about before the rest is read', async () => {
  watched = await watchProvider({ parts: parts(100) });
  const { status } = watched.provider.simulator;
  status.setComponentState('Component 1', 'degraded');
  const asked = await requests();
  const [again, third] = [asked.lastIndexOf('notices.list present'), asked.indexOf('components.list', 4)];
  expect(asked.filter((one) => one === 'notices.list present')).toHaveLength(2);
  expect(again).toBeLessThan(third);
  expect(watched.events()).toHaveLength(1);
  // Nothing has flipped since.
  expect((await requests()).filter((one) => one === 'notices.list present')).toHaveLength(1);
  expect(watched.events()).toEqual([]);
});

test('work that begins on a page of many components is told once, with its notice', async () => {
  watched = await watchProvider({ parts: parts(100) });
  const { status } = watched.provider.simulator;
  status.setComponentState('Component 1', 'under_maintenance');
  const asked = await requests();
  expect(asked.filter((one) => one === 'notices.list future')).toHaveLength(2);
});
