import { measureCrowd } from './crowd.ts';
import { measureIdle } from './idle.ts';
import { measureLatency } from './latency.ts';
import { measureStart } from './start.ts';
import { tableOf, type Row } from './figures.ts';

const CASES: Record<string, () => Promise<Row[]>> = {
  start: measureStart,
  idle: measureIdle,
  latency: measureLatency,
  crowd: measureCrowd,
};
const wanted = process.argv.slice(2);
const rows: Row[] = [];
for (const [name, measure] of Object.entries(CASES)) {
  if (wanted.length === 0 || wanted.includes(name)) rows.push(...(await measure()));
}
process.stdout.write(`${tableOf(rows)}\n`);
