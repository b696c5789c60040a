/** Maps Status.io's document: open and planned notices, without an archive. */
import { isObject } from '../../core/text/plain-object.ts';
import { LIMITS } from '../../core/observation/limits.ts';
import type { Component, NoticeDetail, Update } from '../../core/page/page-model.ts';
import type { ComponentName } from '../../core/transition/details.ts';
import type { InterfaceOrigin } from '../../provider/http.ts';
import { readLine, type Raw } from '../../provider/status-rows.ts';
import {
  readContent,
  toHistory,
  dropUnnamed,
  readId,
  translateState,
  toListing,
  readName,
  createNotice,
  toShownPage,
  readRows,
  toRows,
  toTime,
} from '../reading.ts';
import { refuseOtherDocument, type Shown } from '../vendor-page.ts';

const [OPERATIONAL, WORK, DEGRADED, PARTIAL] = [100, 200, 300, 400];
const WORDS: Readonly<Record<number, string>> = {
  300: 'degraded performance',
  400: 'partial service disruption',
  500: 'service disruption',
  600: 'security event',
};
const MESSAGES: Readonly<Record<number, string>> = {
  100: 'investigating',
  200: 'identified',
  300: 'recovering',
  400: 'resolved',
};
const WORK_MESSAGES: Readonly<Record<number, string>> = {
  100: 'underway',
  200: 'underway',
  300: 'underway',
  400: 'complete',
};

/** `/1.0/status/ID`. `place`: the page for people; null if only the interface's address is known. */
export function mapStatus(value: unknown, origin: InterfaceOrigin, place: URL | null): Shown {
  const result = isObject(value) && isObject(value['result']) ? value['result'] : null;
  const overall = result !== null && isObject(result['status_overall']) ? result['status_overall'] : null;
  const code = numberOf(overall?.['status_code']);
  if (result === null || overall === null || code === null) {
    throw refuseOtherDocument(origin, 'is no page of Status.io');
  }
  const planned = isObject(result['maintenance']) ? result['maintenance'] : {};
  // The documented response does not name its page (kb.status.io/developers/public-status-api), and all share one host.
  const id = origin.base.pathname.split('/').at(-1) ?? '';
  const components = readRows(result['status'], withContainers).flat();
  const locations = components.flatMap((one) => (one === null || one.parentId === null ? [] : [one]));
  const name = readName(result['page_name']) ?? place?.host ?? `Status.io page ${id}`;
  return {
    document: { page: null, name, updatedAt: null },
    page: toShownPage({ name, ...stateOfCode(code, overall), url: place?.href ?? null }),
    components: toListing('components', components, () => toRows(result['status']).flatMap(unreadWithContainers)),
    notices: toListing('notices', [
      ...readRows(result['incidents'], (raw) => incident(raw, locations)),
      ...readRows(planned['active'], (raw) => maintenance(raw, true, locations)),
      ...readRows(planned['upcoming'], (raw) => maintenance(raw, false, locations)),
    ]),
  };
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.length < 10 ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) ? number : null;
}

function stateOfCode(code: number, raw: Raw): { state: string; word?: string } {
  if (code === OPERATIONAL) return { state: 'operational' };
  if (code === WORK) return { state: 'under_maintenance' };
  return translateState(WORDS[code] ?? readName(raw['status']) ?? `code ${code}`, 'degraded');
}

/** A component with its locations as children. */
function withContainers(raw: Raw): (Component | null)[] {
  const own = row(raw, null);
  if (own === null) return [null];
  const containers = toRows(raw['containers']).map((container) => {
    const child = row(container, own.id);
    return child === null ? null : { ...child, id: `${own.id}/${child.id}`, name: `${own.name}, ${child.name}` };
  });
  return containers.length > 1 ? [{ ...own, group: true }, ...containers] : [own];
}

