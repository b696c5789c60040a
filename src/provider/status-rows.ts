/**
 * Converts raw rows of the status interface; null if a row cannot be identified. Removes control characters from text
 * and limits its length.
 */
import { isObject } from '../core/text/plain-object.ts';
import { LIMITS } from '../core/observation/limits.ts';
import type { Component, Notice, NoticeDetail, Page, Update } from '../core/page/page-model.ts';
import { truncate } from '../core/text/plain.ts';
import type { ComponentName } from '../core/transition/details.ts';

/** Bytes of an update without its text. */
const UPDATE_ALONE = 64;
/** Digits of an id. */
const LONGEST_NUMBER = 30;

export type Raw = Readonly<Record<string, unknown>>;

/** An integer in any received form (4, 4.0, "4", "4.0") as text; else null. */
export function readId(value: unknown): string | null {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && value >= 0 ? String(value) : null;
  }
  const [, digits] = (isToken(value) ? /^(\d+)(?:\.0+)?$/.exec(value.trim()) : null) ?? [];
  const id = digits === undefined ? null : digits.replace(/^0+/, '') || '0';
  return id !== null && id.length <= LONGEST_NUMBER ? id : null;
}

/** Rejects overlong values for ids and times: scanning them could take seconds. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LIMITS.token;
}

/** A whole number from text or number; else null. */
export function readCount(value: unknown): number | null {
  const id = readId(value);
  return id === null ? null : Number(id);
}

/** Lower case, `-` → `_`; null if it is no text. */
function readState(value: unknown): string | null {
  const state = typeof value === 'string' ? cleanLine(value, LIMITS.state).toLowerCase().replaceAll('-', '_') : '';
  return state === '' ? null : state;
}

/** Epoch milliseconds; UTC if no zone is given, as specified; null if invalid. */
export function readTime(value: unknown): number | null {
  const parts = isToken(value)
    ? /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)?$/i.exec(value.trim())
    : null;
  if (parts === null) {
    return null;
  }
  const zone = (parts[3] ?? 'Z').replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase();
  const time = Date.parse(`${parts[1]}T${parts[2]}${zone}`);
  return Number.isNaN(time) ? null : time;
}

/** One line of at most `limit` characters; null if empty. */
export function readLine(value: unknown, limit: number): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) {
    return String(value);
  }
  const line = typeof value === 'string' ? cleanLine(value, limit) : '';
  return line === '' ? null : line;
}

