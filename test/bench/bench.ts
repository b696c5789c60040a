/**
 * `npm run bench`: every figure, beside a bare poller of the same run.
 *
 *   npm run bench -- [CASE...]
 *
 * A whole run writes `RESULTS.md`; `hour` takes an hour and runs only where it is named. `hostile:PART` (`hostile:papers`: exports) and `growth:PART` measure only the bodies and sizes whose name holds
 * the part.
 */
import { measureBacklog } from './backlog.ts';
import { measureCalls } from './calls.ts';
import { measureCompare } from './compare.ts';
import { measureCrowd } from './crowd.ts';
import { measureFailover } from './failover.ts';
import { measureDatabase } from './database.ts';
import { measureFall } from './fall.ts';
import { measureForeign } from './foreign.ts';
import { tableOf, type Row } from './figures.ts';
import { measureGroups } from './groups.ts';
import { measureGrowth } from './growth.ts';
import { measureHistory } from './history.ts';
import { measureHour } from './hour.ts';
import { measureIdle } from './idle.ts';
import { measureLatency } from './latency.ts';
import { measureLooks } from './looks.ts';
import { measureOutage } from './outage.ts';
import { measurePage } from './page.ts';
import { loadNow, writeResults } from './results.ts';
import { measureStart } from './start.ts';
import { measureStore } from './store.ts';

const CASES: Record<string, (part: string) => Promise<Row[]>> = {
  start: measureStart,
  idle: measureIdle,
  latency: measureLatency,
  crowd: measureCrowd,
  outage: measureOutage,
  failover: measureFailover,
  fall: measureFall,
  foreign: measureForeign,
  groups: measureGroups,
  growth: measureGrowth,
  calls: measureCalls,
  compare: measureCompare,
  backlog: measureBacklog,
  store: measureStore,
  database: measureDatabase,
  history: measureHistory,
  looks: measureLooks,
  page: measurePage,
  // Its bodies take hundreds of megabytes, which the other cases are not to be measured beside.
  hostile: async (part) => (await import('./hostile.ts')).measureHostile(part),
};

/** Takes over an hour: only where it is asked for by name. */
const LONG: typeof CASES = { hour: measureHour };

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

const wanted = process.argv.slice(2);
const names = wanted.length === 0 ? Object.keys(CASES) : wanted;
const [rows, failed, loads]: [Row[], string[], number[]] = [[], [], [loadNow()]];
for (const wish of names) {
  const [name = '', part = ''] = wish.split(':');
  const measure = CASES[name] ?? LONG[name];
  if (measure === undefined) {
    throw new Error(`no such case: ${name}; there are ${Object.keys({ ...CASES, ...LONG }).join(', ')}`);
  }
  try {
    const measured = await measure(part);
    rows.push(...measured);
    print(`${tableOf(measured)}\n`);
  } catch (error) {
    failed.push(`${wish}: ${String(error)}`);
    print(`${failed.at(-1)}\n`);
    process.exitCode = 1;
  }
  loads.push(loadNow());
}
print(`load: ${loads.map((load) => load.toFixed(1)).join(', ')}`);
if (wanted.length === 0) await writeResults({ rows, failed, loads });
