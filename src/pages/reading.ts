/** Parses values of other vendors' documents in all forms they occur in; null if unreadable. Never throws. */
import { formatState, trimEndSlashes } from '../core/text/plain.ts';
import { isObject } from '../core/text/plain-object.ts';
import { LIMITS } from '../core/observation/limits.ts';
import type { Listing } from '../core/observation/listing.ts';
import type { Component, NoticeDetail, Page, Update } from '../core/page/page-model.ts';
import { DAY } from '../core/text/duration.ts';
import type { ComponentName } from '../core/transition/details.ts';
import { createMiss, listRowDefects } from '../provider/collection.ts';
import {
  takeNewest,
  sortOldestFirst,
  cleanLine,
  cleanText,
  readLine,
  readTime,
  type Raw,
} from '../provider/status-rows.ts';
import type { Shown } from './vendor-page.ts';

/** Longest id: an ARN of AWS has 120 characters. */
const LONGEST_ID = 256;
/** News without a state are shown for a day after their last update. */
const NEWS_FOR_MS = DAY;

/** Epoch seconds from 2001 to 2286, and the same in milliseconds. */
const [SECONDS_FROM, MILLISECONDS_FROM] = [1e9, 1e12];

/** Null or absent lists are empty; values other than objects are dropped. */
export function toRows(value: unknown): Raw[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];
}

/** Parses rows; null for unreadable ones. An absent list is empty. */
export function readRows<T>(value: unknown, read: (raw: Raw) => T | null): (T | null)[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) return [null];
  return (value as unknown[]).map((row) => (isObject(row) ? read(row) : null));
}

/** Opaque: text without blanks, or a number. */
export function readId(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  if (typeof value !== 'string' || value.length > LONGEST_ID) return null;
  const id = cleanLine(value, LONGEST_ID);
  return id === '' ? null : id;
}

/** One line; null if empty. */
export function readName(value: unknown): string | null {
  return readLine(value, LIMITS.name);
}

/** Empty if it is no text. */
export function readContent(value: unknown): string {
  return typeof value === 'string' ? cleanText(value, LIMITS.text) : '';
}

/**
 * The vendor's state in lower case with `_` between words. `PARTIALOUTAGE`, `partial-outage` and `Partial Outage` stay
 * distinct.
 */
export function readState(value: unknown): string | null {
  const state =
    typeof value === 'string'
      ? cleanLine(value, LIMITS.state)
          .toLowerCase()
          .replaceAll(/[-\s]+/g, '_')
      : '';
  return state === '' ? null : state;
}

/** Our state, and the vendor's word if it differs. */
export function translateState<S extends string>(own: string, ours: S): { state: S; word?: string } {
  return own === ours ? { state: ours } : { state: ours, word: formatState(own) };
}

/** Epoch milliseconds from ISO 8601, epoch seconds or milliseconds, or date formats of JavaScript and mail. */
export function toTime(value: unknown): number | null {
  if (typeof value === 'string' && value.length <= LIMITS.token) {
    const text = value.trim();
    if (/^\d{9,17}(\.\d{1,9})?$/.test(text)) return toTime(Number(text));
    const known = readTime(text);
    if (known !== null) return known;
    const written = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text.split(' (', 1)[0] ?? '') : Number.NaN;
    return Number.isNaN(written) ? null : written;
  }
  if (typeof value !== 'number' || !(value >= SECONDS_FROM)) return null;
  const at = value >= MILLISECONDS_FROM ? value : value * 1000;
  return at < 8.64e15 ? Math.trunc(at) : null;
}

/** Minutes as number or text. */
export function readMinutes(value: unknown): number | null {
  const minutes = typeof value === 'string' && value.length <= LIMITS.token ? Number.parseFloat(value) : value;
  return typeof minutes === 'number' && Number.isFinite(minutes) && minutes >= 0 ? minutes : null;
}

/** Identity of a page by its normalised address. */
export function toPlace(address: string | null): { page: string; isAddress: true } | { page: null } {
  const url = address === null ? null : URL.parse(address);
  if (url === null) return { page: null };
  return { page: `${url.host.replace(/^www\./, '')}${trimEndSlashes(url.pathname)}`, isAddress: true };
}

/** Oldest first, within the limit. Equal times keep the direction of the whole list. */
export function toHistory(updates: readonly Update[]): Update[] {
  const [first, last] = [updates[0]?.createdAt ?? 0, updates.at(-1)?.createdAt ?? 0];
  return takeNewest(sortOldestFirst(first > last ? updates.toReversed() : [...updates]));
}

