/** Kinds of faults, and the active ones. Faults are data, shared by scenarios, curl and tests. */
import * as z from 'zod';
import { SimulatorError } from '../simulator-error.ts';

const count = z.int().min(0);

/** Replaces or modifies the response, or disturbs its transport. Bytes and milliseconds. */
export const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status').describe('answer with this status and body'),
    status: z.int().min(200).max(599),
    body: z.unknown().optional().describe('sent as JSON; a string with content_type is sent as it is'),
    content_type: z.string().optional(),
  }),
  z.strictObject({
    kind: z.literal('rate_limited').describe('429; without retry_after* there is no Retry-After'),
    retry_after: count.optional().describe('seconds'),
    retry_after_date: z.int().optional().describe('an HTTP date this many seconds from now'),
  }),
  z.strictObject({
    kind: z.literal('redirect').describe('302, to a login page unless told otherwise'),
    location: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal('html').describe('a web page where JSON belongs'), status: count.optional() }),
  z.strictObject({ kind: z.literal('empty').describe('status 200 and no body') }),
  z.strictObject({ kind: z.literal('json_string').describe('a JSON string with 200'), text: z.string().optional() }),
  z.strictObject({ kind: z.literal('content_type').describe('the right body under a wrong type'), type: z.string() }),
  z.strictObject({ kind: z.literal('charset').describe('declared and written as ISO-8859-1') }),
  z.strictObject({ kind: z.literal('bom').describe('a byte-order mark before the body') }),
  z.strictObject({ kind: z.literal('duplicate_keys').describe('every top-level key twice, first as null') }),
  z.strictObject({
    kind: z.literal('gzip_bomb').describe('a small body that unpacks to bytes'),
    bytes: count.optional(),
  }),
  z.strictObject({
    kind: z.literal('big_body').describe('the answer followed by blanks up to bytes'),
    bytes: count.optional(),
  }),
  z.strictObject({
    kind: z.literal('stale').describe('what was answered versions changes ago'),
    versions: count.optional(),
  }),
  z.strictObject({
    kind: z.literal('meta').describe('counts that do not add up: added to count and total_count'),
    count: z.int().optional(),
    total_count: z.int().optional(),
  }),
  z.strictObject({ kind: z.literal('ignore_filters').describe('filter parameters have no effect') }),
  z.strictObject({
    kind: z.literal('next_page').describe('loop: to itself; endless: always one more; or any text'),
    to: z.string(),
  }),
  z.strictObject({ kind: z.literal('duplicate_rows').describe('the first row of the listing twice') }),
  z.strictObject({
    kind: z.literal('junk_rows').describe('null, a number, a string, {} and a nested array among the rows'),
  }),
  z.strictObject({ kind: z.literal('delay').describe('the answer comes later'), ms: count }),
  z.strictObject({ kind: z.literal('drip').describe('one byte at a time'), every_ms: count.optional() }),
  z.strictObject({
    kind: z.literal('truncate').describe('half of the body; clean: with a length to match, else the line breaks'),
    clean: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal('reset').describe('the connection is reset before a byte is sent') }),
  z.strictObject({ kind: z.literal('hang').describe('no answer until the client gives up') }),
]);

/** Code in the same process may also transform the parsed body. */
export type Fault = z.infer<typeof faultSchema> | { kind: 'transform'; body: (body: unknown) => unknown };

/** Target and duration of a fault. */
interface FaultPlace {
  /** Operation id, path with `*` wildcards, or `all`. Default `all`. */
  on?: string | undefined;
  method?: string | undefined;
  /** Only for this page of a listing; requests without a page ask for page 1. */
  page?: number | undefined;
  /** Requests to let pass first. */
  skip?: number | undefined;
  /** Number of requests to affect before the fault removes itself. Default: unlimited. */
  times?: number | undefined;
}

export interface FaultOrder extends FaultPlace {
  fault: Fault;
}

/** A request, as matched against faults. */
interface FaultTarget {
  /** All operations it counts as: one vendor document may cover several operations. */
  operations: readonly string[];
  method: string;
  path: string;
  page: number;
}

interface FaultInForce extends FaultOrder {
  id: number;
  /** Requests affected so far. */
  hits: number;
}

export type FaultBoard = ReturnType<typeof createFaultBoard>;

/** `operations`: valid ids. `add` and `remove` throw `SimulatorError` for unknown ones. */
export function createFaultBoard(operations: readonly string[]) {
  let inForce: FaultInForce[] = [];
  const seen = new Map<number, number>();
  let nextId = 1;

  function hits(fault: FaultInForce, target: FaultTarget): boolean {
    if (fault.method !== undefined && fault.method.toUpperCase() !== target.method) return false;
    if (fault.page !== undefined && fault.page !== target.page) return false;
    return placeMatches(fault.on ?? 'all', target);
  }

  return {
    /** Activates a fault and returns its number. */
    add(order: FaultOrder) {
      const on = order.on ?? 'all';
      if (on !== 'all' && !on.startsWith('/') && !operations.includes(on)) {
        throw new SimulatorError(
          `A fault stands on an operation, a path that begins with / or "all"; ${JSON.stringify(on)} is none of them.`,
        );
      }
      const id = nextId;
      nextId += 1;
      inForce.push({ ...order, id, hits: 0 });
      return id;
    },
    remove(id: number) {
      if (!inForce.some((fault) => fault.id === id)) throw new SimulatorError(`There is no fault ${id} in force.`);
      inForce = inForce.filter((fault) => fault.id !== id);
    },
    clear() {
      inForce = [];
    },
    list: (): readonly FaultInForce[] => inForce,
    /** Faults that apply to this request, in order of activation. Counts a hit for each. */
    strike(target: FaultTarget) {
      const struck: Fault[] = [];
      for (const fault of inForce.filter((candidate) => hits(candidate, target))) {
        const arrived = (seen.get(fault.id) ?? 0) + 1;
        seen.set(fault.id, arrived);
        if (arrived <= (fault.skip ?? 0)) continue;
        fault.hits += 1;
        struck.push(fault.fault);
        if (fault.times !== undefined && fault.hits >= fault.times) {
          inForce = inForce.filter((other) => other !== fault);
        }
      }
      return struck;
    },
  };
}

function placeMatches(on: string, target: FaultTarget): boolean {
  if (on === 'all' || target.operations.includes(on)) return true;
  if (!on.startsWith('/')) return false;
  const pattern = on.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${pattern.join('.*')}$`).test(target.path);
}
