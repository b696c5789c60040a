/**
 * The provider's rules for states: degraded outranks maintenance, a recovering incident no longer counts, and a notice
 * affects ancestors and descendants of its components.
 */
import { DAY } from '../../core/text/duration.ts';

const RECENT_MS = 7 * DAY;

export interface NoticeState {
  type: string;
  state: string | null;
  componentIds: readonly number[];
}

interface TreeNode {
  id: number;
  parentId: number | null;
}

export type CountedState = 'operational' | 'under_maintenance' | 'degraded';

const RANK: Record<CountedState, number> = { operational: 0, under_maintenance: 1, degraded: 2 };

/** Effect of one notice on its components. */
function impactOf(state: string | null): CountedState {
  if (state === 'investigating' || state === 'identified') return 'degraded';
  return state === 'underway' ? 'under_maintenance' : 'operational';
}

function worse(left: CountedState, right: CountedState): CountedState {
  return RANK[left] >= RANK[right] ? left : right;
}

/** The worst effect; `operational` without notices. */
export function computePageState(notices: Iterable<NoticeState>): CountedState {
  let state: CountedState = 'operational';
  for (const notice of notices) state = worse(state, impactOf(notice.state));
  return state;
}

/** Computed states of all components; the world overlays manual states. */
export function computeComponentStates(
  components: readonly TreeNode[],
  notices: Iterable<NoticeState>,
): Map<number, CountedState> {
  const states = new Map<number, CountedState>(components.map((component) => [component.id, 'operational']));
  const parents = new Map(components.map((component) => [component.id, component.parentId]));
  const children = Map.groupBy(components, (component) => component.parentId);

  function raise(id: number, impact: CountedState): void {
    const before = states.get(id);
    if (before !== undefined) states.set(id, worse(before, impact));
  }
  function raiseBelow(id: number, impact: CountedState, seen: Set<number>): void {
    if (seen.has(id)) return;
    seen.add(id);
    raise(id, impact);
    for (const child of children.get(id) ?? []) raiseBelow(child.id, impact, seen);
  }
  function raiseAbove(id: number, impact: CountedState): void {
    const seen = new Set<number>();
    for (let at: number | null = id; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
      seen.add(at);
      raise(at, impact);
    }
  }

  for (const notice of notices) {
    const impact = impactOf(notice.state);
    if (impact === 'operational') continue;
    for (const id of notice.componentIds) {
      raiseBelow(id, impact, new Set());
      raiseAbove(id, impact);
    }
  }
  return states;
}

const ENDED: readonly (string | null)[] = ['resolved', 'false_alarm', 'complete', 'cancelled'];

/** False for null and unknown states. */
export function isEnd(state: string | null): boolean {
  return ENDED.includes(state);
}

/** Timeline of a notice: `past_distant` from seven days after its end. */
export function computeTimelineState(
  notice: { state: string | null; beganAt: number | null; endedAt: number | null },
  now: number,
): string {
  if (notice.endedAt !== null) return now - notice.endedAt >= RECENT_MS ? 'past_distant' : 'past_recent';
  if (isEnd(notice.state)) return 'past_recent';
  return notice.state === 'scheduled' && notice.beganAt === null ? 'future' : 'present';
}
