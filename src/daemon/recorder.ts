/**
 * Writes down what a live status page answers, as a history that `replay` plays: one step for each sweep that
 * brought something new. Only what was read in full is recorded, and nothing but what the page says.
 */
import type { Listing } from '../core/observation/listing.ts';
import { createHash } from 'node:crypto';
import type { Component, Notice, NoticeDetail, Page, Update } from '../core/page/model.ts';
import type { Looker, Timeline } from './looker.ts';
import type { Recording } from './recording.ts';

export interface Recorder {
  /** To be called after every sweep. Rejects when the disk refuses. */
  sweepEnded(): Promise<void>;
}

export interface PageRecorder extends Recorder {
  /** The looker to give to the daemon in place of the given one. */
  looker: Looker;
}

export interface RecorderOptions {
  looker: Looker;
  recording: Recording;
  now(): number;
}

/** Enough to know what was recorded last without keeping it. */
export function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64');
}

interface Seen {
  page: Page | null;
  components: Component[] | null;
  notices: Partial<Record<Timeline, Notice[]>>;
}

export function createPageRecorder({ looker, recording, now }: RecorderOptions): PageRecorder {
  const details = new Map<string, NoticeDetail>();
  let recent: Notice[] = [];
  let seen: Seen = { page: null, components: null, notices: {} };
  let last = '';

  function whole<T>(listing: Listing<T>): T[] | null {
    return listing.kind === 'observed' && listing.missing === null ? listing.items : null;
  }

  const watched: Looker = {
    async page(signal) {
      const answer = await looker.page(signal);
      seen.page = answer.kind === 'observed' ? answer.value : null;
      return answer;
    },
    async components(signal) {
      const answer = await looker.components(signal);
      seen.components = whole(answer);
      return answer;
    },
    async notices(timeline, signal) {
      const answer = await looker.notices(timeline, signal);
      const items = whole(answer);
      if (timeline === 'past_recent') recent = items ?? recent;
      else if (items === null) delete seen.notices[timeline];
      else seen.notices[timeline] = items;
      return answer;
    },
    async notice(id, signal) {
      const answer = await looker.notice(id, signal);
      if (answer.kind === 'observed') details.set(id, answer.value);
      if (answer.kind === 'absent') details.delete(id);
      return answer;
    },
    restMs: () => looker.restMs(),
  };

  async function sweepEnded(): Promise<void> {
    const { page, components } = seen;
    const { present, future } = seen.notices;
    seen = { page: null, components: null, notices: {} };
    if (page === null || components === null || present === undefined || future === undefined) return;
    const byId = new Map(components.map((component) => [component.id, component]));
    const open = [...present, ...future];
    const over = [...recent, ...details.values()].filter(({ id }) => !open.some((notice) => notice.id === id));
    const notices = [...new Map([...open, ...over].map((notice) => [notice.id, notice])).values()];
    const step = {
      status: { page: pageDocument(page, notices.length) },
      components: components.map(componentDocument),
      notices: notices.map(noticeDocument),
      details: Object.fromEntries([...details].map(([id, detail]) => [id, detailDocument(detail, byId)])),
    };
    const digest = `${recording.begun} ${digestOf(step)}`;
    if (digest === last) return;
    last = digest;
    await recording.add({ at: new Date(now()).toISOString(), ...step });
  }

  return { looker: watched, sweepEnded };
}

const ALWAYS = '1970-01-01T00:00:00.000Z';

function time(at: number | null): string {
  return at === null ? ALWAYS : new Date(at).toISOString();
}

function maybe(at: number | null): string | null {
  return at === null ? null : time(at);
}

function pageDocument({ name, state, url, updatedAt }: Page, notices: number): object {
  const links = { notices: { href: '/v1/notices', count: notices } };
  return { name, state, url: url ?? '', links, created_at: ALWAYS, updated_at: time(updatedAt) };
}

function componentDocument({ id, state, name, parentId, updatedAt }: Component): object {
  const parent_id = parentId === null ? null : Number(parentId);
  return { id: Number(id), state, name, description: '', parent_id, created_at: ALWAYS, updated_at: time(updatedAt) };
}

function updateDocument({ state, content, createdAt, updatedAt }: Update): object {
  return { state, content, created_at: time(createdAt), updated_at: time(updatedAt ?? createdAt) };
}

function baseDocument(notice: Notice): object {
  return {
    id: Number(notice.id),
    type: notice.type,
    timeline_state: notice.timeline ?? 'present',
    state: notice.state,
    subject: notice.subject,
    url: notice.url ?? '',
    ...(notice.beginsAt === null && notice.endsAt === null
      ? {}
      : { begins_at: maybe(notice.beginsAt), ends_at: maybe(notice.endsAt) }),
    began_at: maybe(notice.beganAt),
    ended_at: maybe(notice.endedAt),
    created_at: time(notice.createdAt),
    updated_at: time(notice.updatedAt),
  };
}

function noticeDocument(notice: Notice): object {
  return {
    ...baseDocument(notice),
    latest_update: notice.latestUpdate === null ? null : updateDocument(notice.latestUpdate),
  };
}

function detailDocument(detail: NoticeDetail, components: ReadonlyMap<string, Component>): object {
  return {
    ...baseDocument(detail),
    components: detail.components.map(({ id, name }) =>
      componentDocument(components.get(id) ?? { id, name, state: 'operational', parentId: null, updatedAt: null }),
    ),
    updates: detail.updates.map(updateDocument),
  };
}
