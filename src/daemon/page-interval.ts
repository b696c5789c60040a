/** How often a page is swept: faster while it matters. */
import type { SourceState } from '../cycle.ts';
import { isAcute } from '../status-page/notice-life.ts';
import { openNotices } from '../status-page/snapshot.ts';
import type { WatchedPage } from './options.ts';
import { greatest } from '../transition/long-lists.ts';
import { HOUR } from '../text/duration.ts';

/** While an unplanned notice is open, and this long after its last update, sweeps come faster. */
const INCIDENT_LINGERS_MS = 2 * HOUR;

export function intervalOf(page: WatchedPage, { snapshot }: SourceState, now: number): number {
  const hot = openNotices(snapshot).some((notice) => {
    const lastWord = greatest([notice.firstSeenAt, ...notice.updates.map((update) => update.createdAt ?? 0)]);
    return isAcute(notice.type, notice.state) || (notice.wasAcute && now - lastWord < INCIDENT_LINGERS_MS);
  });
  return hot ? Math.min(page.intervalDuringIncidentMs, page.intervalMs) : page.intervalMs;
}