/** Only http and https: other schemes would become links in messages. */
export function readUrl(value: unknown): string | null {
  const url = typeof value === 'string' && value.length <= LIMITS.address ? URL.parse(value.trim()) : null;
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

/** Null without a readable state. */
export function readPage(raw: Raw, fallbackName: string): Page | null {
  const state = readState(raw['state']);
  if (state === null) {
    return null;
  }
  const links = isObject(raw['links']) ? raw['links'] : {};
  const notices = isObject(links['notices']) ? links['notices'] : {};
  return {
    name: readLine(raw['name'], LIMITS.name) ?? fallbackName,
    state,
    url: readUrl(raw['url']),
    noticeCount: readCount(notices['count']),
    updatedAt: readTime(raw['updated_at']),
  };
}

/** Requires id, name and state; nothing can be concluded from other rows. */
export function readComponent(raw: Raw): Component | null {
  const named = readComponentName(raw);
  const state = readState(raw['state']);
  if (named === null || state === null) {
    return null;
  }
  return { ...named, state, parentId: readId(raw['parent_id']), updatedAt: readTime(raw['updated_at']) };
}

function readComponentName(raw: Raw): ComponentName | null {
  const id = readId(raw['id']);
  const name = readLine(raw['name'], LIMITS.name);
  return id === null || name === null ? null : { id, name };
}

/** Requires only an id: an open incident without a title is still an open incident. */
export function readNotice(raw: Raw): Notice | null {
  const id = readId(raw['id']);
  if (id === null) {
    return null;
  }
  return {
    id,
    type: readState(raw['type']) ?? 'unknown',
    timeline: readState(raw['timeline_state']),
    state: readState(raw['state']),
    subject: readLine(raw['subject'], LIMITS.subject) ?? `Notice ${id}`,
    url: readUrl(raw['url']),
    beginsAt: readTime(raw['begins_at']),
    endsAt: readTime(raw['ends_at']),
    beganAt: readTime(raw['began_at']),
    endedAt: readTime(raw['ended_at']),
    createdAt: readTime(raw['created_at']),
    updatedAt: readTime(raw['updated_at']),
    latestUpdate: isObject(raw['latest_update']) ? readUpdate(raw['latest_update']) : null,
  };
}

function readUpdate(raw: Raw): Update {
  return {
    state: readState(raw['state']),
    content: typeof raw['content'] === 'string' ? cleanText(raw['content'], LIMITS.text) : '',
    createdAt: readTime(raw['created_at']),
    updatedAt: readTime(raw['updated_at']),
  };
}

/** Requires the lists of components and updates: an empty default would claim that nothing is affected or published. */
export function readNoticeDetail(raw: Raw): NoticeDetail | null {
  const notice = readNotice(raw);
  const { components, updates } = raw;
  if (notice === null || !Array.isArray(components) || !Array.isArray(updates)) {
    return null;
  }
  if (components.length > LIMITS.components) {
    return null;
  }
  const history = takeNewest(sortOldestFirst((updates as unknown[]).filter(isObject).map(readUpdate)));
  const named = new Map<string, ComponentName>();
  for (const row of (components as unknown[]).filter(isObject)) {
    const component = readComponentName(row);
    if (component !== null && !named.has(component.id)) {
      named.set(component.id, component);
    }
  }
  let size = 0;
  for (const { id, name } of named.values()) {
    size += id.length + name.length;
  }
  if (size > LIMITS.impact) {
    return null;
  }
  return {
    ...notice,
    latestUpdate: notice.latestUpdate ?? history.at(-1) ?? null,
    components: [...named.values()],
    updates: history,
  };
}

/** Drops the oldest beyond the limit. */
export function takeNewest(history: readonly Update[]): Update[] {
  let room: number = LIMITS.history;
  const first = history.findLastIndex(({ content }) => {
    room -= UPDATE_ALONE + content.length;
    return room < 0;
  });
  return history.slice(first + 1);
}

/** Sorts by time. Equal times follow the direction of the whole list, because the order is not specified. */
export function sortOldestFirst(updates: Update[]): Update[] {
  const times = updates.map((update) => update.createdAt ?? update.updatedAt).filter((time) => time !== null);
  const descending = (times[0] ?? 0) > (times.at(-1) ?? 0);
  const given = descending ? updates.toReversed() : updates;
  let last = Number.NEGATIVE_INFINITY;
  const dated = given.map((update) => {
    // An update without a readable time stays behind its predecessor.
    last = update.createdAt ?? update.updatedAt ?? last;
    return { update, time: last };
  });
  return dated.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)).map(({ update }) => update);
}

// Control characters of both blocks, except tab and newline, and the marks that turn the direction of what follows.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Keeps line breaks and tabs; truncates at a word with an ellipsis. */
export function cleanText(value: string, limit: number): string {
  // Truncate first, so that ten megabytes cost no more than the result.
  const text = value
    .slice(0, limit * 2)
    .replace(CONTROL, '')
    .toWellFormed();
  const kept = truncate(text, limit);
  // A substring keeps the whole string in memory; copy it.
  return value.length > limit ? Buffer.from(kept).toString() : kept;
}

/** Replaces line breaks and tabs by a space. */
export function cleanLine(value: string, limit: number): string {
  return cleanText(value.slice(0, limit * 2).replace(/[\r\n\t\u2028\u2029]+/g, ' '), limit).trim();
}
