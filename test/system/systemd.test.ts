/** The unit as systemd itself reads it. Nothing is started and nothing is installed. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const SYSTEMD = join(import.meta.dirname, '../../systemd');
const folder = mkdtempSync(join(tmpdir(), 'linewatch-unit-'));
const unit = join(folder, 'linewatch.service');

cpSync(join(SYSTEMD, 'linewatch.service'), unit);

afterAll(() => rmSync(folder, { recursive: true }));

function ran(command: string, ...args: string[]): { code: number | null; said: string } {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  return { code: status, said: stdout + stderr };
}

function isAbsent(command: string): boolean {
  return spawnSync(command, ['--version']).error !== undefined;
}

const noAnalyze = isAbsent('systemd-analyze');

describe.skipIf(noAnalyze)(`the unit${noAnalyze ? ' (skipped: systemd-analyze is not on this machine)' : ''}`, () => {
  it('passes systemd-analyze verify in silence, also where Linewatch is not installed yet', () => {
    expect(ran('systemd-analyze', 'verify', '--recursive-errors=no', '--man=no', unit)).toEqual({ code: 0, said: '' });
  });

  it.each(['credentials', 'proxy'])('passes with the example drop-in for %s', (name) => {
    mkdirSync(`${unit}.d`, { recursive: true });
    cpSync(join(SYSTEMD, `drop-ins/${name}.conf`), join(`${unit}.d`, `${name}.conf`));
    expect(ran('systemd-analyze', 'verify', '--recursive-errors=no', '--man=no', unit)).toEqual({ code: 0, said: '' });
  });

  it('exposes little of the machine', () => {
    // The scale goes from 0 (nothing) to 100 (everything); an ordinary service without protection has 96.
    const { code, said } = ran('systemd-analyze', 'security', '--offline=true', '--threshold=11', unit);
    expect(said).toContain('Overall exposure level');
    expect(code).toBe(0);
  });
});

const noSysusers = isAbsent('systemd-sysusers');

describe.skipIf(noSysusers)(
  `the user${noSysusers ? ' (skipped: systemd-sysusers is not on this machine)' : ''}`,
  () => {
    it('is one systemd-sysusers would create', () => {
      const file = join(SYSTEMD, 'linewatch.sysusers');
      const { code, said } = ran('systemd-sysusers', '--dry-run', file);
      expect(code).toBe(0);
      expect(said).not.toMatch(/fail|ignor|invalid/i);
    });
  },
);
