/** Small parts of a status page, and a desk that lays one look after the other before the core. */
import type { Listing, Miss } from '../../src/core/observation/listing.ts';
import { type Context, createPageState, PAGE, type SourceState } from '../../src/core/engine/page-kind.ts';
import { performStep } from '../../src/core/engine/step.ts';
import type { Component, DetailAnswer, Notice, NoticeDetail, Page, Update } from '../../src/core/page/page-model.ts';
import { listWantedDetails } from '../../src/core/page/read-notice.ts';
import type { Observation } from '../../src/core/page/compare.ts';
import type { Entry } from '../../src/core/outbox/message.ts';
import { allSettled, routingTo } from './routing.ts';
import type { EnteredTransition } from '../../src/core/alert/alert.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** Monday morning; every desk begins here. */
export const MORNING = Date.parse('2026-03-02T09:00:00.000Z');

export function page(own: Partial<Page> = {}): Page {
  return {
    name: 'Provider',
    state: 'operational',
    url: 'https://status.example.test',
    noticeCount: 0,
    updatedAt: MORNING,
    ...own,
  };
}

export function component(id: string, own: Partial<Component> = {}): Component {
  return { id, name: `Component ${id}`, state: 'operational', parentId: null, updatedAt: null, ...own };
}

export function update(content: string, at: number, state: string | null = null): Update {
  return { state, content, createdAt: at, updatedAt: at };
}

export interface NoticeParts extends Partial<NoticeDetail> {
  hits?: readonly string[];
}

/** An unplanned notice that is investigating by default; `hits` are ids of components. */
export function notice(id: string, parts: NoticeParts = {}): NoticeDetail {
  const { hits = ['1'], ...own } = parts;
  return {
    id,
    type: 'unplanned',
    timeline: 'present',
    state: 'investigating',
    subject: `Incident ${id}`,
    url: `https://status.example.test/notices/${id}`,
    beginsAt: null,
    endsAt: null,
    beganAt: MORNING,
    endedAt: null,
    createdAt: MORNING,
    updatedAt: null,
    latestUpdate: own.updates?.at(-1) ?? null,
    components: hits.map((hit) => ({ id: hit, name: `Component ${hit}` })),
    updates: [],
    ...own,
  };
}

export function work(id: string, parts: NoticeParts = {}): NoticeDetail {
  return notice(id, {
    type: 'planned',
    timeline: 'future',
    state: 'scheduled',
    subject: `Work ${id}`,
    beginsAt: MORNING + 48 * HOUR,
    endsAt: MORNING + 50 * HOUR,
    beganAt: null,
    ...parts,
  });
}

export function listing<T>(
  items: readonly T[],
  own: { missing?: Miss; defects?: { key: string; text: string }[] } = {},
): Listing<T> {
  return { kind: 'observed', items: [...items], defects: own.defects ?? [], missing: own.missing ?? null };
}

export const MISSED: Miss = { kind: 'missed', code: 'timeout', why: 'no answer' };

/** Observation of a sweep; omitted parts are unchanged. */
export interface Sight {
  page?: Page | Miss;
  components?: readonly Component[] | Listing<Component>;
  /** Those listed, with their details; the timeline says where. */
  notices?: readonly NoticeDetail[] | Miss;
  /** Other answers to questions about single notices. */
  answers?: Record<string, DetailAnswer>;
}

export interface Desk {
  state: SourceState;
  /** `kind subject from → to (status severity)`, with `*` where people get a message of it. */
  look(sight: Sight, afterMs?: number): string[];
  entered: EnteredTransition[];
  promised: Entry[];
  changed: boolean;
}

export function desk(settings: Partial<Pick<Context, 'components' | 'overrides'>> = {}): Desk {
  let now = MORNING;
  let sweep = 0;
  let nextNumber = 1;
  let seen: Required<Omit<Sight, 'answers'>> = {
    page: page(),
    components: [component('1'), component('2')],
    notices: [],
  };
  const self: Desk = {
    state: createPageState('https://status.example.test/'),
    look,
    entered: [],
    promised: [],
    changed: false,
  };

  function context(): Context {
    return {
      source: { name: 'provider', baseUrl: 'https://status.example.test/' },
      health: { baseUrl: 'https://status.example.test/', unreachableAfterMs: 3 * MINUTE },
      maintenance: { reminders: [DAY, HOUR], graceMs: 15 * MINUTE },
      components: settings.components ?? { include: [], exclude: [] },
      now,
      sweep,
      nextNumber,
      routing: routingTo(['people', 'programs']),
      overrides: settings.overrides ?? [],
      settled: allSettled(self.state),
    };
  }

  function take(observation: Observation): void {
    const out = performStep(PAGE, self.state, observation, context());
    self.state = out.state;
    nextNumber = out.nextNumber;
    self.changed ||= out.changed;
    self.entered.push(
      ...out.entered.map((one) => ({ ...one, alert: one.alert === null ? null : structuredClone(one.alert) })),
    );
    self.promised.push(...out.state.outbox);
  }

  function look(sight: Sight, afterMs = MINUTE): string[] {
    const elapsedMs = sweep === 0 ? 0 : afterMs;
    now += elapsedMs;
    sweep += 1;
    const { answers = {}, ...rest } = sight;
    seen = { ...seen, ...rest };
    self.entered = [];
    self.promised = [];
    self.changed = false;
    const details = new Map(Object.entries(answers));
    const notices = Array.isArray(seen.notices) ? (seen.notices as readonly NoticeDetail[]) : null;
    const at = (timelines: readonly string[]): Listing<Notice> =>
      notices === null
        ? MISSED
        : listing(
            notices
              .filter(({ timeline }) => timelines.includes(timeline ?? ''))
              .map(({ components: _components, updates: _updates, ...item }) => item),
          );
    const listings = { present: at(['present']), future: at(['future']), recent: at(['past_recent']) };
    const wanted = listWantedDetails(self.state.snapshot, listings, now);
    for (const one of notices ?? []) {
      if (wanted.includes(one.id) && !details.has(one.id)) details.set(one.id, { kind: 'observed', value: one });
    }
    take({ kind: 'notices', ...listings, details });
    const components = Array.isArray(seen.components)
      ? listing(seen.components as readonly Component[])
      : (seen.components as Listing<Component>);
    const itself = 'kind' in seen.page ? seen.page : { kind: 'observed' as const, value: seen.page };
    take({ kind: 'page', page: itself, components });
    const lacks = components.kind === 'missed' ? components : components.missing;
    take({
      kind: 'end',
      parts: {
        notices: notices === null ? MISSED : null,
        page: itself.kind === 'missed' ? itself : null,
        components: lacks,
      },
      elapsedMs,
    });
    const people = new Set(
      self.promised.flatMap(({ to, changes }) =>
        to.some(({ receiver }) => receiver === 'people') ? changes.map(({ transition }) => transition.id) : [],
      ),
    );
    return self.entered.map(({ transition: { id, kind, subject, from, to }, status, alert }) => {
      const said = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
      return `${people.has(id) ? '* ' : ''}${kind} ${subject} ${said(from)} → ${said(to)} (${status} ${alert?.severity ?? 'info'})`;
    });
  }

  return self;
}

/** A desk whose first look is done: what is there now is known. */
export function watchingDesk(first: Sight = {}, settings: Parameters<typeof desk>[0] = {}): Desk {
  const fresh = desk(settings);
  fresh.look(first);
  return fresh;
}
