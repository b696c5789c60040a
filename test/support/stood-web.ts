/** The page of a state that a test has at hand, at an address of its own: the real routes and headers, without a daemon behind. */
import { createCommits } from '../../src/daemon/requests/web-place.ts';
import type { AlertStory } from '../../src/core/history/rows.ts';
import type { DaysView } from '../../src/core/report/days.ts';
import type { RecentDeliveries } from '../../src/core/view/recent-deliveries.ts';
import type { Story } from '../../src/core/view/story/story.ts';
import { createApp } from '../../src/web/app.ts';
import type { WaitingReport } from '../../src/core/view/status-schema.ts';
import { createListener } from '../../src/web/listener.ts';
import { createMetrics } from '../../src/web/data/metrics.ts';
import { serveWeb } from '../../src/web/serve.ts';
import type { Web } from '../../src/web/web.ts';
import type { Stood } from './firm-statuses.ts';

export interface StoodWeb extends AsyncDisposable {
  url: string;
  /** Shows this state from now on. */
  stand(stood: Shown): void;
  /** Forms that arrived: what they ask for, in turn. */
  asked: string[];
}

export interface Shown extends Stood {
  days?: DaysView | string | Promise<string>;
  deliveries?: RecentDeliveries;
  waiting?: readonly WaitingReport[];
  stories?: readonly Story[];
  /** By number, what the history has of an alert; default: nothing. */
  kept?: ReadonlyMap<number, AlertStory>;
}

/** Every viewer may change everything and has no name. */
export async function openStood(first: Shown): Promise<StoodWeb> {
  let shown = first;
  const asked: string[] = [];
  const commits = createCommits();
  const note = (what: string): Promise<null> => {
    asked.push(what);
    return Promise.resolve(null);
  };
  const web: Web = {
    recent: () => Promise.resolve(),
    status: () => shown.status,
    missed: () => Promise.resolve([]),
    alert: (number) => ({
      status: shown.status,
      story: (shown.stories ?? []).find((story) => story.number === number || story.also.includes(number)) ?? null,
      labelsOf: () => ({}),
    }),
    withSilence: () => shown.status,
    sourcesOf: () => new Set(shown.status.sources.map(({ name }) => name)),
    history: {
      days: async () => (await shown.days) ?? 'The history is not kept.',
      now: () => Promise.resolve(shown.history),
      deliveries: () => Promise.resolve(shown.deliveries ?? null),
      trouble: () => Promise.resolve(null),
      story: (number) => Promise.resolve(shown.kept?.get(number) ?? null),
      export: () => Promise.resolve({ cause: 'nothing kept', why: 'nothing is kept' }),
    },
    waiting: () => Promise.resolve(shown.waiting ?? []),
    metrics: createMetrics('1.2.3'),
    changes: {
      mute: (ask) => note(`silence ${JSON.stringify(ask.matchers)}`),
      endSilence: (id) => note(`end silence ${id}`),
      acknowledge: (number, by) => note(`acknowledge #${number} by ${by}`),
      release: (number, by) => note(`release #${number} by ${by}`),
      test: (receiver) => note(`test ${receiver}`).then(() => ({ proof: 'taken', said: `${receiver} answered 200` })),
      seen: (token) => note(`seen ${token}`).then(() => ({ receivers: ['ops-mail'] })),
      deliver: (what, receiver, id) => note(`${what} ${id} to ${receiver}`),
    },
    settings: () => ({
      names: { listenHost: '127.0.0.1', hostname: 'monitor', externalUrl: null },
      looks: {
        users: {},
        customersOf: {},
        proxyUserHeader: null,
        mayChange: null,
        silences: true,
        externalUrl: null,
      },
      metricsByPhone: false,
    }),
    refreshSeconds: 60,
    redact: (text) => text,
    failed(_request, error) {
      throw error;
    },
    onChange: commits.listen,
    now: () => shown.status.now,
  };
  const server = await serveWeb(createListener(createApp(web)), { host: '127.0.0.1', port: 0 }, (error) => {
    throw error;
  });
  return {
    url: server.url,
    asked,
    stand(stood) {
      shown = stood;
      commits.tell();
    },
    [Symbol.asyncDispose]: () => server.close(0),
  };
}
