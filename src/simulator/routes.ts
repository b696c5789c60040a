/** Builds routes from a catalogue and its answers. Unknown routes are answered as by the real interface. */
import { isObject } from '../core/text/plain-object.ts';
import type { Context, Hono } from 'hono';
import * as z from 'zod';
import type { Operation } from '../provider/operation.ts';
import type { Bindings, Answering } from './simulated-exchange.ts';
import { readInput, readQuery, type RequestInput } from './request-input.ts';
import {
  isReply,
  createJsonReply,
  type Answers,
  type AnyAnswer,
  type ApiCall,
  type RawReply,
} from './simulated-reply.ts';
import { encodeDigits, isSentAsInteger } from '../provider/field-kinds.ts';

interface RouteOptions {
  app: Hono<Bindings>;
  exchange: Answering;
  /** Checks a request before its operation: credentials, limits. Null admits it. */
  admit: (operation: Operation, call: ApiCall) => RawReply | null;
  /** Response to invalid input; null answers with the valid part. */
  refuse: (operation: Operation, input: RequestInput, call: ApiCall) => RawReply | null;
}

/** One route per verb and operation. */
export function addRoutes<Rows extends Readonly<Record<string, Operation>>>(
  catalogue: Rows,
  answers: Answers<Rows>,
  options: RouteOptions,
): void {
  const { app, exchange } = options;
  for (const operation of Object.values(catalogue)) {
    // `Answers` checks each answer against its operation; as data they share one type.
    const answer = answers[operation.id] as unknown as AnyAnswer;
    const written = wireForm(operation.result);
    app.on([...operation.verbs], toHonoPath(operation.path), (context) =>
      exchange(context, operation.id, async (call) => {
        const refusal = options.admit(operation, call);
        if (refusal !== null) return refusal;
        const input = await readRequest(context, operation, call);
        const unusable = options.refuse(operation, input, call);
        if (unusable !== null) return unusable;
        const said = answer(input.values, call);
        return isReply(said) ? said : createJsonReply(200, written === null ? said : written(said));
      }),
    );
  }
}

/** `/x/{id}` → `/x/:id`. */
export function toHonoPath(path: string): string {
  return path.replaceAll(/\{(?<name>\w+)\}/g, ':$<name>');
}

async function readRequest(context: Context<Bindings>, operation: Operation, call: ApiCall): Promise<RequestInput> {
  const params = readInput(operation.params, context.req.param());
  const query = readInput(operation.query, readQuery(call.url.searchParams));
  const body = readInput(operation.body, await readBody(context));
  return {
    values: { ...params.values, ...query.values, ...body.values },
    errors: { ...params.errors, ...query.errors, ...body.errors },
  };
}

/** A body that is no JSON object counts as empty; the response then names the missing fields. */
async function readBody(context: Context<Bindings>): Promise<Record<string, unknown>> {
  if (context.req.method === 'GET') return {};
  try {
    const body: unknown = JSON.parse(await context.req.text());
    return isObject(body) ? { ...body } : {};
  } catch {
    return {};
  }
}

/**
 * Converts an answer for the wire: the specification types some digit strings as integers. They become JSON numbers if
 * no digit is lost.
 */
type Converter = (value: unknown) => unknown;

/** The converter for a schema; null if values need none. */
function wireForm(schema: unknown): Converter | null {
  if (!(schema instanceof z.ZodType)) return null;
  if (isSentAsInteger(schema)) return (value) => (typeof value === 'string' ? encodeDigits(value) : value);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return wireForm(schema.unwrap());
  if (schema instanceof z.ZodArray) return eachOf(wireForm(schema.element));
  if (schema instanceof z.ZodRecord) return eachValue(wireForm(schema.valueType));
  if (schema instanceof z.ZodObject) return byField(schema);
  if (schema instanceof z.ZodUnion) return oneOf(schema);
  return null;
}

function eachOf(convert: Converter | null): Converter | null {
  if (convert === null) return null;
  return (value) => (Array.isArray(value) ? value.map((item) => convert(item)) : value);
}

function eachValue(convert: Converter | null): Converter | null {
  if (convert === null) return null;
  return (value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, convert(item)])) : value;
}

function byField(schema: z.ZodObject): Converter | null {
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    const convert = wireForm(field);
    return convert === null ? [] : [{ name, convert }];
  });
  if (fields.length === 0) return null;
  return (value) => {
    if (!isObject(value)) return value;
    const written = { ...value };
    for (const { name, convert } of fields) if (Object.hasOwn(written, name)) written[name] = convert(written[name]);
    return written;
  };
}

/** The specification allows a single value or a list in some answers. */
function oneOf(schema: z.ZodUnion): Converter {
  const list = schema.options.find((option) => option instanceof z.ZodArray);
  const single = schema.options.find((option) => !(option instanceof z.ZodArray));
  const [convertList, convertSingle] = [wireForm(list), wireForm(single)];
  return (value) => (Array.isArray(value) ? convertList : convertSingle)?.(value) ?? value;
}
