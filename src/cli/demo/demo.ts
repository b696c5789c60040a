/** `linewatch demo`: shows the product within seconds, on an embedded provider that plays a story. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { MINUTE } from '../../core/text/duration.ts';
import { decimal, defineCommand, EXIT, flag, integer } from '../command.ts';
import { openNight, type DemoNight } from './demo-night.ts';
import { MANY_CUSTOMERS, ONE_FIRM } from './demo-setup.ts';
import {
  describeInterruption,
  describeInvitation,
  describeEndedDemo,
  describeDemoOpening,
  describeRunningDemo,
} from './demo-words.ts';
import { SIGNALS, waitForStop, type Platform, type StandardInput } from '../platform.ts';

export const demo = defineCommand({
  description:
    'Starts an embedded provider and the real daemon, and lets a night pass in a minute: an outage at the provider, ' +
    'phones that are lost and found, planned work, a site of its own trouble. Alerts appear on the terminal and on a page ' +
    'to look at; the Slack payload and the mail of each are kept as files until the end. On a terminal the night begins ' +
    'when the page is opened or Enter is pressed, and the daemon stays until Ctrl-C. Nothing leaves this machine.',
  options: {
    speed: decimal('N', 'let the night pass N times as fast, but tell all of it; default 1', {
      min: 0.05,
      max: 1_000,
    }),
    port: integer('P', 'where the embedded provider listens; default: a free port', { min: 0, max: 65_535 }),
    firm: flag('the night of a firm that looks after twenty customers'),
    keep: flag('keep the Slack payloads, the mails and the state'),
  },
  examples: [
    ['linewatch demo', "one firm's night, in about a minute"],
    ['linewatch demo --firm', 'an outage that hits many of twenty customers'],
    ['linewatch demo --speed 0.5', 'at half the speed, to read along'],
  ],
  async run({ platform, options: { speed = 1, port, firm, keep } }) {
    const stopped = waitForStop(platform, SIGNALS);
    const folder = await mkdtemp(join(tmpdir(), 'linewatch-demo-'));
    const cleanUp = (): void => {
      if (!keep) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    };
    // A reader that leaves early (`| head`) ends the process at once.
    platform.out.stream.prependListener('error', cleanUp);
    try {
      const story = firm ? MANY_CUSTOMERS : ONE_FIRM;
      await using night = await openNight({ platform, story, speed, port, folder });
      platform.out.write(describeDemoOpening(story, night, MINUTE / speed));
      await tellNight(night, { platform, folder, keep }, stopped);
      return EXIT.done;
    } finally {
      platform.out.stream.off('error', cleanUp);
      cleanUp();
    }
  },
});

interface DemoRun {
  platform: Platform;
  folder: string;
  keep: boolean;
}

/** Resolves at the end of the story, and on a terminal when the user ends it. */
async function tellNight(night: DemoNight, { platform, ...place }: DemoRun, stopped: Promise<unknown>): Promise<void> {
  const { input, out } = platform;
  const isOnTerminal = input.isTerminal && out.isTerminal;
  /** False if it was stopped first. */
  const comesBeforeStop = (what: Promise<unknown>): Promise<boolean> =>
    Promise.race([stopped.then(() => false), what.then(() => true)]);
  const isTold =
    (await comesBeforeStop(night.begin())) &&
    (!isOnTerminal || (await comesBeforeStop(firstLook(night.looked, input, () => out.write(describeInvitation()))))) &&
    (await comesBeforeStop(night.tell()));
  if (!isTold) return out.write(describeInterruption(place));
  const { open } = night.status();
  // An alert about own phones needs action.
  const alert = open.find(({ sources }) => sources.some((source) => night.accounts.includes(source))) ?? open[0];
  if (!isOnTerminal) return out.write(describeEndedDemo({ ...place, alert }));
  out.write(await describeRunningDemo({ ...place, alert }, night.url, platform));
  await stopped;
}

/** Resolves when the page is opened or Enter is pressed; invites to it before the first visit. */
async function firstLook(looked: Promise<void>, { stream }: StandardInput, invite: () => void): Promise<void> {
  const entered = Promise.withResolvers<void>();
  const read = (piece: unknown): void => (/[\r\n]/.test(String(piece)) ? entered.resolve() : undefined);
  stream.on('data', read);
  const unvisited = setImmediate('unvisited' as const);
  if ((await Promise.race([looked, unvisited])) === 'unvisited') invite();
  await Promise.race([looked, entered.promise]);
  stream.off('data', read).pause();
}
