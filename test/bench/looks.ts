/**
 * Processor time of a look at a page, without a server or a browser beside it: the status page of a firm in its night, and
 * ninety days of 20 customers with trouble on every day, just after something was written.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryReader } from '../../src/core/history/rows.ts';
import { createNinetyDays } from '../../src/history/ninety-days.ts';
import { createReader } from '../../src/history/history-reader.ts';
import { openHistoryFile } from '../../src/history/sqlite.ts';
import { renderDaysContent, renderDaysFrame } from '../../src/web/days/days-page.ts';
import { readDaysFilter } from '../../src/web/days/days-filter.ts';
import type { PageContext } from '../../src/web/look/layout.ts';
import { readFilter } from '../../src/web/views/customer-filter.ts';
import { renderNowPage } from '../../src/web/views/now-page.ts';
import { firmCalm, firmNight, type Stood } from '../support/firm-statuses.ts';
import { figure, type Figure, type Row } from './figures.ts';
import { DAY, writeDays } from './year.ts';

const LOOKS = 40;
const DAYS = 90;
/** For a status page, by number of customers. */
const WANTED = { 20: 5, 200: 20 };
const WANTED_DAYS_MS = 50;

export async function measureLooks(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [count, most] of Object.entries(WANTED)) {
    for (const [name, stand] of Object.entries({ 'in its night': firmNight, calm: firmCalm })) {
      const shown = stand(Number(count));
      const linewatch = await processor(async () => String(await renderNow(shown)));
      const what = `processor of a look at a firm of ${count} customers, ${name}`;
      rows.push({ bare: null, what, linewatch, unit: 'ms', wanted: { most } });
    }
  }
  return [...rows, ...(await measureDays())];
}

function renderNow({ status, history }: Stood): ReturnType<typeof renderNowPage> {
  return renderNowPage(
    contextOf(status),
    readFilter(() => undefined),
    history,
  );
}

function contextOf(status: Stood['status']): PageContext {
  const viewer = { name: null, isSignedIn: false, whyNotChange: null, maySignIn: false, customers: null };
  return { status, viewer, refreshSeconds: 60 };
}

async function measureDays(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'linewatch-bench-looks-'));
  try {
    await writeDays({ directory, days: DAYS, since: Date.now() - DAYS * DAY });
    const file = openHistoryFile(directory);
    if (file === null) throw new Error('there is no history');
    const history = createReader(file);
    let written = 0;
    // Each look comes after a write, so that today is counted again.
    const reader: HistoryReader = { ...history, mark: () => Promise.resolve(String((written += 1))) };
    const count = createNinetyDays({ read: (question) => question(reader), timezone: () => 'UTC', now: Date.now });
    const context = contextOf({ ...firmCalm(200).status, now: Date.now() });
    const filter = readDaysFilter(() => undefined);
    let bytes = 0;
    const linewatch = await processor(async () => {
      const page = renderDaysFrame(context, await renderDaysContent(context, await count(), filter));
      bytes = Buffer.byteLength(String(await page));
    });
    file.close();
    const row = { bare: null };
    const what = 'processor of a look at ninety days of 20 accounts, each with trouble every day';
    return [
      { ...row, what, linewatch, unit: 'ms', wanted: { most: WANTED_DAYS_MS } },
      { ...row, what: 'likewise: size of the page', linewatch: figure([bytes / 1_000]), unit: 'kB', wanted: null },
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Milliseconds of this process, a look each; the first ones warm up. */
async function processor(look: () => Promise<unknown>): Promise<Figure> {
  const took: number[] = [];
  for (let run = -LOOKS / 4; run < LOOKS; run += 1) {
    const before = process.cpuUsage();
    await look();
    const { user, system } = process.cpuUsage(before);
    if (run >= 0) took.push((user + system) / 1_000);
  }
  return figure(took);
}
