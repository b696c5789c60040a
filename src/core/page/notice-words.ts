/** Notices as transitions tell of them: the shape that leaves the house. */
import type { Update } from './model.ts';
import { timestamp, type NoticeDetails, type UpdateDetails } from '../transition/details.ts';
import type { NoticeMemory } from './snapshot.ts';

export function subjectOf(id: string): string {
  return `notice/${id}`;
}

export function tellUpdate(update: Pick<Update, 'state' | 'content' | 'createdAt'>): UpdateDetails {
  return { state: update.state, content: update.content, created_at: timestamp(update.createdAt) };
}

export function tellNotice(
  notice: NoticeMemory,
  updates: readonly Pick<Update, 'state' | 'content' | 'createdAt'>[],
): NoticeDetails {
  return {
    notice: {
      id: notice.id,
      type: notice.type,
      state: notice.state,
      timeline_state: notice.timeline,
      subject: notice.subject,
      url: notice.url,
      begins_at: timestamp(notice.beginsAt),
      ends_at: timestamp(notice.endsAt),
      began_at: timestamp(notice.beganAt),
      ended_at: timestamp(notice.endedAt),
    },
    components: notice.components?.map(({ id, name }) => ({ id, name })) ?? null,
    updates: updates.map(tellUpdate),
    revision: notice.revision,
  };
}
