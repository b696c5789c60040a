/** Texts of the demonstration besides its messages. */
import { realpath } from 'node:fs/promises';
import { delimiter, join, relative } from 'node:path';
import { wrap } from '../../core/text/wrap.ts';
import type { OpenAlert } from '../../core/view/system-status.ts';
import { formatElapsed, findZoneName } from '../../core/wording/time.ts';
import type { DemoNight } from './demo-night.ts';
import { findDemoFile, type DemoStory } from './demo-setup.ts';
import type { Platform } from '../platform.ts';

type DemoOpening = Pick<DemoNight, 'url' | 'statusUrl' | 'timezone'>;

/** `lengthMs` is its duration. */
export function describeDemoOpening(
  { about }: DemoStory,
  { url, statusUrl, timezone }: DemoOpening,
  lengthMs: number,
): string {
  return lines([
    `Linewatch watches the night of ${about}.`,
    `It takes about ${formatElapsed(lengthMs)}; times are in ${findZoneName(0, timezone)}, where it is night now.`,
    'Nothing leaves this machine.',
    '',
    `  Linewatch's page, to look at: ${url}/`,
    `  the provider's status page:   ${statusUrl}/api/v1/status`,
    '',
  ]);
}

export function describeInvitation(): string {
  return lines(['Open the page, or press Enter, and the night begins. Ctrl-C ends it.', '']);
}

interface DemoEnding {
  folder: string;
  keep: boolean;
  /** An open alert; undefined for none. */
  alert: Pick<OpenAlert, 'number' | 'title'> | undefined;
}

/** For the time while the daemon still runs. */
export async function describeRunningDemo(
  { folder, keep, alert }: DemoEnding,
  url: string,
  platform: Platform,
): Promise<string> {
  const command =
    alert === undefined
      ? []
      : [
          ...stillOpen(alert),
          '',
          'Say that you have it, in another terminal:',
          '',
          `  ${await programName(platform)} alert ack ${alert.number} --config ${findDemoFile(folder)}`,
        ];
  return lines([
    THE_END,
    ...command,
    '',
    `The page stays at ${url}/`,
    ...files(folder, keep),
    'Ctrl-C ends the demo.',
    '',
  ]);
}

/** Without a terminal: no one can type commands. */
export function describeEndedDemo({ folder, keep, alert }: DemoEnding): string {
  const open = alert === undefined ? [] : [...stillOpen(alert), 'On a terminal the demo stays until you end it.'];
  return lines([THE_END, ...open, ...(keep ? files(folder, keep) : [])]);
}

/** After an early end: the folder with the kept files. */
export function describeInterruption({ folder, keep }: Pick<DemoEnding, 'folder' | 'keep'>): string {
  return keep ? lines(['', ...files(folder, keep)]) : '';
}

const THE_END = 'That was the night.';
const WIDTH = 80;

function stillOpen({ number, title }: NonNullable<DemoEnding['alert']>): string[] {
  return wrap(`Alert #${number} is still open: ${title}.`, WIDTH);
}

function files(folder: string, keep: boolean): string[] {
  const how = keep ? 'they stay there' : 'deleted at the end; --keep keeps them';
  return ['Slack payloads, mails, configuration and state are in', `  ${folder} (${how})`];
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

/** How to start this program from the current directory: by name if the shell finds it, else by path. */
async function programName({ packageDirectory, cwd, env }: Platform): Promise<string> {
  const path = join(packageDirectory, 'dist/main.js');
  const own = await realpath(path).catch(() => path);
  // Folders that npm prepends for a script are missing in another terminal.
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => !/\bnode_modules\b/.test(folder));
  const found = await Promise.all(folders.map((folder) => realpath(join(folder, 'linewatch')).catch(() => null)));
  if (found.includes(own)) return 'linewatch';
  const near = relative(cwd, path);
  return near.startsWith('..') ? path : near;
}
