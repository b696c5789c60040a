import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { fakePlatform } from '../support/platform.ts';

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'config-commands-'));
});

afterEach(() => rmSync(cwd, { recursive: true }));

async function run(...argv: string[]): Promise<{ exit: number; out: string; err: string }> {
  const platform = fakePlatform({ argv, cwd, env: { LINEWATCH_CONFIG: join(cwd, 'linewatch.yaml') } });
  const exit = await runCommand(platform, COMMANDS);
  return { exit, ...platform.written() };
}

describe('config init', () => {
  it('writes a file that config check accepts, for its owner alone', async () => {
    expect(await run('config', 'init')).toMatchObject({ exit: 0, err: '' });
    expect(statSync(join(cwd, 'linewatch.yaml')).mode & 0o777).toBe(0o600);
    const { exit, out, err } = await run('config', 'check');
    expect(exit).toBe(0);
    expect(out).toContain('status page provider: every 30s');
    expect(out).toContain('receiver ops-slack: slack');
    expect(err).toContain('linewatch.yaml:');
    expect(err).toContain('the credential "slack" cannot be read');
  });

  it('for the unit’s own path names the places the unit uses', async () => {
    const { exit, out } = await run('config', 'init', '--print', '--config', '/etc/linewatch/linewatch.yaml');
    expect(exit).toBe(0);
    expect(out).toMatch(/^state_dir: \/var\/lib\/linewatch\ncredentials_dir: \/run\/credentials\/linewatch\.service$/m);
    expect((await run('config', 'init', '--print')).out).not.toMatch(/^(state|credentials)_dir/m);
  });

  it('leaves a file that is there as it is', async () => {
    writeFileSync(join(cwd, 'mine.yaml'), 'mine');
    const { exit, out, err } = await run('config', 'init', '--config', 'mine.yaml');
    expect({ exit, out }).toEqual({ exit: 1, out: '' });
    expect(err).toBe('linewatch: mine.yaml is already there and stays as it is; --config names another file\n');
    expect(readFileSync(join(cwd, 'mine.yaml'), 'utf8')).toBe('mine');
  });

  it('says that a folder is missing', async () => {
    const { exit, err } = await run('config', 'init', '--config', 'no/where.yaml');
    expect([exit, err]).toEqual([1, 'linewatch: no/where.yaml cannot be written: its folder does not exist\n']);
  });

  it('only prints when asked to', async () => {
    const { exit, out } = await run('config', 'init', '--print');
    expect(exit).toBe(0);
    expect(out).toContain('status_pages:');
    expect(existsSync(join(cwd, 'linewatch.yaml'))).toBe(false);
  });
});

describe('config check', () => {
  it('refuses with a line for each mistake, its place and the nearest right name, on stderr', async () => {
    writeFileSync(join(cwd, 'linewatch.yaml'), 'status_pagse: []\nlog: {level: loud}\n');
    const { exit, out, err } = await run('config', 'check');
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toMatch(/^linewatch: the configuration is refused:\n/);
    expect(err).toContain(`${join(cwd, 'linewatch.yaml')}:1:1: status_pagse`);
    expect(err).toContain('status_pages');
    expect(err).toContain(`${join(cwd, 'linewatch.yaml')}:2:`);
  });

  it('accepts the ten lines of the README', async () => {
    const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
    const [, yaml = ''] = /```yaml\n([^]*?)```/.exec(readme) ?? [];
    writeFileSync(join(cwd, 'linewatch.yaml'), yaml);
    const { exit, out } = await run('config', 'check');
    expect(exit).toBe(0);
    expect(out).toContain('account head-office');
    expect(out).not.toContain('note:');
  });

  it('says where it looked when there is none', async () => {
    const { exit, err } = await run('config', 'check', '--config', 'absent.yaml');
    expect(exit).toBe(2);
    expect(err).toContain('absent.yaml');
  });
});

describe('config schema', () => {
  it('prints a JSON Schema of the configuration', async () => {
    const { exit, out } = await run('config', 'schema');
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: { status_pages: {}, receivers: {}, route: {} },
    });
  });
});
