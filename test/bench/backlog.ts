/** Ten thousand alerts that wait for a dead receiver: what a start costs, and what it takes to deliver them. */
import { systemClock } from '../../src/daemon/common/clock.ts';
import { createPending } from '../../src/daemon/delivery/pending.ts';
import { findExcessEntries } from '../../src/core/outbox/retention.ts';
import type { Entry } from '../../src/core/outbox/message.ts';
import { deliverFromMemory } from '../support/memory-delivery.ts';
import { NOW, opened } from '../support/messages.ts';
import type { Row } from './figures.ts';
import { timed } from './timing.ts';

const COUNT = 10_000;

function backlog(): Entry[] {
  const { alert, changes } = opened();
  return Array.from({ length: COUNT }, (_each, number) => ({
    alert: { ...alert, id: `alert ${number}`, number },
    changes: changes.map((change) => ({ ...change, transition: { ...change.transition, id: `transition ${number}` } })),
    reminder: 0,
    promisedAt: NOW + number,
    to: [{ receiver: 'ops', first: true, dueAt: NOW }],
  }));
}

/** Resolves when so many of them have been delivered to a receiver that takes everything at once. */
async function deliver(outbox: readonly Entry[], audience: 'people' | 'programs', count = COUNT): Promise<number> {
  const stop = new AbortController();
  let sent = 0;
  await deliverFromMemory({
    outbox,
    clock: systemClock,
    stop: stop.signal,
    audience,
    batch: audience === 'people' ? 1 : 100,
    send(messages) {
      sent += messages.length;
      if (sent >= count) stop.abort();
      return Promise.resolve({ kind: 'delivered', detail: '' });
    },
  });
  return sent;
}

export async function measureBacklog(): Promise<Row[]> {
  const text = JSON.stringify(backlog());
  const outbox = JSON.parse(text) as Entry[];
  const row = { bare: null, unit: 'ms', wanted: null };
  const read = await timed(10, () => {
    const pending = createPending();
    pending.replace('provider', { outbox: JSON.parse(text) as Entry[] }, true);
    if (pending.to('ops').length !== COUNT) throw new Error('not all that waits is listed');
  });
  const bounded = await timed(20, () => findExcessEntries(outbox, () => false, NOW));
  const drained = await timed(5, async () => {
    if ((await deliver(outbox, 'programs')) !== COUNT) throw new Error('not all that waited was delivered');
  });
  const people = await timed(10, () => deliver(outbox, 'people', 100));
  return [
    { ...row, what: '10,000 alerts that wait: read and listed at a start', linewatch: read },
    { ...row, what: 'likewise: is it too much, at each sweep', linewatch: bounded },
    { ...row, what: 'likewise: all delivered to a program', linewatch: drained },
    { ...row, what: 'likewise: the first 100 delivered to people', linewatch: people },
  ];
}
