/** The rules, the dashboard's queries and the metrics, as Prometheus's own tool reads them. Nothing is started. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/web/data/metrics.ts';
import { createAccountState } from '../../src/core/engine/account-kind.ts';
import { createPageState } from '../../src/core/engine/page-kind.ts';
import type { SystemStatus } from '../../src/core/view/system-status.ts';
import { statusWith } from '../support/system-status.ts';

const PROMETHEUS = join(import.meta.dirname, '../../config/prometheus');
const folder = mkdtempSync(join(tmpdir(), 'linewatch-prometheus-'));

afterAll(() => rmSync(folder, { recursive: true }));

function promtool(args: readonly string[], input = ''): { code: number | null; said: string } {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { encoding: 'utf8', input });
  if (error !== undefined) throw error;
  return { code: status, said: stdout + stderr };
}

const absent = spawnSync('promtool', ['--version']).error !== undefined;

describe.skipIf(absent)(`Prometheus${absent ? ' (skipped: promtool is not on this machine)' : ''}`, () => {
  it('reads the rules', () => {
    const { code, said } = promtool(['check', 'rules', join(PROMETHEUS, 'rules.yaml')]);
    expect([code, said]).toEqual([0, expect.stringContaining('SUCCESS: 9 rules found')]);
  });

  it('fires each rule when it should, and not before', () => {
    const tests = join(import.meta.dirname, 'prometheus/rules.test.yaml');
    const tried = [...readFileSync(tests, 'utf8').matchAll(/alertname: (\w+)/g)].map(([, name]) => name);
    const named = [...readFileSync(join(PROMETHEUS, 'rules.yaml'), 'utf8').matchAll(/alert: (\w+)/g)];
    expect(new Set(tried)).toEqual(new Set(named.map(([, name]) => name)));
    expect(promtool(['test', 'rules', tests])).toMatchObject({ code: 0 });
  });

  it('reads every query of the dashboard', () => {
    const { panels } = JSON.parse(readFileSync(join(PROMETHEUS, 'dashboard.json'), 'utf8')) as {
      panels: { targets: { expr: string }[] }[];
    };
    const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const rules = queries.map((query, index) => ({
      record: `query_${index}`,
      expr: query.replaceAll('$__rate_interval', '1m'),
    }));
    const file = join(folder, 'queries.yaml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    const { code, said } = promtool(['check', 'rules', file]);
    expect([code, said]).toEqual([0, expect.stringContaining(`SUCCESS: ${queries.length} rules found`)]);
  });

  it('finds nothing amiss in the metrics', async () => {
    const metrics = createMetrics('1');
    metrics.requested({ source: 'provider', operation: 'status.show', outcome: 'ok', durationMs: 20 });
    metrics.transitioned('provider', 'notice.opened');
    const text = await metrics.text(standing(), true);
    expect(text).toContain('linewatch_phone_missing{source="acme",site="Richmond",extension="101"} 1');
    expect(promtool(['check', 'metrics'], text)).toEqual({ code: 0, said: '' });
  });
});

function standing(): SystemStatus {
  const sources = { provider: createPageState('http://127.0.0.1:1'), acme: createAccountState('http://127.0.0.1:2') };
  const status = statusWith({ now: 0, sources });
  const missing = [{ extension: '101', name: null, since: 0, isLost: true }];
  const count = { registered: 1, total: 2, missing };
  const phones = { ...count, sites: [{ ...count, site: 'Richmond', isNamed: true }] };
  return {
    ...status,
    sources: status.sources.map((source) => (source.type === 'account' ? { ...source, phones } : source)),
  };
}
