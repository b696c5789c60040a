/** The record of notices that are over, wherever the history is kept. */
import { expect, it } from 'vitest';
import { readPageRecords, toNoticeRow, toReachRow } from '../../src/history/past-notices.ts';
import { readFrom, recordedIn, type KeptPlace, type RecordedHistory } from '../support/recorded-history.ts';
import type { HistoryOptions } from '../../src/history/history-writer.ts';
import { PAST } from './copy-suite.ts';

const START = Date.parse('2026-03-02T09:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export function pastSuite(newPlace: () => KeptPlace): void {
  function begin(options: Partial<HistoryOptions> = {}): RecordedHistory & { place: KeptPlace } {
    const place = newPlace();
    return { place, ...recordedIn(place, START, options) };
  }

  it('is the notices that are over, each once, as they were last', async () => {
    const { place, history } = begin();
    const [first, second] = PAST;
    if (first === undefined || second === undefined) throw new Error('there are two');
    history.noticed([first, second].map(toNoticeRow));
    await history.flush();
    history.noticed([toNoticeRow({ ...first, origin: 'watched' }), toReachRow('provider', START - 20 * DAY)]);
    history.noticed([toNoticeRow({ ...second, source: 'carrier' })]);
    await history.flush();
    expect(await readFrom(place, (reader) => reader.pageRecords())).toEqual([
      { source: 'carrier', since: null, watchedSince: null, notices: [{ ...second, source: 'carrier' }] },
      {
        source: 'provider',
        since: START - 20 * DAY,
        watchedSince: null,
        notices: [{ ...first, origin: 'watched' }, second],
      },
    ]);
    expect(await readFrom(place, (reader) => reader.kept())).toBeNull();
    await history.close();
  });

  it('is whole only since what is pruned of the notices that are over', async () => {
    const { place, history, pass } = begin({ keepMs: () => 5 * DAY });
    history.noticed([toReachRow('provider', START - 20 * DAY), ...PAST.map(toNoticeRow)]);
    await history.flush();
    pass(2 * MINUTE);
    await history.flush();
    const [kept] = await readFrom(place, (reader) => reader.pageRecords());
    expect(kept).toMatchObject({ since: START + 2 * MINUTE - 5 * DAY, notices: [{ id: '12' }] });
    await history.close();
  });

  it('answers whoever writes it, but not before it is opened, nor once it is closed', async () => {
    const { history, pass } = begin();
    const asked = () => history.ask((archive) => readPageRecords(archive));
    expect(await asked()).toBeNull();
    pass(3_000);
    history.noticed(PAST.map(toNoticeRow));
    await history.flush();
    const answers = await Promise.all([asked(), history.flush(), asked()]);
    expect(answers[0]).toEqual(answers[2]);
    expect(answers[0]?.[0]?.notices).toEqual(PAST);
    await history.close();
    expect(await asked()).toBeNull();
  });
}
