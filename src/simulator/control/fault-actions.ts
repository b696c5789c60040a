/** Actions on the transport: faults and cache validators. */
import * as z from 'zod';
import { createAction, durationSchema } from './action.ts';
import { faultSchema } from '../fault/fault.ts';

export const faultActions = {
  inject: createAction(
    'Put a fault in force on an operation, a path (with *) or everything',
    z.strictObject({
      on: z.string().optional().describe('operation id, /path with *, or all (default)'),
      method: z.string().optional(),
      page: z.int().min(1).optional().describe('only requests for this page of a listing'),
      skip: z.int().min(0).optional().describe('let this many requests through first'),
      times: z.int().min(1).optional().describe('requests it hits; default: until removed'),
      for: durationSchema.optional().describe('removed after this time'),
      fault: faultSchema,
    }),
    (simulation, { for: lasting, ...order }) => {
      const fault = simulation.faults.add(order);
      if (lasting !== undefined) {
        simulation.timers.after(lasting, () => {
          if (simulation.faults.list().some((inForce) => inForce.id === fault)) simulation.faults.remove(fault);
        });
      }
      return { fault };
    },
  ),
  remove_fault: createAction('Remove one fault', z.strictObject({ fault: z.int() }), (simulation, { fault }) => {
    simulation.faults.remove(fault);
  }),
  clear_faults: createAction('Remove every fault', z.strictObject({}), (simulation) => {
    simulation.faults.clear();
  }),
  validators: createAction(
    'Send ETag and honour If-None-Match, or not',
    z.strictObject({ on: z.boolean() }),
    (simulation, { on }) => {
      simulation.setValidators(on);
    },
  ),
};
