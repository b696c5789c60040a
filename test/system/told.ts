/** What changes at the pages, and what the bus is told of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Provider } from '../../src/simulator/embedded-provider.ts';
import type { HttpReceiver } from '../support/http-receiver.ts';
import type { CloudEvent } from '../support/site.ts';

export interface WatchedPage {
  name: string;
  provider: Provider;
}

/** A notice of a page. */
export interface Notice {
  page: WatchedPage;
  id: number;
}

const TOLD_WITHIN_MS = 180_000;

/** What the bus was told. */
export interface Told {
  /** Resolves as soon as it is; rejects after three minutes. */
  when(change: 'opened' | 'closed', notice: Notice): Promise<void>;
  has(change: 'opened' | 'closed', notice: Notice): boolean;
  /** How many posts had something that was told before. */
  twice(): number;
  /** Numbers that several alerts have. */
  sharedNumbers(): number[];
}

/** Each post is looked at once: over many faults they are thousands. */
export function createTold({ taken }: HttpReceiver): Told {
  const [ids, said, numbered] = [new Set<string>(), new Set<string>(), new Map<number, Set<string>>()];
  let [read, twice] = [0, 0];

  function look(): void {
    for (; read < taken.length; read += 1) {
      const events = JSON.parse(taken[read]?.body ?? '[]') as CloudEvent[];
      if (events.some(({ id }) => ids.has(id))) twice += 1;
      for (const { id, type, source, subject, data } of events) {
        ids.add(id);
        said.add(`${type} ${subject} ${String(source).split('/').at(-1)}`);
        const { number } = data.alert;
        if (number !== null) numbered.set(number, (numbered.get(number) ?? new Set()).add(data.alert.id));
      }
    }
  }

  function has(change: string, { page, id }: Notice): boolean {
    look();
    return said.has(`linewatch.notice.${change} notice/${id} ${page.name}`);
  }

  return {
    has,
    async when(change, notice) {
      const until = performance.now() + TOLD_WITHIN_MS;
      while (!has(change, notice)) {
        if (performance.now() > until) {
          throw new Error(`${notice.page.name}: notice/${notice.id} is not told as ${change}`);
        }
        await sleep(10);
      }
    },
    twice() {
      look();
      return twice;
    },
    sharedNumbers() {
      look();
      return [...numbered].flatMap(([number, alerts]) => (alerts.size > 1 ? [number] : []));
    },
  };
}

/** Opens one at each of the pages; how long it takes until all of them are told, in milliseconds. */
export async function openAll(
  { told }: { told: Told },
  pages: readonly WatchedPage[],
  subject: string,
): Promise<{ notices: Notice[]; toldAfterMs: Promise<number> }> {
  const at = performance.now();
  const notices = pages.map((page) => ({ page, id: page.provider.simulator.status.openNotice({ subject }) }));
  const all = Promise.all(notices.map((notice) => told.when('opened', notice)));
  return { notices, toldAfterMs: all.then(() => performance.now() - at) };
}

/** And they are over; resolves when that is told. */
export async function closeAll({ told }: { told: Told }, notices: readonly Notice[]): Promise<void> {
  for (const { page, id } of notices) page.provider.simulator.status.closeNotice(id);
  await Promise.all(notices.map((notice) => told.when('closed', notice)));
}
