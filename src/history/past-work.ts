/** Planned work of ninety days, with the phones lost meanwhile. Work that is long over is measured once. */
import { setImmediate } from 'node:timers/promises';
import type { PageRecord, PastNotice } from '../core/history/past-notice.ts';
import type { HistoryReader, Span } from '../core/history/rows.ts';
import { findWorkSpan, measureWorkLosses, type PastWork } from '../core/report/past-work.ts';
import { HOUR } from '../core/text/duration.ts';

/** The latest of a provider that works every night. */
const MOST_WORKS = 200;
/** The last rows of the history are written, and corrected, within this time. */
const SETTLED_AFTER_MS = HOUR;

export type ListPastWork = (
  history: Pick<HistoryReader, 'alerts' | 'phones' | 'readings'>,
  pages: readonly PageRecord[],
  span: Span,
) => Promise<PastWork[]>;

export function createPastWork(): ListPastWork {
  let settled = new Map<string, PastWork>();

  /** Latest first. */
  return async (history, pages, span) => {
    const works = pages
      .flatMap(({ notices }) => notices.filter((notice) => isWorkOf(notice, span)))
      .toSorted((a, b) => findEnd(b) - findEnd(a))
      .slice(0, MOST_WORKS);
    const found: PastWork[] = [];
    const kept = new Map<string, PastWork>();
    for (const work of works) {
      const key = JSON.stringify([work.source, work.id, work.state, findWorkSpan(work)]);
      const known = settled.get(key) ?? (await measure(history, work));
      if (findEnd(work) <= span.until - SETTLED_AFTER_MS) kept.set(key, known);
      found.push(known);
      await setImmediate();
    }
    settled = kept;
    return found;
  };
}

function isWorkOf(notice: PastNotice, { since, until }: Span): boolean {
  const end = findEnd(notice);
  return notice.type === 'planned' && end >= since && end <= until;
}

/** The end that was observed or published, or else announced; 0 if it is not known. */
function findEnd({ endedAt, endsAt }: PastNotice): number {
  return endedAt ?? endsAt ?? 0;
}

async function measure(history: Parameters<ListPastWork>[0], notice: PastNotice): Promise<PastWork> {
  const { origin: _, components: __, ...work } = notice;
  const span = findWorkSpan(work);
  const end = findEnd(notice);
  const alerts = await history.alerts({ since: end - 1, until: end + SETTLED_AFTER_MS }, work.source);
  const number = alerts.find(({ family, notice: of }) => family === 'notice' && of === work.id)?.number ?? null;
  if (span === null) return { ...work, number, losses: [], measured: [] };
  return { ...work, number, ...measureWorkLosses(span, await history.phones(span), await history.readings(span)) };
}
