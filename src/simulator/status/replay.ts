/**
 * Recorded histories: a file of steps, each with everything the status interface would have answered at that
 * moment. Pagination, filters and links stay the simulator's own.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { SimulatorError } from '../trouble.ts';
import { type StatusDocuments } from './document.ts';

const updateSchema = z.looseObject({
  state: z.string().nullable(),
  content: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
const componentSchema = z.looseObject({
  id: z.int(),
  state: z.string(),
  name: z.string(),
  description: z.string(),
  parent_id: z.int().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
const noticeShape = {
  id: z.int(),
  type: z.string(),
  timeline_state: z.string(),
  state: z.string().nullable(),
  subject: z.string(),
  url: z.string(),
  begins_at: z.string().nullable().exactOptional(),
  ends_at: z.string().nullable().exactOptional(),
  began_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
};
const stepSchema = z.looseObject({
  at: z.iso.datetime(),
  status: z.looseObject({
    page: z.looseObject({
      name: z.string(),
      state: z.string(),
      url: z.string(),
      created_at: z.string(),
      updated_at: z.string(),
    }),
  }),
  components: z.array(componentSchema),
  notices: z.array(z.looseObject({ ...noticeShape, latest_update: updateSchema.nullable() })),
  details: z.record(
    z.string(),
    z.looseObject({ ...noticeShape, components: z.array(componentSchema), updates: z.array(updateSchema) }),
  ),
});
const replaySchema = z.looseObject({ name: z.string(), title: z.string(), steps: z.array(stepSchema).min(1) });

export interface ReplayStep {
  /** When this was so, epoch milliseconds. */
  at: number;
  documents: StatusDocuments;
}

export interface Replay {
  name: string;
  title: string;
  steps: readonly ReplayStep[];
}

/** Reads a recorded history. Throws a `SimulatorError` naming the file and the place of the mistake. */
export function loadReplay(file: string): Replay {
  return readReplay(readFileSync(file, 'utf8'), file);
}

export function readReplay(text: string, file: string): Replay {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new SimulatorError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = replaySchema.safeParse(json);
  if (!parsed.success) throw new SimulatorError(`${file} is not a recorded history: ${z.prettifyError(parsed.error)}`);
  const { name, title, steps } = parsed.data;
  return { name, title, steps: steps.map(readStep) };
}

function readStep(step: z.infer<typeof stepSchema>): ReplayStep {
  // What the files say of links is left out: the world writes its own, in the style that was chosen for it.
  const { links: _links, ...page } = step.status.page;
  return {
    at: Date.parse(step.at),
    documents: {
      page,
      components: step.components,
      notices: step.notices,
      details: new Map(Object.entries(step.details).map(([id, detail]) => [Number(id), detail])),
      gone: new Set(),
    },
  };
}

/** A history being answered. It starts before its first step: `advance` or `goTo` begins it. */
export interface ReplayPlayer {
  replay: Replay;
  /** The step answered now; -1 before the first. */
  step: () => number;
  /** Answers the next step; false when there is none. */
  advance: () => boolean;
  goTo: (step: number) => void;
  /** The latest step at or before `time` (epoch milliseconds). Before the first, the first. */
  goToTime: (time: number) => void;
}

export function playReplay(
  replay: Replay,
  world: { replaceDocuments: (documents: StatusDocuments | null) => void },
): ReplayPlayer {
  let at = -1;
  function goTo(step: number): void {
    const chosen = replay.steps[step];
    if (chosen === undefined) {
      throw new SimulatorError(
        `${replay.name} has the steps 0 to ${replay.steps.length - 1}; there is no step ${step}.`,
      );
    }
    at = step;
    world.replaceDocuments(chosen.documents);
  }
  return {
    replay,
    step: () => at,
    advance() {
      if (at + 1 >= replay.steps.length) return false;
      goTo(at + 1);
      return true;
    },
    goTo,
    goToTime(time) {
      goTo(
        Math.max(
          0,
          replay.steps.findLastIndex((step) => step.at <= time),
        ),
      );
    },
  };
}
