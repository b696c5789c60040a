/** The first sweep is where the watch begins: nothing in it is news, and what is open is told in one summary. */
import { afterEach, expect, test } from 'vitest';
import { MINUTE, START, watchProvider, type WatchedProvider } from '../hostile/watched-provider.ts';
import { TRIES_ALL } from '../support/runs.ts';

let watched: WatchedProvider;
afterEach(() => watched.close());

const DAY = 24 * 60 * MINUTE;
/** Several pages of them; the provider's world takes the square of their number. */
const OLD = TRIES_ALL ? 300 : 80;

test(`${OLD} old notices: one summary, and silence after it`, async () => {
  watched = await watchProvider({
    before: ({ simulator: { status } }) => {
      for (let notice = 0; notice < OLD; notice += 1) {
        const id = status.openNotice({
          subject: `Old ${notice}`,
          components: ['SMS'],
          beganAt: START - 3 * DAY,
          endedAt: START - 2 * DAY,
        });
        status.closeNotice(id);
      }
    },
  });
  expect(watched.told()).toEqual(['source.baseline source (info)']);
  await watched.sweeps(12);
  expect(watched.told()).toEqual([]);
  expect(watched.events()).toEqual(['source.baseline source (info)']);
});

test('in the middle of an incident: it is in the summary, and followed to its end like any other', async () => {
  let id = 0;
  watched = await watchProvider({
    before: ({ simulator: { status } }) => {
      id = status.openNotice({ subject: 'No audio', components: ['SIP Trunks'], beganAt: START - 20 * MINUTE });
      status.updateNotice(id, { content: 'We are looking into it.' });
    },
  });
  const { daemon, provider } = watched;
  expect(watched.told()).toEqual(['source.baseline source (info)']);
  const [summary] = daemon.people.sent;
  expect(summary?.changes[0]?.transition.to).toBe('watching 12 components, 1 notice; open now: No audio');
  expect(summary?.alert.severity).toBe('critical');

  provider.simulator.status.updateNotice(id, { state: 'identified', content: 'A line card has failed.' });
  await watched.sweeps(1);
  provider.simulator.status.closeNotice(id);
  await watched.sweeps(2);
  expect(watched.told()).toEqual([`notice.state notice/${id} (update)`, `notice.closed notice/${id} (resolved)`]);
  const alerts = daemon.people.sent.slice(1).map(({ alert }) => alert);
  expect(new Set(alerts.map((alert) => alert.id)).size).toBe(1);
  expect(alerts.at(-1)?.startedAt).toBe(START - 20 * MINUTE);
});

test('with a component that is down and no notice: an alert in the summary, resolved when it comes back', async () => {
  watched = await watchProvider({ before: ({ simulator: { status } }) => status.setComponentState('SMS', 'degraded') });
  expect(watched.daemon.people.sent[0]?.changes[0]?.transition.to).toBe(
    'watching 12 components, 0 notices; open now: SMS degraded',
  );
  watched.told();
  watched.provider.simulator.status.setComponentState('SMS', null);
  await watched.sweeps(1);
  expect(watched.told()).toEqual(['component.state component/120 (resolved)']);
});

test('a source that cannot be read at first is told as unreachable, and has its baseline when it can', async () => {
  watched = await watchProvider({
    before: ({ simulator: { faults, status } }) => {
      status.openNotice({ subject: 'No audio', components: ['SIP Trunks'] });
      faults.add({ fault: { kind: 'html' } });
    },
  });
  await watched.sweeps(4);
  expect(watched.told()).toEqual(['source.unreachable source (open)']);
  watched.provider.simulator.faults.clear();
  await watched.sweeps(3);
  expect(watched.told().toSorted()).toEqual(['source.baseline source (info)', 'source.recovered source (resolved)']);
});
