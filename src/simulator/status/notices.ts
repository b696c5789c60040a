/** Notices: opened, updated, rewritten, rescheduled, archived, deleted. */
import { SimulatorError } from '../simulator-error.ts';
import { isEnd } from './state.ts';

export const NOTICE_TYPES = ['unplanned', 'planned', 'general'] as const;
type NoticeType = (typeof NOTICE_TYPES)[number];

export interface NoticeDraft {
  /** Default: the next free number. */
  id?: number | undefined;
  /** Default `unplanned`; `general` notices have no state and no times. */
  type?: NoticeType | undefined;
  /** Default `investigating` or `scheduled`; any string is allowed. */
  state?: string | undefined;
  subject: string;
  /** Text of the first update. Default: the subject. */
  content?: string | undefined;
  componentIds?: readonly number[] | undefined;
  /** Announced window of planned work, epoch milliseconds. */
  beginsAt?: number | undefined;
  endsAt?: number | undefined;
  /** Actual start, if not now: notices are often opened late. */
  beganAt?: number | undefined;
  endedAt?: number | undefined;
  /** Time of publication, if not now. */
  createdAt?: number | undefined;
}

/** Changes of a notice. `content` appends an update; other fields change in place. */
export interface NoticeChange extends Pick<
  NoticeDraft,
  'state' | 'content' | 'type' | 'componentIds' | 'beginsAt' | 'endsAt'
> {
  subject?: string | undefined;
}

export interface UpdateRecord {
  state: string | null;
  content: string;
  createdAt: number;
  updatedAt: number;
}

export interface SimulatedNotice {
  id: number;
  type: string;
  state: string | null;
  subject: string;
  beginsAt: number | null;
  endsAt: number | null;
  beganAt: number | null;
  endedAt: number | null;
  createdAt: number;
  updatedAt: number;
  componentIds: number[];
  updates: UpdateRecord[];
  /** Whether it is listed, and how its detail answers: archived notices leave the list before they are deleted. */
  listed: boolean;
  answers: 'detail' | 'not found' | 'gone';
}

export type NoticeBook = ReturnType<typeof createNoticeBook>;

/** Starts empty. Throws `SimulatorError` for duplicate or unknown ids, and for planned work without a window. */
export function createNoticeBook(now: () => number) {
  // Newest first.
  let records: SimulatedNotice[] = [];
  let nextId = 5001;
  let latest: number | null = null;

  function find(id: number): SimulatedNotice {
    const record = records.find((candidate) => candidate.id === id);
    if (record === undefined) throw new SimulatorError(`There is no notice ${id}.`);
    return record;
  }

  function enter(record: SimulatedNotice, state: string | null): void {
    record.state = state;
    if (record.type === 'general') return;
    if (isEnd(state)) {
      record.endedAt ??= now();
      return;
    }
    record.endedAt = null;
    // Planned work back in `scheduled` has not begun.
    if (state === 'scheduled') record.beganAt = null;
    else record.beganAt ??= now();
  }

  function append(record: SimulatedNotice, content: string, at = now()): void {
    record.updates.push({ state: record.state, content, createdAt: at, updatedAt: at });
  }

  return {
    open(draft: NoticeDraft) {
      const id = draft.id ?? nextId;
      if (records.some((record) => record.id === id)) throw new SimulatorError(`Notice ${id} exists already.`);
      const type = draft.type ?? 'unplanned';
      const planned = type === 'planned';
      if (planned && (draft.beginsAt === undefined || draft.endsAt === undefined)) {
        throw new SimulatorError('Planned work needs a window: when it begins and when it ends.');
      }
      nextId = Math.max(nextId, id + 1);
      latest = id;
      const at = draft.createdAt ?? now();
      const record: SimulatedNotice = {
        id,
        type,
        state: null,
        subject: draft.subject,
        beginsAt: planned ? (draft.beginsAt ?? null) : null,
        endsAt: planned ? (draft.endsAt ?? null) : null,
        beganAt: draft.beganAt ?? null,
        endedAt: draft.endedAt ?? null,
        createdAt: at,
        updatedAt: Math.max(at, draft.endedAt ?? at),
        componentIds: [...(draft.componentIds ?? [])],
        updates: [],
        listed: true,
        answers: 'detail',
      };
      enter(record, draft.state ?? (type === 'general' ? null : planned ? 'scheduled' : 'investigating'));
      append(record, draft.content ?? draft.subject, record.updatedAt);
      records.unshift(record);
      return id;
    },
    change(id: number, change: NoticeChange) {
      const record = find(id);
      if (change.type !== undefined) record.type = change.type;
      if (change.subject !== undefined) record.subject = change.subject;
      if (change.componentIds !== undefined) record.componentIds = [...change.componentIds];
      if (change.beginsAt !== undefined) record.beginsAt = change.beginsAt;
      if (change.endsAt !== undefined) record.endsAt = change.endsAt;
      if (change.state !== undefined) enter(record, change.state);
      if (change.content !== undefined) append(record, change.content);
      record.updatedAt = now();
    },
    editUpdate(id: number, index: number, content: string) {
      const record = find(id);
      const update = record.updates.at(index);
      if (update === undefined) {
        throw new SimulatorError(`Notice ${id} has ${record.updates.length} updates; there is none at ${index}.`);
      }
      update.content = content;
      update.updatedAt = now();
      record.updatedAt = now();
    },
    /** Removes it from the list; `answers` sets the response of its detail. */
    hide(id: number, answers: SimulatedNotice['answers']) {
      const record = find(id);
      record.listed = false;
      record.answers = answers;
    },
    restore(id: number) {
      const record = find(id);
      record.listed = true;
      record.answers = 'detail';
    },
    dropComponent(componentId: number) {
      for (const record of records) record.componentIds = record.componentIds.filter((id) => id !== componentId);
    },
    /** Id of the latest notice, for use with curl. */
    latestId: () => latest,
    touch() {
      for (const record of records) record.updatedAt = now();
    },
    reverse() {
      records = records.toReversed();
    },
    records: (): readonly SimulatedNotice[] => records,
  };
}
