/** What is shipped for Prometheus and Grafana asks for metrics that there are, with labels and values they have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../src/web/data/metrics.ts';
import { statusWith } from '../support/system-status.ts';

const PROMETHEUS = join(import.meta.dirname, '../../config/prometheus');

interface Dashboard {
  panels: {
    id: number;
    title: string;
    description: string;
    gridPos: Record<'x' | 'y' | 'w' | 'h', number>;
    targets: { expr: string }[];
  }[];
  templating: { list: { name: string; definition?: string }[] };
}

const dashboard = JSON.parse(readFileSync(join(PROMETHEUS, 'dashboard.json'), 'utf8')) as Dashboard;
const { groups } = parse(readFileSync(join(PROMETHEUS, 'rules.yaml'), 'utf8')) as {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
};
const rules = groups.flatMap((group) => group.rules);

const queries = [
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.flatMap(({ definition }) => definition ?? []),
  ...rules.map(({ expr }) => expr),
];

test('every query names metrics that there are', async () => {
  const text = await createMetrics('1').text(statusWith({ now: 0, sources: {} }));
  const known = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  const named = queries.map((query) => query.match(/linewatch_\w+/g) ?? []);
  expect(named.filter((names) => names.length === 0)).toEqual([]);
  expect(named.flat().filter((name) => !known.includes(name))).toEqual([]);
});

test('the dashboard asks only what its variables and Grafana fill in', () => {
  const variables = dashboard.templating.list.map(({ name }) => name);
  const asked = queries.flatMap((query) => query.match(/\$\w+/g) ?? []);
  expect(new Set(asked.filter((name) => !variables.includes(name.slice(1))))).toEqual(new Set(['$__rate_interval']));
});

test('no panel lies over another, and each says what it shows', () => {
  const taken = new Set<string>();
  for (const { title, description, gridPos } of dashboard.panels) {
    expect([title, description]).not.toContain('');
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect(taken, `${title} at ${x},${y}`).not.toContain(`${x},${y}`);
        taken.add(`${x},${y}`);
      }
    }
  }
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
});

test('every rule says what happened and what to do', () => {
  for (const { alert, annotations } of rules) {
    expect(alert).toMatch(/^Linewatch[A-Z]/);
    expect(Object.keys(annotations)).toEqual(['summary', 'description']);
  }
});
