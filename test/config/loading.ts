/** Writes files into a directory of their own and loads the configuration among them. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { loadConfig, type LoadRequest, type LoadResult } from '../../src/config/load.ts';
import { formatProblem } from '../../src/config/problem.ts';

export type Files = Readonly<Record<string, string>>;

export async function directoryOf(files: Files): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linewatch-config-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return directory;
}

export function requestIn(cwd: string, more: Partial<LoadRequest> = {}): LoadRequest {
  const systemFile = join(cwd, 'etc/linewatch/linewatch.yaml');
  const media = join(import.meta.dirname, '../../config/media');
  return {
    env: {},
    cwd,
    hostname: 'host-a',
    systemTimezone: 'Europe/Berlin',
    require: 'check',
    media,
    systemFile,
    ...more,
  };
}

/** Loads `linewatch.yaml` of a directory with these files. */
export async function loadFiles(files: Files, more: Partial<LoadRequest> = {}): Promise<LoadResult> {
  return loadConfig(requestIn(await directoryOf(files), more));
}

export function load(text: string, more: Partial<LoadRequest> = {}): Promise<LoadResult> {
  return loadFiles({ 'linewatch.yaml': text }, more);
}

/** Every problem, as a person reads it. */
export function told(result: LoadResult): string[] {
  return (result.ok ? result.warnings : result.problems).map(formatProblem);
}

/** The configuration, or a failure that says why there is none. */
export function loaded(result: LoadResult): Config {
  if (!result.ok) throw new Error(told(result).join('\n'));
  return result.config;
}

export const PAGE = 'status_pages: [{name: provider, base_url: "https://status.example.com"}]\n';
export const RUNNABLE = `${PAGE}receivers: [{name: bus, type: webhook, url: "https://bus.example.com"}]\nroute: {receivers: [bus]}\n`;
