/**
 * Actions on the simulated provider as data. Steps of scenarios and requests to the control plane use the same names
 * and schemas.
 */
import * as z from 'zod';
import type { Simulation } from '../simulation.ts';
import { SimulatorError } from '../simulator-error.ts';
import { UNITS, type Unit } from '../../core/text/duration.ts';

export interface Action {
  summary: string;
  schema: z.ZodType;
  /** Validates its input and performs the action. HTTP clients see the result. */
  perform: (simulation: Simulation, given: unknown) => unknown;
}

/** Ties a schema to its implementation, so that the implementation is typed and the table of actions needs no types. */
export function createAction<Schema extends z.ZodType>(
  summary: string,
  schema: Schema,
  perform: (simulation: Simulation, given: z.output<Schema>) => unknown,
): Action {
  return {
    summary,
    schema,
    perform(simulation, given) {
      const parsed = schema.safeParse(given ?? {});
      if (!parsed.success) throw new SimulatorError(z.prettifyError(parsed.error));
      return perform(simulation, parsed.data);
    },
  };
}

const PATTERN = /^(?<amount>\d+(?:\.\d+)?)(?<unit>ms|s|m|h|d)$/;

/** Milliseconds; null if invalid. */
function readDuration(text: string): number | null {
  const groups = PATTERN.exec(text)?.groups;
  return groups === undefined ? null : Number(groups['amount']) * UNITS[groups['unit'] as Unit];
}

/** A duration in text form, parsed into milliseconds. */
export const durationSchema = z.string().transform((text, context) => {
  const milliseconds = readDuration(text);
  if (milliseconds !== null) return milliseconds;
  context.addIssue({ code: 'custom', message: `${JSON.stringify(text)} is not a duration such as 500ms, 5s or 2h` });
  return z.NEVER;
});
