/**
 * A thousand customers lose half of their phones at once: how many messages people read of it, how soon the first comes,
 * and what it costs beyond looking.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startBus } from './bus.ts';
import { figure, type Row } from './figures.ts';
import { install } from './installation.ts';
import { startProgram } from './process.ts';
import { startBenchProvider } from './provider.ts';

const ACCOUNTS = 1_000;
const PHONES = 20;
const INTERVAL = '60s';
const REQUESTS_PER_SECOND = 40;
const WINDOW_MS = 60_000;
/** Accounts are swept one after the other over the interval, so the first message cannot have all of them. */
const ALL = `at ${ACCOUNTS.toLocaleString('en')} customers`;

export async function measureOutage(): Promise<Row[]> {
  await using provider = await startBenchProvider();
  await using programs = await startBus();
  await using people = await startBus();
  await using place = await install({
    pages: [`${provider.url}/page-100`],
    accounts: Array.from({ length: ACCOUNTS }, (_, index) => `${provider.url}/account-${PHONES}-${index}`),
    account: { registrations: { interval: INTERVAL, offline_after: '2m' } },
    interval: INTERVAL,
    webhook: programs.url,
    slack: people.url,
    requestsPerSecond: REQUESTS_PER_SECOND,
  });
  await using started = startProgram(['run', '--config', place.file], place.folder);
  const readAll = (): boolean =>
    new Set(provider.asked.flatMap(({ path }) => (path.endsWith('/action-toggles') ? [path] : []))).size === ACCOUNTS;
  while (!readAll()) await sleep(1_000);
  await sleep(2 * WINDOW_MS);
  const shareOf = async (): Promise<number> => {
    const [before, began] = [await started.cpuMs(), performance.now()];
    await sleep(WINDOW_MS);
    return ((await started.cpuMs()) - before) / (performance.now() - began);
  };
  const quiet = await shareOf();
  const [event, message, whole] = [programs.next('registration.mass'), people.next('offline'), people.next(ALL)];
  const before = people.count();
  const [lostAt, cpu] = [performance.now(), await started.cpuMs()];
  provider.lose(PHONES / 2);
  /** Milliseconds of processor time since the loss, less what looking costs in this time. */
  const beyondLooking = async (until: number): Promise<number> =>
    (await started.cpuMs()) - cpu - quiet * (until - lostAt);
  const decidedAt = await event;
  const untilDecided = await beyondLooking(decidedAt);
  const firstAt = await message;
  const untilFirst = await beyondLooking(firstAt);
  const wholeAt = await whole;
  const untilWhole = await beyondLooking(wholeAt);
  const lasting = await shareOf();
  const of = `${ACCOUNTS.toLocaleString('en')} accounts lose ${PHONES / 2} of ${PHONES} phones each`;
  const row = { bare: null, wanted: null };
  return [
    {
      ...row,
      what: `${of}: first loss decided → first message to people`,
      linewatch: figure([(firstAt - decidedAt) / 1_000]),
      unit: 's',
      wanted: { most: 20 },
    },
    {
      ...row,
      what: 'likewise: processor time between them, beyond looking',
      linewatch: figure([(untilFirst - untilDecided) / 1_000]),
      unit: 's',
      wanted: { most: 1 },
    },
    {
      ...row,
      what: 'likewise: processor time from the loss to this message: two sweeps of a thousand changed lists',
      linewatch: figure([untilFirst / 1_000]),
      unit: 's',
    },
    {
      ...row,
      what: 'likewise: → a message that has all customers',
      linewatch: figure([(wholeAt - decidedAt) / 1_000]),
      unit: 's',
    },
    {
      ...row,
      what: 'likewise: processor time until then, beyond looking',
      linewatch: figure([untilWhole / 1_000]),
      unit: 's',
    },
    { ...row, what: 'likewise: messages to people', linewatch: figure([people.count() - before]), unit: 'messages' },
    {
      ...row,
      what: 'likewise: processor while it lasts',
      linewatch: figure([100 * lasting]),
      unit: '%',
      wanted: { most: 30 },
    },
  ];
}
