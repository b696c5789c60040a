/** Turns a catalogue and its answers into routes; what is no route is answered as the real interface does. */
import type { Context, Hono } from 'hono';
import type { Operation } from '../provider/operation.ts';
import type { Bindings, Exchange } from './exchange.ts';
import { type Input, readInput, readQuery } from './input.ts';
import { wireForm } from './wire.ts';
import { type AnyAnswer, type Answers, type Call, type Reply, isReply, jsonReply } from './reply.ts';

export interface RouteOptions {
  app: Hono<Bindings>;
  exchange: Exchange;
  /** Looks at a request before its operation does: credentials, limits. Null lets it pass. */
  admit: (operation: Operation, call: Call) => Reply | null;
  /** What a request with unusable input gets; null answers with what could be used. */
  refuse: (operation: Operation, input: Input, call: Call) => Reply | null;
}

/** One route for each verb of each operation. */
export function addRoutes<Rows extends Readonly<Record<string, Operation>>>(
  catalogue: Rows,
  answers: Answers<Rows>,
  options: RouteOptions,
): void {
  const { app, exchange } = options;
  for (const operation of Object.values(catalogue)) {
    // `Answers` has checked each answer against its own operation; as data they share one type.
    const answer = answers[operation.id] as unknown as AnyAnswer;
    const written = wireForm(operation.result);
    app.on([...operation.verbs], honoPath(operation.path), (context) =>
      exchange(context, operation.id, async (call) => {
        const refusal = options.admit(operation, call);
        if (refusal !== null) return refusal;
        const input = await readRequest(context, operation, call);
        const unusable = options.refuse(operation, input, call);
        if (unusable !== null) return unusable;
        const said = answer(input.values, call);
        return isReply(said) ? said : jsonReply(200, written === null ? said : written(said));
      }),
    );
  }
}

/** `/x/{id}` as the router writes it: `/x/:id`. */
export function honoPath(path: string): string {
  return path.replaceAll(/\{(?<name>\w+)\}/g, ':$<name>');
}

async function readRequest(context: Context<Bindings>, operation: Operation, call: Call): Promise<Input> {
  const params = readInput(operation.params, context.req.param());
  const query = readInput(operation.query, readQuery(call.url.searchParams));
  const body = readInput(operation.body, await readBody(context));
  return {
    values: { ...params.values, ...query.values, ...body.values },
    errors: { ...params.errors, ...query.errors, ...body.errors },
  };
}

/** A body that is not a JSON object counts as empty: its fields are then missing, which the answer says. */
async function readBody(context: Context<Bindings>): Promise<Record<string, unknown>> {
  if (context.req.method === 'GET') return {};
  try {
    const body: unknown = JSON.parse(await context.req.text());
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {};
  } catch {
    return {};
  }
}
