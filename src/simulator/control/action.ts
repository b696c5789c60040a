/**
 * What can be done to the simulated provider, as data: a scenario's steps and the control plane's requests
 * are both one of these, named the same and checked by the same schema.
 */
import { z } from 'zod';
import type { Stage } from '../stage.ts';
import { SimulatorError } from '../trouble.ts';

export interface Action {
  summary: string;
  schema: z.ZodType;
  /** Checks what it was given, then does it. The result is shown to whoever asked through HTTP. */
  perform: (stage: Stage, given: unknown) => unknown;
}

/** Ties a schema to what is done with it, so that the doing is typed and the table of actions is not. */
export function action<Schema extends z.ZodType>(
  summary: string,
  schema: Schema,
  perform: (stage: Stage, given: z.output<Schema>) => unknown,
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
