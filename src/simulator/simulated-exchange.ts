/**
 * One request and its response, including log, faults, validators and latency. Routes supply a function for the true
 * response.
 */
import type { Simulation } from './simulation.ts';
import { createHash } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { type FaultyAnswer, alterResponse } from './fault/alter-response.ts';
import type { Fault } from './fault/fault.ts';
import { isDisturbance, sendDisturbed } from './fault/disturbed-transport.ts';
import type { ApiCall, RawReply } from './simulated-reply.ts';
import type { Arrival } from './request-log.ts';
import { SimulatorError } from './simulator-error.ts';

export type Bindings = { Bindings: Partial<HttpBindings> };

interface ExchangeParts extends Pick<Simulation, 'clock' | 'timers' | 'faults' | 'log'> {
  /** True if responses carry an ETag and honour If-None-Match; evaluated per request. */
  validators: () => boolean;
}

/** Faults that replace the application: the request is not carried out. */
const REPLACING: readonly Fault['kind'][] = [
  'status',
  'rate_limited',
  'redirect',
  'html',
  'empty',
  'json_string',
  'reset',
  'hang',
];

/** `operation` is null for unknown paths. Faults on any of `others` apply too. */
export type Answering = (
  context: Context<Bindings>,
  operation: string | null,
  produce: (call: ApiCall) => Promise<RawReply>,
  others?: readonly string[],
) => Promise<Response>;

/** Logs every request before answering it. Connection faults throw `SimulatorError` without a real connection. */
export function createExchange(parts: ExchangeParts): Answering {
  return async (context, operation, produce, others = []) => {
    const { clock, timers, faults, log } = parts;
    const url = new URL(context.req.url);
    const arrival = describe(context, url, operation, clock.monotonic());
    log.record(arrival);
    const page = Number(url.searchParams.get('page') ?? '1');
    const struck = faults.strike({
      operations: [operation ?? [], others].flat(),
      method: arrival.method,
      path: arrival.path,
      page,
    });

    let answer: FaultyAnswer;
    if (struck.some((fault) => REPLACING.includes(fault.kind))) {
      answer = { status: 200, headers: new Headers(), body: new Uint8Array() };
    } else {
      answer = toAnswer(await produce(understand(context, url, struck)));
      if (parts.validators()) answer = validated(answer, context.req.header('if-none-match'));
    }
    for (const fault of struck) answer = alterResponse(answer, fault, { url, now: clock.now() });
    // The simulator's clock, which may differ from the machine's.
    answer.headers.set('date', new Date(clock.now()).toUTCString());

    for (const fault of struck) {
      if (fault.kind === 'delay') await new Promise<void>((resolve) => timers.after(fault.ms, resolve));
    }
    const disturbance = struck.find(isDisturbance);
    if (disturbance !== undefined) {
      const outgoing = context.env?.outgoing;
      if (outgoing === undefined) {
        throw new SimulatorError(`The fault "${disturbance.kind}" needs a real connection: listen on a port.`);
      }
      await sendDisturbed(outgoing, answer, disturbance, timers);
      return RESPONSE_ALREADY_SENT;
    }
    arrival.status = answer.status;
    return new Response(allowsBody(answer.status) ? answer.body : null, answer);
  };
}

function describe(context: Context, url: URL, operation: string | null, at: number): Arrival {
  const header = (name: string): boolean => context.req.header(name) !== undefined;
  return {
    at,
    method: context.req.method,
    path: url.pathname,
    query: url.search,
    operation,
    authorized: header('authorization'),
    conditional: header('if-none-match') || header('if-modified-since'),
    status: null,
  };
}

function understand(context: Context, url: URL, struck: readonly Fault[]): ApiCall {
  const stale = struck.find((fault) => fault.kind === 'stale');
  const bearer = /^Bearer (?<token>\S+)$/i.exec(context.req.header('authorization') ?? '');
  return {
    url,
    token: bearer?.groups?.['token'] ?? null,
    versionsAgo: stale === undefined ? 0 : (stale.versions ?? 1),
    ignoreFilters: struck.some((fault) => fault.kind === 'ignore_filters'),
  };
}

function toAnswer(reply: RawReply): FaultyAnswer {
  return {
    status: reply.status,
    headers: new Headers(reply.headers),
    body: typeof reply.body === 'string' ? new Uint8Array(Buffer.from(reply.body, 'utf8')) : reply.body,
  };
}

function validated(answer: FaultyAnswer, ifNoneMatch: string | undefined): FaultyAnswer {
  if (answer.status !== 200) return answer;
  const tag = `W/"${createHash('sha256').update(answer.body).digest('hex').slice(0, 32)}"`;
  const headers = new Headers(answer.headers);
  headers.set('etag', tag);
  const known = (ifNoneMatch ?? '').split(',').some((candidate) => candidate.trim() === tag);
  return known ? { status: 304, headers: new Headers({ etag: tag }), body: new Uint8Array() } : { ...answer, headers };
}

function allowsBody(status: number): boolean {
  return status !== 204 && status !== 304;
}
