/**
 * Converts answers of the status interface to observations: the only place that knows both vocabularies. Never throws
 * for failures of the provider.
 */
import { isObject } from '../core/text/plain-object.ts';
import type { Listing, ReadOrMissed } from '../core/observation/listing.ts';
import { LIMITS } from '../core/observation/limits.ts';
import type { Component, DetailAnswer, Notice, NoticeDetail, Page } from '../core/page/page-model.ts';
import type { TIMELINE_STATES } from './catalogue/status-catalogue.ts';
import {
  createMiss,
  catchMiss,
  createRowsReader,
  listRowDefects,
  walkCollection,
  type Caps,
  type Rows,
} from './collection.ts';
import { ProviderError } from './errors.ts';
import type { CallOptions } from './call.ts';
import type { ReadValue } from './http.ts';
import type { StatusClient } from './status-client.ts';
import { readComponent, readNotice, readNoticeDetail, readPage } from './status-rows.ts';

export type Timeline = (typeof TIMELINE_STATES)[number];

export interface ListingOptions extends CallOptions {
  caps?: Caps;
}

/** Failures become a `Miss` with a code. */
export async function observePage(client: StatusClient, call: CallOptions = {}): Promise<ReadOrMissed<Page>> {
  const answer = await catchMiss(() => client.read('status.show', {}, readPageAnswer, call));
  return 'kind' in answer ? answer : answer.value;
}

const readPageAnswer: ReadValue<ReadOrMissed<Page>> = (value, { base }) => {
  const raw = isObject(value) ? value['page'] : null;
  const page = isObject(raw) ? readPage(raw, base.host) : null;
  return page === null
    ? createMiss('contract_broken', `the answer of ${base.href} holds no page with a state`)
    : { kind: 'observed', value: page };
};

const readComponents = createRowsReader('components', readComponent);
const readNotices = createRowsReader('notices', readNotice);

/** Before each further page, `soFar` gets the rows read until then; the rest is marked as missing. */
export async function observeComponents(
  client: StatusClient,
  options: ListingOptions & { soFar?: (listing: Listing<Component>) => void } = {},
): Promise<Listing<Component>> {
  const { caps, soFar, ...call } = options;
  const rows = await walkCollection<'components.list', Component>(client, {
    id: 'components.list',
    key: 'components',
    read: readComponents,
    input: {},
    soFar: soFar && ((some) => soFar(withDepth(listingOf<Component>(some, 'components')))),
    caps,
    call,
  });
  return withDepth(listingOf(rows, 'components'));
}

/**
 * Notices of one timeline. Filters again in case the server ignores the filter; notices without a timeline are kept.
 */
export async function observeNotices(
  client: StatusClient,
  timeline: Timeline,
  options: ListingOptions & { firstPageOnly?: boolean } = {},
): Promise<Listing<Notice>> {
  const { caps, firstPageOnly, ...call } = options;
  const input = { 'filter[timeline_state_eq]': timeline };
  const rows = await walkCollection(client, {
    id: 'notices.list',
    key: 'notices',
    read: readNotices,
    input,
    caps,
    firstPageOnly,
    isMeant: (notice) => notice.timeline === null || notice.timeline === timeline,
    call,
  });
  return listingOf(rows, 'notices');
}

/** One page of the archive, from 1. Filters again in case the server ignores the filter. */
export async function observePastPage(
  client: StatusClient,
  timeline: Timeline,
  page: number,
  call: CallOptions,
): Promise<ReadOrMissed<{ notices: Notice[]; hasNext: boolean }>> {
  const input = { 'filter[timeline_state_eq]': timeline, page };
  const answer = await catchMiss(() => client.read('notices.list', input, readNotices, call));
  if ('kind' in answer) return answer;
  const { value: read } = answer;
  if (read.kind === 'missed') return read;
  const items = read.rows.flatMap(({ item }) => item ?? []);
  const next = read.meta?.next ?? '';
  return {
    kind: 'observed',
    value: {
      notices: items.filter((notice) =>
        notice.timeline === null ? notice.endedAt !== null : notice.timeline === timeline,
      ),
      // A next link on an empty page would never end.
      hasNext: next !== '' && read.rows.length > 0 && page < LIMITS.pages,
    },
  };
}

/**
 * 404 and 410 in the interface's own form are valid answers: the notice does not exist. An HTML page with that status
 * proves nothing: a wrong path, or a server in front of the interface, sends it for any notice.
 */
export async function observeNotice(client: StatusClient, id: string, call: CallOptions = {}): Promise<DetailAnswer> {
  try {
    const { value: detail } = await client.read('notices.show', { id: Number(id) }, readDetail, call);
    if (detail === null) {
      return createMiss('contract_broken', `the answer about notice ${id} holds no readable notice`);
    }
    return detail.id === id
      ? { kind: 'observed', value: detail }
      : createMiss('contract_broken', `asked about notice ${id}, the answer is about notice ${detail.id}`);
  } catch (error) {
    if (!(error instanceof ProviderError)) {
      throw error;
    }
    return error.code === 'not_found' && error.status !== null && error.inForm
      ? { kind: 'absent', status: error.status }
      : createMiss(error.code, error.reason);
  }
}

const readDetail: ReadValue<NoticeDetail | null> = (value) => {
  const raw = isObject(value) ? value['notice'] : null;
  return isObject(raw) ? readNoticeDetail(raw) : null;
};

interface Item {
  id: string;
  updatedAt: number | null;
}

/** Reports unrealistically deep trees: components below the limit are shown without all their ancestors. */
function withDepth(listing: Listing<Component>): Listing<Component> {
  if (listing.kind === 'missed' || !isDeeper(listing.items, LIMITS.levels)) {
    return listing;
  }
  const text = `components: nested more than ${LIMITS.levels} deep`;
  return { ...listing, defects: [...listing.defects, { key: 'components.levels', text }] };
}

/** True if a component has more than `levels` ancestors; cycles count as endless. */
function isDeeper(components: readonly Component[], levels: number): boolean {
  const parents = new Map(components.map(({ id, parentId }) => [id, parentId]));
  return components.some(({ parentId }) => {
    let at = parentId;
    for (let level = 0; level < levels && at !== null; level += 1) {
      at = parents.get(at) ?? null;
    }
    return at !== null;
  });
}

function listingOf<T extends Item>(walked: Rows<T>, key: string): Listing<T> {
  if (walked.kind === 'missed') {
    return walked;
  }
  const items = new Map<string, T>();
  const { unusable, came, repeated } = walked;
  for (const item of walked.rows) {
    const known = items.get(item.id);
    if (known === undefined || (item.updatedAt ?? 0) > (known.updatedAt ?? 0)) {
      items.set(item.id, item);
    }
  }
  if (came > 0 && unusable.length === came) {
    return walked.missing ?? createMiss('contract_broken', `none of the ${key} in the answer is usable`);
  }
  const defects = [...walked.defects, ...listRowDefects(key, unusable.length, repeated)];
  const unread = unusable.flatMap((id) => (id === null || items.has(id) ? [] : id));
  return {
    kind: 'observed',
    items: [...items.values()],
    defects,
    missing: walked.missing,
    ...(unread.length > 0 && { unusable: unread }),
  };
}
