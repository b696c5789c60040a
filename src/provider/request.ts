/**
 * Encodes the input of a call, and resolves addresses: below the base address, or from a link. Invalid input is
 * rejected before sending.
 */
import * as z from 'zod';
import { trimEndSlashes } from '../core/text/plain.ts';
import { ProviderError } from './errors.ts';
import { encodeDigits, isSentAsInteger } from './field-kinds.ts';
import type { Operation } from './operation.ts';

export interface EncodedRequest {
  operation: Operation;
  /** Below the base address, with parameters filled in. */
  path: string;
  query: URLSearchParams;
  /** Encoded fields, ready for JSON; undefined for verbs without a body. */
  body: Input | undefined;
}

/** Throws `validation` with every invalid field and the rule. */
export function encodeRequest(operation: Operation, input: Readonly<Record<string, unknown>>): EncodedRequest {
  const parts = split(operation, input);
  const params = check(operation, operation.params, parts.params);
  const query = check(operation, operation.query, parts.query);
  const body = check(operation, operation.body, parts.body);
  return {
    operation,
    path: toPath(operation, (name) => encodeSegment(operation, name, String(params[name]))),
    query: encodeQuery(query),
    body:
      operation.verbs[0] === 'GET' || operation.verbs[0] === 'DELETE' ? undefined : encodeBody(operation.body, body),
  };
}

/** Fills in the path with `segment` for each parameter. */
export function toPath(operation: Operation, segment: (name: string) => string): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name));
}

export type Input = Readonly<Record<string, unknown>>;

/** Assigns fields to params, query and body. Unknown ones go to body or query, whose schema rejects them. */
function split(operation: Operation, input: Input): { params: Input; query: Input; body: Input } {
  const parts = { params: fieldMap(), query: fieldMap(), body: fieldMap() };
  const rest = Object.keys(operation.body.shape).length > 0 ? parts.body : parts.query;
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) {
      continue;
    }
    if (Object.hasOwn(operation.params.shape, name)) {
      parts.params[name] = value;
    } else if (Object.hasOwn(operation.query.shape, name)) {
      parts.query[name] = value;
    } else {
      rest[name] = value;
    }
  }
  return parts;
}

function fieldMap(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

function check(operation: Operation, schema: z.ZodObject, fields: Input): Input {
  const checked = schema.safeParse({ ...fields });
  if (checked.success) {
    return checked.data;
  }
  const wrong: Record<string, string[]> = {};
  for (const issue of checked.error.issues) {
    const name =
      issue.path.length > 0
        ? issue.path.join('.')
        : issue.code === 'unrecognized_keys'
          ? issue.keys.join(', ')
          : 'input';
    (wrong[name] ??= []).push(issue.message);
  }
  const named = checked.error.issues.flatMap((issue) =>
    issue.code === 'custom' ? ((issue.params?.['named'] ?? []) as readonly string[]) : [],
  );
  const list = Object.entries(wrong).map(([name, messages]) => `${name}: ${messages.join(', ')}`);
  throw new ProviderError('validation', { operation: operation.id }, () => list.join('; '), {
    fields: wrong,
    named,
    maybeSeen: false,
  });
}

/** `.` and `..` climb the path even if percent-encoded, and an empty segment names another operation. */
function encodeSegment(operation: Operation, name: string, value: string): string {
  if (value === '' || value === '.' || value === '..') {
    const message = value === '' ? 'must not be empty' : `must not be "${value}"`;
    throw new ProviderError('validation', { operation: operation.id }, () => `${name}: ${message}`, {
      fields: { [name]: [message] },
      maybeSeen: false,
    });
  }
  return encodeURIComponent(value);
}

/** Lists in the form of the provider's framework: `agent_ids[]=1&agent_ids[]=2`. */
function encodeQuery(query: Input): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) {
      for (const entry of value as unknown[]) {
        search.append(`${name}[]`, String(entry));
      }
    } else {
      search.append(name, String(value));
    }
  }
  return search;
}

function encodeBody(schema: z.ZodObject, fields: Input): Input {
  const wire = Object.entries(fields).map(([name, value]) => {
    const field = unwrap(schema.shape[name]);
    return [
      name,
      typeof value === 'string' && field !== undefined && isSentAsInteger(field) ? encodeDigits(value) : value,
    ];
  });
  return Object.fromEntries(wire);
}

function unwrap(schema: unknown): z.ZodType | undefined {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) {
    inner = inner.unwrap();
  }
  return inner instanceof z.ZodType ? inner : undefined;
}

/** Without trailing slash, query or fragment. Throws a TypeError for anything but http and https. */
export function readBaseAddress(baseUrl: string): URL {
  const url = URL.parse(baseUrl);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new TypeError('the base address must be an http or https address such as https://status.example.com');
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('the base address must not carry a user name or password');
  }
  url.hash = '';
  url.search = '';
  url.pathname = trimEndSlashes(url.pathname);
  return url;
}

/** Appends the path to the base address, keeping its prefix. */
export function toAddress(base: URL, path: string, query: URLSearchParams): URL {
  const url = new URL(base);
  url.pathname = `${trimEndSlashes(base.pathname)}${path}`;
  url.search = query.toString();
  return url;
}

/**
 * Resolves a link: a leading slash is relative to the origin, a bare query to the current page, everything else to the
 * base address. Throws `foreign_link` for another origin.
 */
export function resolveLink(base: URL, current: URL, link: string, operation: string): URL {
  const anchor = link.startsWith('?') ? current : new URL(`${trimEndSlashes(base.href)}/`);
  const url = URL.parse(link, anchor);
  if (url === null) {
    const asked = { operation, url: current };
    throw new ProviderError('contract_broken', asked, ({ it }) => `${it} gave a link that is no address`);
  }
  refuseForeign(base, url, current, operation);
  url.hash = '';
  return url;
}

/** Throws `foreign_link`: credentials never leave the configured origin. */
export function refuseForeign(base: URL, target: URL, current: URL, operation: string): void {
  if (target.origin === base.origin && target.username === '' && target.password === '') {
    return;
  }
  const words = `leads to another origin, ${target.origin}, which is not followed; if the provider has moved, change base_url`;
  throw new ProviderError('foreign_link', { operation, url: current }, ({ it }) => `${it} ${words}`);
}
