/**
 * The control plane under `/_control` on the same port, for use with curl. Answers are JSON; errors are 400 with
 * `{error}`.
 *
 * - GET `/_control`: all actions with their JSON Schemas
 * - POST `/_control/ACTION`: perform an action; the body is JSON, empty counts as {}
 * - GET `/_control/log`: requests, and the most within a second
 * - POST `/_control/log/clear`: clear the log
 * - GET `/_control/faults`: active faults
 * - GET `/_control/scenario`: progress of the scenario
 * - POST `/_control/scenario/advance`: perform its next step now
 */
import { Hono } from 'hono';
import * as z from 'zod';
import type { Bindings } from '../simulated-exchange.ts';
import { countBusiestWindow } from '../request-log.ts';
import type { Simulation } from '../simulation.ts';
import { SimulatorError } from '../simulator-error.ts';
import { ACTIONS, findAction } from './actions.ts';

export function createControlPlane(simulation: () => Simulation): Hono<Bindings> {
  const plane = new Hono<Bindings>();
  plane.onError((error, context) => {
    if (error instanceof SimulatorError || error instanceof SyntaxError) {
      return context.json({ error: error.message }, 400);
    }
    throw error;
  });
  plane.get('/', (context) =>
    context.json({
      use: 'POST /_control/ACTION with a JSON body; GET /_control/log, /_control/faults, /_control/scenario; POST /_control/scenario/advance, /_control/log/clear',
      actions: Object.fromEntries(
        [...ACTIONS].map(([name, { summary, schema }]) => [
          name,
          { summary, body: z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) },
        ]),
      ),
    }),
  );
  plane.get('/log', (context) => {
    const arrivals = simulation().log.all();
    return context.json({ most_in_any_second: countBusiestWindow(arrivals), arrivals });
  });
  plane.post('/log/clear', (context) => {
    simulation().log.clear();
    return context.json({ done: true });
  });
  plane.get('/faults', (context) => context.json({ faults: simulation().faults.list() }));
  plane.get('/scenario', (context) => context.json(simulation().scenario()?.progress() ?? { scenario: null }));
  plane.post('/scenario/advance', (context) => {
    const run = simulation().scenario();
    if (run === null) throw new SimulatorError('No scenario is loaded.');
    return context.json({ advanced: run.advance(), ...run.progress() });
  });
  plane.post('/:action', async (context) => {
    const text = await context.req.text();
    const given: unknown = text.trim() === '' ? {} : JSON.parse(text);
    const result = findAction(context.req.param('action')).perform(simulation(), given);
    return context.json({ done: true, ...(typeof result === 'object' && result !== null ? result : {}) });
  });
  return plane;
}
