/**
 * Stories from a file (YAML, of which JSON is a part): a world and timed steps.
 *
 *   name: A short outage
 *   world: {past: 200, page: {name: …}, components: [{name: …, id: …, parent: …}]}
 *   steps:
 *     - at: 2s
 *       note: what this step is for
 *       open_notice: {ref: outage, subject: …, content: …, components: [SMS]}
 *
 * Each step is one action of the control plane under its name.
 */
import { LineCounter, type Node, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml';
import * as z from 'zod';
import type { AccountOptions } from '../account/account-world.ts';
import { findAction } from '../control/actions.ts';
import { durationSchema } from '../control/action.ts';
import { SimulatorError } from '../simulator-error.ts';

const worldSchema = z.strictObject({
  seed: z.int().optional(),
  past: z.int().min(0).max(10_000).optional(),
  page: z.strictObject({ name: z.string().optional(), url: z.string().optional() }).optional(),
  components: z
    .array(
      z.strictObject({
        name: z.string(),
        id: z.int().optional(),
        parent: z.union([z.int(), z.string()]).optional(),
        description: z.string().optional(),
        state: z.string().optional(),
      }),
    )
    .optional(),
  accounts: z
    .array(
      z.strictObject({
        name: z.string().optional(),
        token: z.string().optional(),
        seed: z.int().optional(),
        extensions: z.int().min(0).max(10_000).optional(),
        first_extension: z.int().optional(),
        sites: z.array(z.strictObject({ name: z.string(), address: z.string() })).optional(),
      }),
    )
    .optional(),
});
const fileSchema = z.strictObject({
  name: z.string(),
  world: worldSchema.optional(),
  steps: z.array(z.looseObject({ at: durationSchema, note: z.string().optional() })),
});

export interface ScenarioStep {
  /** Milliseconds after the start. */
  at: number;
  action: string;
  given: unknown;
  note: string | null;
  /** `file:line:column` of the step; null without a file. */
  place: string | null;
}

type ScenarioWorld = Omit<z.output<typeof worldSchema>, 'accounts'> & { accounts?: AccountOptions[] | undefined };

export interface Scenario {
  name: string;
  /** Options for `createSimulator`. */
  world: ScenarioWorld;
  /** In order of time. */
  steps: readonly ScenarioStep[];
}

/** Throws a `SimulatorError` with file, line and column of the first error. */
export function readScenario(text: string, file: string): Scenario {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const place = (path: readonly PropertyKey[]): string => {
    const offset = nearestNode(document.contents, path)?.range?.[0] ?? 0;
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const [broken] = document.errors;
  if (broken !== undefined) {
    const { line, col } = lines.linePos(broken.pos[0]);
    throw new SimulatorError(`${file}:${line}:${col}: ${broken.message.split('\n')[0] ?? broken.code}`);
  }

  const parsed = fileSchema.safeParse(document.toJS());
  if (!parsed.success) throw mistakes(parsed.error, place, []);
  const { name, world = {}, steps } = parsed.data;
  const { accounts, ...rest } = world;
  return {
    name,
    world: {
      ...rest,
      accounts: accounts?.map(({ first_extension: firstExtension, sites, ...draft }) => ({
        ...draft,
        firstExtension,
        sites: sites?.map(({ name: site, address }, index) => ({
          name: site,
          externalAddress: address,
          network: `10.${index + 1}`,
        })),
      })),
    },
    steps: steps
      .map((step, index) => readStep(step, ['steps', index], place))
      .toSorted((left, right) => left.at - right.at),
  };
}

type StepPlace = (path: readonly PropertyKey[]) => string;

function readStep(
  step: { at: number; note?: string | undefined },
  path: PropertyKey[],
  place: StepPlace,
): ScenarioStep {
  const { at, note, ...actions } = step;
  const [entry, ...more] = Object.entries(actions);
  if (entry === undefined || more.length > 0) {
    throw new SimulatorError(
      `${place(path)}: a step is one action; this one has ${entry === undefined ? 'none' : more.length + 1}.`,
    );
  }
  const [action, given] = entry;
  const here = place([...path, action]);
  const checked = actionAt(here, action).schema.safeParse(given ?? {});
  if (!checked.success) throw mistakes(checked.error, place, [...path, action]);
  return { at, action, given, note: note ?? null, place: here };
}

function actionAt(here: string, name: string): ReturnType<typeof findAction> {
  try {
    return findAction(name);
  } catch (error) {
    throw error instanceof SimulatorError ? new SimulatorError(`${here}: ${error.message}`) : error;
  }
}

function mistakes(error: z.ZodError, place: StepPlace, below: readonly PropertyKey[]): SimulatorError {
  const sentences = error.issues.map((issue) => {
    const path = [...below, ...issue.path];
    return `${place(path)}: ${path.map(String).join('.')}: ${issue.message}`;
  });
  return new SimulatorError(sentences.join('\n'));
}

/** The node at a path, or its nearest existing ancestor: a missing key has no position. */
function nearestNode(root: unknown, path: readonly PropertyKey[]): Node | null {
  let at: Node | null = isNode(root) ? root : null;
  for (const step of path) {
    let next: unknown = null;
    if (isMap(at)) {
      next = at.items.find((pair) => isScalar(pair.key) && pair.key.value === step)?.value;
    } else if (isSeq(at)) next = at.items[Number(step)];
    if (!isNode(next)) return at;
    at = next;
  }
  return at;
}
