/** Compares one observation with the snapshot. Returns transitions and the new snapshot. */
import {
  joinOrigin,
  judgeCredentials,
  judgeHealth,
  draftSchemaChanges,
  type HealthSettings,
} from '../observation/health.ts';
import { describeCrowd } from '../observation/limits.ts';
import { countDefects, PAGE_PARTS, type SweepEnd, type Tick } from '../observation/listing.ts';
import { identify, type Draft, type Source, type Transition } from '../transition/transition.ts';
import { compareNotices } from './compare-notices.ts';
import { comparePage } from './compare-page.ts';
import { judgeMaintenance, type MaintenanceSettings } from './maintenance.ts';
import { judgeDocument } from './document.ts';
import { KNOWN_STATES, type DocumentObservation, type NoticesObservation, type PageObservation } from './page-model.ts';
import { openNotices, type ReadAt, type Snapshot } from './snapshot.ts';
import { judgeUnlisted } from './unlisted.ts';

/** A page that invents states must not cause a message per sweep. */
const MOST_TOLD = 50;

export type Observation = DocumentObservation | NoticesObservation | PageObservation | SweepEnd | Tick;

export interface SweepContext extends ReadAt {
  source: Source;
  health: HealthSettings;
  maintenance: MaintenanceSettings;
  /** Minimum time of absence from complete responses before a notice of unknown end is reported. */
  missingAfterMs?: number;
}

export interface Compared {
  transitions: Transition[];
  snapshot: Snapshot;
}

/** Does not change `snapshot`. Transitions have ids, and the new snapshot has their counters. */
export function compare(snapshot: Snapshot, observation: Observation, look: SweepContext): Compared {
  const { drafts, after } = draftsOf(snapshot, observation, look);
  const { transitions, counters } = identify(look.source, snapshot.counters, drafts, look.now);
  return { transitions, snapshot: { ...after, counters } };
}

function draftsOf(
  snapshot: Snapshot,
  observation: Observation,
  look: SweepContext,
): { drafts: Draft[]; after: Snapshot } {
  if (observation.kind === 'tick') {
    const { health, drafts } = joinOrigin(snapshot.health, look.health);
    const ticked = tick({ ...snapshot, health }, look);
    return { drafts: [...drafts, ...ticked.drafts], after: ticked.after };
  }
  if (observation.kind === 'end') {
    const { health, drafts } = judgeHealth(
      snapshot.health,
      observation.parts,
      look.health,
      look.now,
      observation.elapsedMs,
    );
    const access = judgeCredentials(
      snapshot.refused ?? null,
      observation.parts,
      { baseUrl: look.source.baseUrl, keyless: true, whole: PAGE_PARTS },
      look.now,
    );
    const { missingAfterMs = Infinity, now } = look;
    const unlisted = judgeUnlisted(snapshot, { ...observation, missingAfterMs, now });
    const ticked = tick({ ...unlisted.after, health, refused: access.refused }, look);
    return {
      drafts: [...access.drafts, ...drafts, ...unlisted.drafts, ...ticked.drafts],
      after: ticked.after,
    };
  }
  if (observation.kind === 'document') return judgeDocument(snapshot, observation, look);
  const collection = observation.kind === 'notices' ? 'notices' : 'components';
  const listings =
    observation.kind === 'notices' ? [observation.present, observation.future] : [observation.components];
  const counted = countDefects(snapshot.defects, collection, listings, look.sweep);
  const judged: Snapshot = { ...snapshot, defects: counted.memory };
  const { drafts, after, turnedAway } =
    observation.kind === 'notices' ? compareNotices(judged, observation, look) : comparePage(judged, observation, look);
  const count = collection === 'notices' ? openNotices(after).length : (after.components?.length ?? 0);
  const crowd = describeCrowd(snapshot.crowds ?? [], collection, { count, turnedAway });
  const unknown = unknownStates(after);
  const texts = [...emptied(snapshot, after), ...counted.habits, ...crowd.texts, ...unknown.fresh];
  const schema = draftSchemaChanges(texts, look.source);
  return { drafts: [...drafts, ...schema], after: { ...after, crowds: crowd.reported, unknownStates: unknown.known } };
}

/** All components gone at once are reported as one event instead of one each. */
function emptied(before: Snapshot, after: Snapshot): string[] {
  const known = before.components?.length ?? 0;
  return known > 1 && after.components?.length === 0 ? [`components: the list is empty now, ${known} were known`] : [];
}

function tick(snapshot: Snapshot, look: SweepContext): { drafts: Draft[]; after: Snapshot } {
  const { drafts, notices } = judgeMaintenance(snapshot, look.maintenance, look.now);
  return { drafts, after: { ...snapshot, notices } };
}

/** States outside the specification are shown as they are, never treated as operational, and reported once each. */
function unknownStates(snapshot: Snapshot): { known: string[]; fresh: string[] } {
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
