/** Values outside the specification are shown as they are, never taken for well, and reported once each. */
import { KNOWN_STATES } from './model.ts';
import type { Snapshot } from './snapshot.ts';

/** A page that invents a state at every look is not worth a message at every look. */
const MOST_TOLD = 50;

export function unknownStates(snapshot: Snapshot): { known: string[]; fresh: string[] } {
  const seen = new Set<string>();
  const look = (what: string, value: string | null, allowed: readonly string[]): void => {
    if (value !== null && !allowed.includes(value)) seen.add(`${what} "${value}" is not in the specification`);
  };
  if (snapshot.page !== null) look('page state', snapshot.page.state, KNOWN_STATES.page);
  for (const component of snapshot.components ?? []) look('component state', component.state, KNOWN_STATES.component);
  for (const notice of snapshot.notices ?? []) {
    look('notice type', notice.type, KNOWN_STATES.type);
    look('notice timeline', notice.timeline, KNOWN_STATES.timeline);
    look(`${notice.type} notice state`, notice.state, statesOf(notice.type));
  }
  const room = Math.max(0, MOST_TOLD - snapshot.unknownStates.length);
  const fresh = [...seen].filter((text) => !snapshot.unknownStates.includes(text)).slice(0, room);
  return { known: [...snapshot.unknownStates, ...fresh], fresh };
}

function statesOf(type: string): readonly string[] {
  if (type === 'planned') return KNOWN_STATES.planned;
  if (type === 'unplanned') return KNOWN_STATES.unplanned;
  return [...KNOWN_STATES.planned, ...KNOWN_STATES.unplanned];
}
