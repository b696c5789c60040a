/** An hour in which little happens, of a page of 100 components and an account of 100 phones at 1 s: does memory stay? */
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE } from '../../src/core/text/duration.ts';
import { figure, type Row } from './figures.ts';
import { install } from './installation.ts';
import { startProgram } from './process.ts';
import { startBenchProvider } from './provider.ts';

const MINUTES = 60;
/**
 * Interval of changes, as in a long night; in minutes. The first comes when the program has reported that all is well:
 * the code for reporting is loaded before anything is compared.
 */
const NOTICE_EVERY = 10;
const FIRST_NOTICE = 1;
/** Caches are warm by then; in minutes. */
const SETTLED = 5;
/** The first and the last so many minutes are compared. */
const COMPARED = 10;

export async function measureHour(): Promise<Row[]> {
  await using provider = await startBenchProvider();
  const [page, account] = [`${provider.url}/page-100`, `${provider.url}/account-100-0`];
  await using place = await install({ pages: [page], accounts: [account], interval: '1s', webhook: provider.url });
  await using started = startProgram(['run', '--config', place.file], place.folder);
  const minutes: number[] = [];
  for (let minute = 0; minute < MINUTES + SETTLED; minute += 1) {
    if (minute % NOTICE_EVERY === FIRST_NOTICE) provider.openNotice(3);
    await sleep(MINUTE);
    // Nothing else reads the list, and it would grow for the whole hour.
    provider.asked.length = 0;
    minutes.push((await started.memory()).mb);
  }
  process.stdout.write(`minute by minute: ${minutes.map((mb) => mb.toFixed(0)).join(' ')} MB\n`);
  const settled = minutes.slice(SETTLED);
  const [first, last] = [figure(settled.slice(0, COMPARED)), figure(settled.slice(-COMPARED))];
  return [
    {
      what: 'memory in the last ten minutes of an hour, page of 100 and account of 100 at 1 s',
      bare: null,
      linewatch: last,
      unit: 'MB',
      wanted: null,
    },
    {
      what: '… against the first ten',
      bare: null,
      linewatch: figure([last.median / first.median]),
      digits: 2,
      unit: '×',
      wanted: { most: 1.03 },
    },
  ];
}
