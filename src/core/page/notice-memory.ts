/** What remains of a reading: the memory of one notice after it. */
import { LIMITS } from '../observation/limits.ts';
import { isAcute, isOver } from './notice-life.ts';
import type { Reading } from './notice-reading.ts';
import type { NoticeMemory, UpdateMemory } from './snapshot.ts';
import { compareUpdates, inOrder, remember } from './updates.ts';

export function remembered(before: NoticeMemory | undefined, reading: Reading, now: number): NoticeMemory {
  const { latestUpdate: _, ...notice } = reading.notice;
  const over = isOver(notice);
  const updates = mergedUpdates(before?.updates ?? [], reading);
  const cancelled = notice.state === 'cancelled';
  const moved = before !== undefined && (before.beginsAt !== notice.beginsAt || before.endsAt !== notice.endsAt);
  const newlyCancelled = before !== undefined && before.state !== notice.state && cancelled;
  return {
    ...notice,
    components: reading.components ?? before?.components ?? null,
    updates,
    listed: reading.listed,
    firstSeenAt: before?.firstSeenAt ?? now,
    closedAt: over ? (before?.closedAt ?? now) : null,
    withdrawn: false,
    wasAcute:
      (before?.wasAcute ?? false) ||
      isAcute(notice.type, notice.state) ||
      updates.some((update) => isAcute(notice.type, update.state)),
    revision: (before?.revision ?? 0) + (moved || newlyCancelled ? 1 : 0),
    finalLook: before?.finalLook ?? false,
    windowSince: before === undefined || moved ? now : before.windowSince,
    said: moved ? [] : (before?.said ?? []),
  };
}

/** A whole history replaces what was known; a glimpse of the latest update is added to it. */
function mergedUpdates(known: readonly UpdateMemory[], reading: Reading): UpdateMemory[] {
  if (reading.whole) return inOrder(reading.updates).map(remember);
  const { fresh, edited } = compareUpdates(known, reading.updates);
  const kept = known.map((update) => {
    const edit = edited.find(({ from }) => from === update);
    return edit === undefined ? update : remember(edit.to);
  });
  return latest(inOrder([...kept, ...fresh.map(remember)]));
}

/** As much of a history as is read of one at once. */
function latest(updates: readonly UpdateMemory[]): UpdateMemory[] {
  let size = 0;
  const from = updates.findLastIndex(({ content }) => (size += content.length + 1) > LIMITS.history);
  return updates.slice(from + 1);
}
