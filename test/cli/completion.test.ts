/** Completion for the shells. Bash is tried here; zsh and fish in `test/system`, where they are installed. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { loadCommandTree } from '../../src/cli/help/command-tree.ts';
import { SHELLS } from '../../src/cli/help/completion.ts';
import { listPlaces } from '../../src/cli/completion/places.ts';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { fakePlatform } from '../support/platform.ts';

const places = listPlaces(await loadCommandTree(COMMANDS));
const BASH = SHELLS['bash']?.(places) ?? '';

const noBash = spawnSync('bash', ['-c', '((BASH_VERSINFO[0] >= 4))']).status !== 0;

/** What bash offers for the last of these words. */
function offered(...words: string[]): string[] {
  const script = `${BASH}
compopt() { :; }
linewatch() {
  case "$*" in
  'completion --values alerts') printf '%s\\t%s\\n' 12 'critical: Calls fail' 7 'warning: SMS' ;;
  'completion --values sources') printf '%s\\t\\n' provider head-office ;;
  *) return 1 ;;
  esac
}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_linewatch
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', 'linewatch', ...words], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

describe('the places', () => {
  it('are those of every command and every operation of the account', () => {
    const all = places.map(({ at }) => at);
    for (const { name } of COMMANDS) expect(all).toContain(name);
    expect(all).toContain('account phonebook items update');
    expect(new Set(all).size).toBe(all.length);
  });

  it('say what a value may be', () => {
    const update = places.find(({ at }) => at === 'account extensions update');
    expect(update?.options.find((row) => row.startsWith('--agent-status\t'))).toMatch(/\tAvailable\|/);
    const report = places.find(({ at }) => at === 'report');
    expect(report?.options.find((row) => row.startsWith('--customer\t'))).toContain('@customers');
    expect(places.find(({ at }) => at === 'completion')?.words).toBe('bash|zsh|fish');
    expect(places.find(({ at }) => at === 'replay')?.words).toBe('FILE');
  });
});

describe('linewatch completion', () => {
  it.each(Object.keys(SHELLS))('prints the script for %s', async (shell) => {
    const platform = fakePlatform({ argv: ['completion', shell] });
    expect(await runCommand(platform, COMMANDS)).toBe(0);
    expect(platform.written()).toEqual({ out: SHELLS[shell]?.(places), err: '' });
  });

  it('names the shells it is there for', async () => {
    const platform = fakePlatform({ argv: ['completion', 'csh'] });
    expect(await runCommand(platform, COMMANDS)).toBe(2);
    expect(platform.written().err).toBe("linewatch: completion is there for bash, zsh, fish, not for 'csh'\n");
  });
});

describe.skipIf(noBash)(`bash${noBash ? ' (skipped: bash 4 is not on this machine)' : ''}`, () => {
  it.each([
    [['conf'], ['config']],
    [
      ['silence', ''],
      ['add', 'list', 'expire'],
    ],
    [['help', 'silence', 'a'], ['add']],
    [['account', 'phonebook', 'items', 'up'], ['update']],
    [['completion', 'z'], ['zsh']],
    [['--config', '/etc/x', 'openapi', '--h'], ['--help']],
    [['account', 'extensions', 'update', '12', '--agent-status', 'On'], ['On\\ Break']],
    // As bash takes --agent-status=On apart.
    [['account', 'extensions', 'update', '12', '--agent-status', '=', 'On'], ['On\\ Break']],
    [['check', '--config', 'package-l'], ['package-lock.json']],
    [
      ['alert', 'show', ''],
      ['12', '7'],
    ],
    [['alert', 'ack', '1'], ['12']],
    [['silence', 'add', '7'], ['7']],
    [['history', '--source', 'pro'], ['provider']],
    // No daemon answers.
    [['silence', 'expire', ''], []],
  ])('after %j offers %j', (words, wanted) => {
    expect(offered(...words)).toEqual(wanted);
  });
});
