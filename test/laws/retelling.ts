/**
 * Believing nothing but what was told: the transitions are folded onto what was known before them, and each
 * has to begin where the one before it ended.
 */
import type { Snapshot } from '../../src/core/page/snapshot.ts';
import type { Transition } from '../../src/core/transition/transition.ts';
import type { NoticeDetails } from '../../src/core/transition/details.ts';

export interface ToldNotice {
  state: string | null;
  type: string;
  subject: string;
  window: readonly [string | null, string | null];
  /** Empty while its detail was not read. */
  components: string[];
  open: boolean;
}

export interface Told {
  page: { name: string; state: string } | null;
  components: Record<string, { name: string; state: string; parent: string | null }>;
  notices: Record<string, ToldNotice>;
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** What a snapshot says, as far as transitions tell of it. */
export function toldBy(snapshot: Snapshot): Told {
  const { page } = snapshot;
  return {
    page: page === null ? null : { name: page.name, state: page.state },
    components: Object.fromEntries(
      (snapshot.components ?? []).map(({ id, name, state, parentId }) => [id, { name, state, parent: parentId }]),
    ),
    notices: Object.fromEntries(
      (snapshot.notices ?? []).map((notice) => [
        notice.id,
        {
          state: notice.withdrawn ? null : notice.state,
          type: notice.type,
          subject: notice.subject,
          window: [iso(notice.beginsAt), iso(notice.endsAt)],
          components: (notice.components ?? []).map(({ id }) => id).toSorted(),
          open: notice.closedAt === null,
        },
      ]),
    ),
  };
}

/** Throws where a transition does not begin where the last one of its subject ended. */
export function retell(before: Told, transitions: readonly Transition[]): Told {
  const told = structuredClone(before);
  for (const transition of transitions) tell(told, transition);
  return told;
}

function expectSame(transition: Transition, known: unknown, from: unknown): void {
  if (JSON.stringify(known) === JSON.stringify(from)) return;
  throw new Error(
    `${transition.kind} of ${transition.subject} goes from ${JSON.stringify(from)}, but ${JSON.stringify(known)} was told`,
  );
}

function tell(told: Told, transition: Transition): void {
  const id = transition.subject.slice(transition.subject.indexOf('/') + 1);
  switch (transition.kind) {
    case 'page.state':
      expectSame(transition, told.page?.state, transition.from);
      if (told.page !== null) told.page.state = transition.to;
      return;
    case 'page.renamed':
      expectSame(transition, told.page?.name, transition.from);
      if (told.page !== null) told.page.name = transition.to;
      return;
    case 'component.added':
      expectSame(transition, told.components[id], undefined);
      // Its state, where it is not well, is told by a transition of its own.
      told.components[id] = { name: transition.to, state: 'operational', parent: transition.details.parent_id };
      return;
    case 'component.removed':
      expectSame(transition, told.components[id]?.name, transition.from);
      delete told.components[id];
      return;
    case 'component.state':
    case 'component.renamed':
    case 'component.moved': {
      const field = ({ 'component.state': 'state', 'component.renamed': 'name', 'component.moved': 'parent' } as const)[
        transition.kind
      ];
      const component = told.components[id];
      expectSame(transition, component?.[field], transition.from);
      if (component !== undefined) Object.assign(component, { [field]: transition.to });
      return;
    }
    case 'page.remains':
      expectSame(transition, told.page?.state, transition.to);
      return;
    case 'component.remains':
      expectSame(transition, told.components[id]?.state, transition.to);
      return;
    default:
      if (transition.kind.startsWith('notice.')) tellNotice(told, id, transition);
  }
}

function tellNotice(told: Told, id: string, transition: Transition): void {
  if (
    !('notice' in transition.details) ||
    transition.details.notice === null ||
    !('type' in transition.details.notice)
  ) {
    return;
  }
  const { notice, components } = transition.details as NoticeDetails;
  const known = told.notices[id];
  const first = (open: boolean): void => {
    told.notices[id] = {
      state: notice.state,
      type: notice.type,
      subject: notice.subject,
      window: [notice.begins_at, notice.ends_at],
      components: (components ?? []).map((component) => component.id).toSorted(),
      open,
    };
  };
  switch (transition.kind) {
    case 'notice.opened':
    case 'notice.replaced':
      expectSame(transition, known, undefined);
      first(true);
      // Withdrawn and recreated in one sweep: the replacement says both.
      if (transition.kind === 'notice.replaced') {
        Object.assign(told.notices[transition.from] ?? {}, { state: null, open: false });
      }
      return;
    case 'notice.closed':
      if (known === undefined) {
        expectSame(transition, null, transition.from);
        first(false);
        return;
      }
      expectSame(transition, [known.state, known.open], [transition.from, true]);
      Object.assign(known, { state: transition.to, open: false });
      return;
    case 'notice.withdrawn':
      expectSame(transition, [known?.state, known?.open], [transition.from, true]);
      Object.assign(known ?? {}, { state: null, open: false });
      return;
    case 'notice.reopened':
      expectSame(transition, [known?.state, known?.open], [transition.from, false]);
      Object.assign(known ?? {}, { state: transition.to, open: true });
      return;
    case 'notice.state':
    case 'notice.update':
      expectSame(transition, known?.state, transition.from);
      Object.assign(known ?? {}, { state: transition.to });
      return;
    case 'notice.subject':
    case 'notice.type': {
      const field = transition.kind === 'notice.subject' ? 'subject' : 'type';
      expectSame(transition, known?.[field], transition.from);
      Object.assign(known ?? {}, { [field]: transition.to });
      return;
    }
    case 'notice.rescheduled':
      expectSame(transition, known?.window, [transition.from.begins_at, transition.from.ends_at]);
      Object.assign(known ?? {}, { window: [transition.to.begins_at, transition.to.ends_at] });
      return;
    case 'notice.impact':
      expectSame(transition, known?.components, (transition.from ?? []).toSorted());
      Object.assign(known ?? {}, { components: transition.to.toSorted() });
      return;
    default:
    // An edit changes words only.
  }
}