/**
 * Time since when a notice is over: a review may follow the end, and an earlier end may have been taken back. `finals`:
 * states of what is over.
 */
export function findEnd(updates: readonly Update[], finals: readonly string[]): number | null {
  const isFinal = ({ state }: Update): boolean => state !== null && finals.includes(state);
  const taken = updates.findLastIndex((update) => update.state !== null && !isFinal(update));
  return updates.slice(taken + 1).find(isFinal)?.createdAt ?? null;
}

/** Removes duplicates, within the limit. */
export function dropUnnamed(named: readonly (ComponentName | null)[]): ComponentName[] {
  const hits = new Map<string, ComponentName>();
  let size = 0;
  for (const component of named) {
    if (component === null || hits.has(component.id)) continue;
    size += component.id.length + component.name.length;
    if (size > LIMITS.impact || hits.size >= LIMITS.components) break;
    hits.set(component.id, component);
  }
  return [...hits.values()];
}

/** Ids of unreadable rows. `idIn` finds the id of a row of this vendor. */
export function listUnreadIds(
  value: unknown,
  read: (raw: Raw) => object | null,
  idIn = (raw: Raw): string | null => readId(raw['id']),
): string[] {
  return toRows(value).flatMap((raw) => (read(raw) === null ? (idIn(raw) ?? []) : []));
}

/**
 * Converts rows to a listing. Unreadable rows are a defect, and rows beyond the limit are dropped. `unread` returns ids
 * of unreadable rows, which never count as gone.
 */
export function toListing<T extends { id: string }>(
  key: 'components' | 'notices',
  rows: readonly (T | null)[],
  unread: () => readonly string[] = () => [],
): Listing<T> {
  const most = LIMITS[key];
  const usable = rows.filter((row) => row !== null);
  const items = new Map(usable.map((row) => [row.id, row]));
  if (items.size === 0 && rows.length > 0) {
    return createMiss('contract_broken', `none of the ${key} in the answer is usable`);
  }
  if (items.size > most) {
    const first = [...items.values()].slice(0, LIMITS.rowsOfAnEndlessListing);
    const why = `it has more than ${most} ${key}`;
    return { kind: 'observed', items: first, defects: [], missing: createMiss('too_large', why) };
  }
  const defects = listRowDefects(key, rows.length - usable.length, usable.length - items.size);
  const unusable = rows.length === usable.length ? [] : unread().filter((id) => !items.has(id));
  return {
    kind: 'observed',
    items: [...items.values()],
    defects,
    missing: null,
    ...(unusable.length > 0 && { unusable }),
  };
}

/** A notice with defaults for everything this type of page lacks. */
export function createNotice(
  known: Pick<NoticeDetail, 'id' | 'type' | 'timeline' | 'state' | 'subject'> & Partial<NoticeDetail>,
): NoticeDetail {
  const updates = known.updates ?? [];
  return {
    url: null,
    beginsAt: null,
    endsAt: null,
    beganAt: null,
    endedAt: null,
    createdAt: null,
    updatedAt: null,
    latestUpdate: updates.at(-1) ?? null,
    components: [],
    ...known,
    updates,
  };
}

/** Time-dependent states: the start of planned work, and the age of news. Nothing closes by time. */
export function applyClock(shown: Shown, now: number): Shown {
  const { notices } = shown;
  if (notices.kind === 'missed') return shown;
  const items = notices.items.map((notice): NoticeDetail => {
    if (notice.timeline !== null) return notice;
    if (notice.type === 'planned') {
      const isToCome = notice.beginsAt !== null && notice.beginsAt > now;
      return isToCome
        ? { ...notice, timeline: 'future', state: 'scheduled' }
        : { ...notice, timeline: 'present', state: 'underway', beganAt: notice.beginsAt };
    }
    // An edit changes `updatedAt`, but does not make old news new.
    const saidAt = notice.updates.at(-1)?.createdAt ?? notice.updatedAt ?? notice.createdAt ?? now;
    const isNews = now - saidAt <= NEWS_FOR_MS;
    return { ...notice, timeline: isNews ? 'present' : 'past_recent' };
  });
  return { ...shown, notices: { ...notices, items } };
}

/** Page data of a document. No vendor has a notice count or a time of change. */
export function toShownPage(page: Pick<Page, 'name' | 'state' | 'word' | 'url'>): Shown['page'] {
  return { kind: 'observed', value: { ...page, noticeCount: null, updatedAt: null } };
}

/** For pages without a component list: affected components are named in notices. */
export const NO_COMPONENTS: Listing<Component> = { kind: 'observed', items: [], defects: [], missing: null };
