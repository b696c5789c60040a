/** `linewatch demo`: the product at work within seconds, on an embedded provider that tells a story. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLimiters, prepare, type Assembled } from '../daemon/assemble.ts';
import { documentsIn } from '../daemon/documents.ts';
import { archiveInFile } from '../history/in-file.ts';
import { openLog } from '../log/open-log.ts';
import { loadScenario } from '../simulator/scenario/run-scenario.ts';
import type { Scenario } from '../simulator/scenario/scenario.ts';
import { realDisk } from '../store/disk.ts';
import { lockStateDirectory } from '../store/lock.ts';
import { openFiles } from '../store/files.ts';
import { decimal, defineCommand, EXIT, integer } from './command.ts';
import { demoPage } from './demo-page.ts';
import { CARRIER, demoConfig, demoReceivers, PAGE } from './demo-setup.ts';
import { createDemoStory } from './demo-story.ts';
import { startedProvider } from './provider.ts';
import { openHistory } from './run/open-history.ts';
import { clockFor, untilStopped } from './platform.ts';

export const demo = defineCommand({
  description:
    'Starts an embedded provider and the real daemon, and lets a story unfold: planned work, and an outage that opens, ' +
    'worsens, recovers and ends, and a site that its carrier cuts off. Alerts appear on the terminal and on a page to look at; the Slack payload and the mail ' +
    'of each are saved as files. Nothing leaves this machine. Ctrl-C ends it.',
  options: {
    speed: decimal('N', 'make the pauses of the story N times shorter, but tell all of it; default 1', {
      min: 0.05,
      max: 1_000,
    }),
    port: integer('P', 'where the embedded provider listens; default: a free port', { min: 0, max: 65_535 }),
  },
  examples: [
    ['linewatch demo', 'the story in its own time, about 15 seconds'],
    ['linewatch demo --speed 0.5', 'at half the speed, to read along'],
  ],
  async run({ platform, options }) {
    const directory = await mkdtemp(join(tmpdir(), 'linewatch-demo-'));
    const stateDir = join(directory, 'state');
    const storyIn = (file: string): Scenario => loadScenario(join(platform.packageDirectory, 'config/scenarios', file));
    const [scenario, cut] = [storyIn('demo.yaml'), storyIn('demo-carrier.yaml')];
    const clock = clockFor(platform);
    const provider = await startedProvider({ port: options.port, scenario, startStory: false });
    const carrier = await startedProvider({ as: 'statuspage', scenario: cut, startStory: false });
    const stop = new AbortController();
    const lock = await lockStateDirectory({ directory: stateDir, pid: platform.pid, user: platform.user });
    const store = openFiles({ directory: stateDir, disk: realDisk, access: 'write', now: clock.now });
    const log = await openLog(platform.err, { level: 'error', format: 'auto', redact: (text) => text }, clock);
    const config = demoConfig({
      statusUrl: provider.statusUrl,
      carrierUrl: carrier.statusUrl,
      accountUrl: provider.accountUrl,
      token: provider.token,
      stateDir,
      timezone: platform.timezone,
    });
    const copies = join(directory, 'messages');
    const page = demoPage({ config, platform, clock, log, daemon: () => assembled.daemon });
    const story = createDemoStory({
      acts: [
        { page: PAGE, steps: scenario.steps, advance: () => void provider.story?.advance() },
        { page: CARRIER, steps: cut.steps, advance: () => void carrier.story?.advance() },
      ],
      speed: options.speed ?? 1,
      clock,
      daemon: () => assembled.daemon,
    });
    const history = openHistory(archiveInFile(stateDir, clock.now), {
      present: { config, assembled: null },
      clock,
      log,
    });
    const assembled: Assembled = await prepare({
      config,
      receivers: demoReceivers(config, platform, copies),
      documents: documentsIn(store, (finding) => log.warn('state', { detail: finding.message })),
      limiters: createLimiters(),
      clock,
      random: platform.random,
      log,
      userAgent: `linewatch/${platform.version}`,
      observer: {
        ...page.observer,
        sweepBegan: story.observer.sweepBegan,
        sweepEnded(source) {
          page.observer.sweepEnded(source);
          story.observer.sweepEnded(source);
        },
        attempted(attempt) {
          page.observer.attempted(attempt);
          story.observer.attempted(attempt);
        },
      },
      digest: null,
      history,
      onRequest: page.requested,
    }).start();
    const url = await page.open();
    platform.out.write(
      [
        'Linewatch watches an embedded provider and tells what changes. Nothing leaves this machine.',
        `  Linewatch's page, to look at: ${url}/`,
        `  the provider's status page:   ${provider.statusUrl}/api/v1/status`,
        `  that of a site's carrier:     ${carrier.statusUrl} (a Statuspage)`,
        `  Slack payloads and mails:     ${copies}`,
        '  Ctrl-C ends it.',
        '',
        '',
      ].join('\n'),
    );
    const running = assembled.daemon.run(stop.signal);
    const stopped = untilStopped(platform);
    try {
      await Promise.race([stopped, story.tell(stop.signal)]);
      platform.out.write(`\nThat is the story. The Slack payloads and mails are in ${copies}; Ctrl-C ends the demo.\n`);
      await stopped;
      return EXIT.done;
    } finally {
      stop.abort();
      await running;
      await page.close();
      assembled.close();
      await history.close();
      await store.close();
      lock.release();
      await provider.close();
      await carrier.close();
    }
  },
});