/** Ids of unreadable rows. An unreadable component includes its locations. */
function unreadWithContainers(raw: Raw): string[] {
  const id = readId(raw['id']);
  if (id === null) return [];
  const isRead = row(raw, null) !== null;
  const places = toRows(raw['containers']).filter((container) => !isRead || row(container, id) === null);
  const inside = places.flatMap((container) => readId(container['id']) ?? []).map((place) => `${id}/${place}`);
  return isRead ? inside : [id, ...inside];
}

function row(raw: Raw, parentId: string | null): Component | null {
  const [id, name, code] = [readId(raw['id']), readName(raw['name']), numberOf(raw['status_code'])];
  if (id === null || name === null || code === null) return null;
  return { id, name, ...stateOfCode(code, raw), parentId, updatedAt: toTime(raw['updated']) };
}

/**
 * A notice lists components and locations apart. Which belong together is certain where it names one of either;
 * otherwise its components count as a whole, and without any all components at its locations.
 */
function affected(raw: Raw, locations: readonly Component[]): ComponentName[] {
  const named = dropUnnamed(
    toRows(raw['components_affected']).map((each): ComponentName | null => {
      const [id, name] = [readId(each['_id']) ?? readId(each['id']), readName(each['name'])];
      return id === null || name === null ? null : { id, name };
    }),
  );
  const places = toRows(raw['containers_affected']).flatMap((each) => readId(each['_id']) ?? readId(each['id']) ?? []);
  const inside = (own: readonly Component[]): ComponentName[] =>
    own
      .filter(({ id, parentId }) => places.some((place) => id === `${parentId}/${place}`))
      .map(({ id, name }) => ({ id, name }));
  if (named.length === 0) return inside(locations);
  if (named.length > 1 && places.length > 1) return named;
  return named.flatMap((one) => {
    const hit = inside(locations.filter(({ parentId }) => parentId === one.id));
    return hit.length === 0 ? [one] : hit;
  });
}

function record(raw: Raw, states: Readonly<Record<number, string>>, locations: readonly Component[]) {
  const id = readId(raw['_id']) ?? readId(raw['id']);
  if (id === null) return null;
  const updates = toHistory(toRows(raw['messages']).map((message) => updateOf(message, states)));
  const codes = toRows(raw['messages']).flatMap((message) => numberOf(message['status']) ?? []);
  return {
    id,
    updates,
    worst: codes.reduce((worst, code) => Math.max(worst, code), 0),
    subject: readLine(raw['name'], LIMITS.subject) ?? `Notice ${id}`,
    createdAt: toTime(raw['datetime_open']),
    components: affected(raw, locations),
  };
}

function updateOf(raw: Raw, states: Readonly<Record<number, string>>): Update {
  const [code, at] = [numberOf(raw['state']), toTime(raw['datetime'])];
  return { state: states[code ?? 0] ?? null, content: readContent(raw['details']), createdAt: at, updatedAt: at };
}

function incident(raw: Raw, locations: readonly Component[]): NoticeDetail | null {
  const known = record(raw, MESSAGES, locations);
  if (known === null) return null;
  const { worst, ...shared } = known;
  const state = known.updates.findLast((update) => update.state !== null)?.state ?? 'investigating';
  const isOver = state === 'resolved';
  return createNotice({
    ...shared,
    type: 'unplanned',
    timeline: isOver ? 'past_recent' : 'present',
    state,
    beganAt: known.createdAt,
    ...(worst >= DEGRADED && { impact: worst > PARTIAL ? 'critical' : worst === PARTIAL ? 'major' : 'minor' }),
  });
}

function maintenance(raw: Raw, isActive: boolean, locations: readonly Component[]): NoticeDetail | null {
  const known = record(raw, WORK_MESSAGES, locations);
  if (known === null) return null;
  const { worst: _, ...shared } = known;
  const isOver = known.updates.at(-1)?.state === 'complete';
  return createNotice({
    ...shared,
    type: 'planned',
    timeline: isOver ? 'past_recent' : isActive ? 'present' : 'future',
    state: isOver ? 'complete' : isActive ? 'underway' : 'scheduled',
    beginsAt: toTime(raw['datetime_planned_start']),
    endsAt: toTime(raw['datetime_planned_end']),
  });
}
