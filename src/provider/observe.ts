/** The provider's answers → observations: the only place where the two vocabularies meet. None of these throws for what the provider does. */
import type { Component, Notice, Page } from '../status-page/model.ts';
import type { Defect, DetailAnswer, Listing, Seen } from '../status-page/observation.ts';
import type { TIMELINE_STATES } from './catalogue/status.ts';
import { miss, missing, sentenceOf, walkCollection, type Caps, type Rows } from './collection.ts';
import { ProviderError } from './errors.ts';
import type { CallOptions } from './call.ts';
import type { StatusClient } from './status-client.ts';
import { isRaw, readComponent, readNotice, readNoticeDetail, readPage, type Raw } from './status-rows.ts';

export type Timeline = (typeof TIMELINE_STATES)[number];

export interface ListingOptions extends CallOptions {
  caps?: Caps;
}

export async function observePage(client: StatusClient, call: CallOptions = {}): Promise<Seen<Page>> {
  const answer = await missing(() => client.ask('status.show', {}, call));
  if ('kind' in answer) {
    return answer;
  }
  const raw = isRaw(answer.value) ? answer.value['page'] : null;
  const page = isRaw(raw) ? readPage(raw, new URL(client.baseUrl).host) : null;
  return page === null
    ? miss('contract_broken', `the answer of ${client.baseUrl} holds no page with a state`)
    : { kind: 'observed', value: page };
}

export async function observeComponents(
  client: StatusClient,
  options: ListingOptions = {},
): Promise<Listing<Component>> {
  const { caps, ...call } = options;
  const rows = await walkCollection(client, { id: 'components.list', key: 'components', input: {}, caps, call });
  return listingOf(rows, 'components', readComponent);
}

/** The notices that stand here in time. A server that ignores the filter is filtered again; one that names no timeline is believed. */
export async function observeNotices(
  client: StatusClient,
  timeline: Timeline,
  options: ListingOptions & { firstPageOnly?: boolean } = {},
): Promise<Listing<Notice>> {
  const { caps, firstPageOnly, ...call } = options;
  const input = { 'filter[timeline_state_eq]': timeline };
  const rows = await walkCollection(client, { id: 'notices.list', key: 'notices', input, caps, firstPageOnly, call });
  const listing = listingOf(rows, 'notices', readNotice);
  if (listing.kind === 'missed') {
    return listing;
  }
  const items = listing.items.filter((notice) => notice.timeline === null || notice.timeline === timeline);
  return { ...listing, items };
}

/** 404 and 410 are an answer here: there is no such notice (any more). */
export async function observeNotice(client: StatusClient, id: string, call: CallOptions = {}): Promise<DetailAnswer> {
  try {
    const { value } = await client.ask('notices.show', { id: Number(id) }, call);
    const raw = isRaw(value) ? value['notice'] : null;
    const detail = isRaw(raw) ? readNoticeDetail(raw) : null;
    if (detail === null) {
      return miss('contract_broken', `the answer about notice ${id} holds no readable notice`);
    }
    return detail.id === id
      ? { kind: 'observed', value: detail }
      : miss('contract_broken', `asked about notice ${id}, the answer is about notice ${detail.id}`);
  } catch (error) {
    if (!(error instanceof ProviderError)) {
      throw error;
    }
    return error.code === 'not_found' && error.status !== null
      ? { kind: 'absent', status: error.status }
      : miss(error.code, sentenceOf(error));
  }
}

interface Item {
  id: string;
  updatedAt: number | null;
}

function listingOf<T extends Item>(walked: Rows, key: string, read: (raw: Raw) => T | null): Listing<T> {
  if (walked.kind === 'missed') {
    return walked;
  }
  const items = new Map<string, T>();
  let unusable = 0;
  let repeated = 0;
  for (const row of walked.rows) {
    const item = isRaw(row) ? read(row) : null;
    if (item === null) {
      unusable += 1;
      continue;
    }
    const known = items.get(item.id);
    if (known !== undefined) {
      repeated += 1;
    }
    if (known === undefined || (item.updatedAt ?? 0) > (known.updatedAt ?? 0)) {
      items.set(item.id, item);
    }
  }
  const defects: Defect[] = [...walked.defects];
  if (unusable > 0) {
    defects.push({
      key: `${key}.unusable:${unusable}`,
      text: `${key}: ${unusable} unusable ${unusable === 1 ? 'row' : 'rows'}`,
    });
  }
  if (repeated > 0) {
    defects.push({
      key: `${key}.repeated:${repeated}`,
      text: `${key}: ${repeated} ${repeated === 1 ? 'id' : 'ids'} came twice`,
    });
  }
  return { kind: 'observed', items: [...items.values()], defects, missing: walked.missing };
}
