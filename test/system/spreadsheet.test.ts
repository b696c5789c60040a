/** Tables for a spreadsheet, read by a parser that is not ours: Python's, as a file that a person has saved. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { createAlert } from '../../src/core/alert/alert.ts';
import { fakePlatform } from '../support/platform.ts';
import { recordedFall, recordedHistory } from '../support/recorded-history.ts';

const PYTHON = '/usr/bin/python3';
const skipped = existsSync(PYTHON) ? '' : ' (skipped: python3 is not on this machine)';

/** A spreadsheet takes the mark of the bytes away, and then the lines; `strict` refuses quotes that are not closed. */
const PARSE = `
import csv, json, sys
with open(sys.argv[1], encoding='utf-8-sig', newline='') as file:
    print(json.dumps(list(csv.reader(file, strict=True))))
`;

const NOW = Date.parse('2026-10-20T09:00:00.000Z');
/** What would be carried out where a cell begins with it, in quotes, after spaces and as people write it in wide signs. */
const FORMULAS = ['=1+1', '+1', '-2+3', '@SUM(A1)', '\t=1+1', '\r=1+1', ' =cmd|/C calc!A0', '＝1+1', '"=1+1', ',=1+1'];
const WORDS = 'Émile’s calls fail; „again“ 電話, says "=1+1"\n=1+1 on a line of its own';

describe.skipIf(skipped !== '')(`a table for a spreadsheet${skipped}`, () => {
  let cwd: string;

  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'linewatch-spreadsheet-'));
    mkdirSync(join(cwd, 'state'));
    const page = 'status_pages: [{name: provider, base_url: "https://status.example.com"}]';
    writeFileSync(join(cwd, 'linewatch.yaml'), `instance: hq\n${page}\n`);
    const { history } = recordedHistory(NOW, join(cwd, 'state'));
    for (const [index, subject] of FORMULAS.entries()) {
      const at = NOW - (index + 1) * 3_600_000;
      const opened = createAlert({
        id: `alert ${index}`,
        number: index + 1,
        source: 'provider',
        startedAt: at,
        now: at,
        family: 'notice',
      });
      const alert = { ...opened, title: subject, severity: 'critical' } as const;
      const notice = { id: String(index), type: 'unplanned', state: 'investigating', subject, timeline_state: null };
      const times = { url: null, begins_at: null, ends_at: null, began_at: null, ended_at: null };
      const updates = [{ state: 'investigating', content: WORDS, created_at: new Date(at).toISOString() }];
      const opening = recordedFall(`t${index}`, at, {
        subject: `notice/${index}`,
        kind: 'notice.opened',
        from: null,
        to: 'investigating',
        details: { notice: { ...notice, ...times }, components: [{ id: '1', name: subject }], updates },
      } as never);
      const unrecorded = [
        { ...opening, alert: { id: alert.id, number: alert.number, severity: 'critical', title: subject } } as const,
      ];
      const states = [{ subject: 'component/1', name: subject, state: 'degraded' }];
      history.committed('provider', { at, states, phones: null, alerts: [alert], unrecorded });
      await history.flush();
    }
    await history.close();
  });

  afterAll(() => rmSync(cwd, { recursive: true }));

  async function parsed(...argv: string[]): Promise<string[][]> {
    const platform = fakePlatform({ argv, cwd, now: () => NOW });
    expect(await runCommand(platform, COMMANDS)).toBe(0);
    const file = join(cwd, 'table.csv');
    writeFileSync(file, platform.written().out);
    const { stdout, stderr } = spawnSync(PYTHON, ['-I', '-c', PARSE, file], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return JSON.parse(stdout) as string[][];
  }

  test.each([
    [['history', '--since', '30d', '--csv'], 'at'],
    [['report', '--month', '2026-10', '--format', 'csv'], 'section'],
  ])('%s has the same columns in each line, its words whole, and no formula', async (argv, first) => {
    const rows = await parsed(...argv);
    expect(rows[0]?.[0]).toBe(first);
    expect([...new Set(rows.map((row) => row.length))]).toHaveLength(1);
    const cells = rows.slice(1).flat();
    // A spreadsheet that parts lines at their ends finds no formula either.
    expect(cells).toContain(WORDS.replace('\n=', "\n'="));
    // Numbers are numbers, with their sign.
    expect(cells.filter((cell) => /^\s*[=+\-@＝＋－＠]/u.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell))).toEqual([]);
    expect(cells.some((cell) => /[;\t\r\n][^\S\r\n]*[=+\-@]/.test(cell))).toBe(false);
    for (const formula of ['=1+1', '+1', '-2+3', '@SUM(A1)', '＝1+1']) expect(cells).toContain(`'${formula}`);
    expect(cells).toContain('"=1+1');
    expect(cells).toContain(',=1+1');
  });
});
