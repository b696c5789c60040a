import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { loadCommandTree } from '../../src/cli/help/command-tree.ts';
import { formatConfigManPage } from '../../src/cli/help/config-man-page.ts';
import { formatManPage } from '../../src/cli/help/man-page.ts';
import { listConfigKeys, type ConfigKey } from '../../src/config/key-list.ts';
import { COMMANDS } from '../../src/cli/registry.ts';

const tree = await loadCommandTree(COMMANDS);
const frame = { version: '1.2.3', date: '2026-03-02' };
const page = formatManPage(tree, frame);
const configPage = formatConfigManPage(frame);
const noMan = spawnSync('man', ['--version']).error !== undefined;

describe('the manual page', () => {
  it('has every command, with its options', () => {
    for (const { name } of COMMANDS.filter(({ name }) => name !== 'account')) {
      expect(page).toContain(`\n.SS linewatch ${name}`);
    }
    expect(page).toContain('\\fB\\-\\-record\\fR \\fIDIR\\fR');
    expect(page).toContain('\\fBphonebook items\\fR\nlist, create, show, update, delete\n');
  });

  it('leaves no line to be taken for a request that is none', () => {
    const requests = `${page}${configPage}`.split('\n').filter((line) => /^['.]/.test(line));
    expect(requests.filter((line) => !/^\.(TH|SH|SS|TP|PP|B|BR|I)( |$)/.test(line))).toEqual([]);
  });

  it('has the version and the date it is given', () => {
    expect(page).toMatch(/^\.TH LINEWATCH 1 "2026-03-02" "linewatch 1\.2\.3"/);
  });

  it.skipIf(noMan)(`is read by man without a warning${noMan ? ' (skipped: man is not on this machine)' : ''}`, () => {
    for (const [input, words] of [
      [page, 'linewatch config check'],
      [configPage, 'receivers[].smtp.port (whole number)'],
    ] as const) {
      const { stdout, stderr, status } = spawnSync('man', ['--warnings', '-l', '-'], {
        input,
        encoding: 'utf8',
        env: { ...process.env, MANWIDTH: '80', LC_ALL: 'C.UTF-8' },
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toContain(words);
    }
  });
});

describe('linewatch.yaml(5)', () => {
  it('has every key of the example, with its default and its choices', () => {
    const keys = listConfigKeys();
    const of = (path: string): ConfigKey | undefined => keys.find((key) => key.path === path);
    expect(of('status_pages[].interval')).toMatchObject({ type: 'text', default: '30s', required: false });
    expect(of('receivers[].type')).toMatchObject({ choices: expect.arrayContaining(['slack', 'email', 'webhook']) });
    expect(of('accounts[].sites.NAME.status_pages')).toMatchObject({ type: 'list of text' });
    expect(of('route.routes[].matchers')).toBeDefined();
    // Of a list, what each entry may be; where anything else may be written as well, there is no choice.
    expect(of('route.events')).toMatchObject({ type: 'list', choices: ['opened', 'updated', 'resolved', 'info'] });
    expect(of('route.repeat_interval')).toMatchObject({ type: 'number or text', choices: [] });
    expect(of('log.level')).toMatchObject({ type: 'text', choices: ['debug', 'info', 'warn', 'error'] });
    expect(new Set(keys.map(({ path }) => path)).size).toBe(keys.length);
    expect(configPage).toContain('\n\\fBstatus_pages[].base_url\\fR (text, required)\n');
  });
});
