/**
 * What can be done to the simulated provider, as data: a scenario's steps and the control plane's requests
 * are both one of these, named the same and checked by the same schema.
 */
import * as z from 'zod';
import type { Simulation } from '../simulation.ts';
import { SimulatorError } from '../simulator-error.ts';
import { UNITS, type Unit } from '../../core/text/duration.ts';

export interface Action {
  summary: string;
  schema: z.ZodType;
  /** Checks what it was given, then does it. The result is shown to whoever asked through HTTP. */
  perform: (stage: Simulation, given: unknown) => unknown;
}

/** Ties a schema to what is done with it, so that the doing is typed and the table of actions is not. */
export function createAction<Schema extends z.ZodType>(
  summary: string,
  schema: Schema,
  perform: (stage: Simulation, given: z.output<Schema>) => unknown,
): Action {
  return {
    summary,
    schema,
    perform(stage, given) {
      const parsed = schema.safeParse(given ?? {});
      if (!parsed.success) throw new SimulatorError(z.prettifyError(parsed.error));
      return perform(stage, parsed.data);
    },
  };
}

const PATTERN = /^(?<amount>\d+(?:\.\d+)?)(?<unit>ms|s|m|h|d)$/;

/** Milliseconds, or null for what is no duration. */
function readDuration(text: string): number | null {
  const groups = PATTERN.exec(text)?.groups;
  return groups === undefined ? null : Number(groups['amount']) * UNITS[groups['unit'] as Unit];
}

/** A duration in a scenario or a request to the control plane, read into milliseconds. */
export const durationSchema = z.string().transform((text, context) => {
  const milliseconds = readDuration(text);
  if (milliseconds !== null) return milliseconds;
  context.addIssue({ code: 'custom', message: `${JSON.stringify(text)} is not a duration such as 500ms, 5s or 2h` });
  return z.NEVER;
});
