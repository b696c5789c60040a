/** Completion in the shells that not every machine has: each is asked what it offers. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadCommandTree } from '../../src/cli/help/command-tree.ts';
import { SHELLS } from '../../src/cli/help/completion.ts';
import { listPlaces } from '../../src/cli/completion/places.ts';
import { COMMANDS } from '../../src/cli/registry.ts';

const folder = mkdtempSync(join(tmpdir(), 'linewatch-completion-'));
afterAll(() => rmSync(folder, { recursive: true }));

const places = listPlaces(await loadCommandTree(COMMANDS));
for (const [shell, script] of Object.entries(SHELLS)) {
  writeFileSync(join(folder, `_linewatch.${shell}`), script(places));
}
writeFileSync(join(folder, '_linewatch'), SHELLS['zsh']?.(places) ?? '');

function isAbsent(shell: string): boolean {
  return spawnSync(shell, ['--version']).error !== undefined;
}

function said(command: string, ...args: string[]): string {
  const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 30_000 });
  expect(stderr).toBe('');
  return stdout;
}

const noFish = isAbsent('fish');

describe.skipIf(noFish)(`fish${noFish ? ' (skipped: fish is not on this machine)' : ''}`, () => {
  it.each([
    ['linewatch conf', ['config\tvalidate, describe or start a configuration']],
    ['linewatch account phonebook items up', ['update\tChange an entry of a phonebook']],
    ['linewatch account extensions update 12 --agent-status ', ['Available', 'Logged Out', 'On Break']],
    ['linewatch openapi --h', ['--help\texplain this command']],
    ['linewatch check --config=package-l', ['--config=package-lock.json']],
  ])('completes %s', (line, wanted) => {
    const script = `source ${join(folder, '_linewatch.fish')}; complete -C '${line}'`;
    expect(said('fish', '--no-config', '-c', script).trim().split('\n')).toEqual(wanted);
  });
});

const noZsh = isAbsent('zsh');

/** A terminal with zsh in it, to which the line and a tab are typed. What is offered stands there when it answers. */
const TYPED = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; stty cols 200; fpath=($1 \\$fpath); autoload -Uz compinit; compinit -u -D; bindkey '^I' list-choices; echo READY\${:-:}"
zpty -r shell seen '*READY:*'
zpty -wn shell "$2"$'\\t'
zpty -r shell seen "*$3*" && print -r -- "$seen"
zpty -d shell
`;

describe.skipIf(noZsh)(`zsh${noZsh ? ' (skipped: zsh is not on this machine)' : ''}`, () => {
  it.each([
    ['linewatch ', 'validate, describe or start a configuration'],
    ['linewatch account phonebook items ', 'Change an entry of a phonebook'],
    ['linewatch account extensions update 12 --agent-status ', 'Logged\\ Out'],
    ['linewatch openapi --', 'explain this command'],
  ])('completes %s', (line, wanted) => {
    expect(said('zsh', '-c', TYPED, 'zsh', folder, line, wanted.replaceAll('\\', '?'))).toContain(wanted);
  });
});
