/** Endless or oversized answers of a provider, served again and again: a reader without limits never finishes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

export interface HostileBody {
  name: string;
  kind: 'page' | 'account';
  respond(request: IncomingMessage, response: ServerResponse): void;
}

const MB = 1024 * 1024;

function repeated(count: number, piece: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => piece(index)).join(',');
}

function fixed(text: string, packed = false): HostileBody['respond'] {
  const body = packed ? gzipSync(text) : Buffer.from(text);
  const headers = { 'content-type': 'application/json', ...(packed && { 'content-encoding': 'gzip' }) };
  return (_, response) => void response.writeHead(200, headers).end(body);
}

function component(id: number, parent: number | null, state = 'operational'): string {
  return `{"id":${id},"name":"Component ${id}","state":"${state}","parent_id":${parent},"updated_at":null}`;
}

function notice(id: number): string {
  const content = `"latest_update":{"state":"investigating","content":"${'x'.repeat(200)}"}`;
  return `{"id":${id},"type":"unplanned","timeline_state":"present","state":"investigating","subject":"N ${id}",${content}}`;
}

const CONTACT =
  '{"user_id":"1001","contact":"sip:1001@10.0.0.2","status":"Registered(UDP)","external_ipaddress":"203.0.113.7"}';

function components(rows: string): string {
  return `{"page":{"name":"P","state":"degraded"},"components":[${rows}],"notices":[],"meta":{"next_page":null}}`;
}

function notices(rows: string): string {
  return `{"page":{"name":"P","state":"degraded"},"components":[],"notices":[${rows}],"meta":{"next_page":null}}`;
}

/** Each listing ends with a link to its next page, and none is the last. */
function pagesWithoutEnd(bytes: number): HostileBody['respond'] {
  const filling = 'x'.repeat(bytes);
  let page = 1;
  return (request, response) => {
    page += 1;
    const path = (request.url ?? '').split('?')[0] ?? '';
    const row = `{"id":${page},"name":"${filling}","state":"operational"}`;
    const meta = `{"next_page":"${path}?page=${page}"}`;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"page":{"name":"P","state":"degraded"},"components":[${row}],"notices":[${row}],"meta":${meta}}`);
  };
}

/** Other components fall, and other notices are open, at every look. */
function inventing(): HostileBody['respond'] {
  let base = 0;
  return (request, response) => {
    base += 1;
    const rows = request.url?.includes('/components') === true;
    response.writeHead(200, { 'content-type': 'application/json' });
    if (rows) {
      response.end(components(repeated(4_000, (index) => component(index, null, `state_${base + (index % 7)}`))));
    } else response.end(notices(repeated(400, (index) => notice(base * 1000 + index))));
  };
}

function failing(status: number): HostileBody['respond'] {
  const body = Buffer.from(`{"message":"x","trace":[${repeated(3_000_000, () => '[]')}]}`);
  return (_, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

/** Phones that come and go all at once, with another address each time. */
function flapping(): HostileBody['respond'] {
  let look = 0;
  return (request, response) => {
    look += 1;
    const list = request.url?.includes('registrations') === true;
    response.writeHead(200, { 'content-type': 'application/json' });
    if (!list) return void response.end('[]');
    const row = (id: number): string =>
      `"${id}":[{"user_id":"${id}","contact":"sip:${id}","external_ipaddress":"10.${id % 200}.${look % 200}.1","user_agent":"Phone ${look}"}]`;
    response.end(`{${repeated(look % 4 < 2 ? 9_000 : 4_000, row)}}`);
  };
}

export const HOSTILE_BODIES: readonly HostileBody[] = [
  {
    name: '125,000 junk rows, packed',
    kind: 'page',
    respond: fixed(components(repeated(125_000, () => 'null')), true),
  },
  {
    name: '1,000 components in a chain',
    kind: 'page',
    respond: fixed(components(repeated(1_000, (id) => component(id + 1, id || null, 'degraded')))),
  },
  {
    name: '10,000 components in a chain',
    kind: 'page',
    respond: fixed(components(repeated(10_000, (id) => component(id + 1, id || null, 'degraded')))),
  },
  {
    name: '5,000 components that fall',
    kind: 'page',
    respond: fixed(components(repeated(5_000, (id) => component(id + 1, null, 'degraded')))),
  },
  { name: '500 notices', kind: 'page', respond: fixed(notices(repeated(500, notice))) },
  { name: 'notices and components invented anew', kind: 'page', respond: inventing() },
  {
    name: 'an id of ten million zeros',
    kind: 'page',
    respond: fixed(components(`{"id":"${'0'.repeat(10 * MB)}","name":"x","state":"operational"}`)),
  },
  {
    name: 'an id of a million zeros',
    kind: 'page',
    respond: fixed(components(`{"id":"${'0'.repeat(MB)}","name":"x","state":"operational"}`)),
  },
  { name: 'large pages without end', kind: 'page', respond: pagesWithoutEnd(1.5 * MB) },
  { name: 'small pages without end', kind: 'page', respond: pagesWithoutEnd(10) },
  { name: 'three million empty lists', kind: 'page', respond: fixed(`[${repeated(3_000_000, () => '[]')}]`) },
  { name: 'an error of 9 MB', kind: 'page', respond: failing(500) },
  { name: 'refused with 9 MB', kind: 'account', respond: failing(422) },
  {
    name: 'three million empty lists to an account',
    kind: 'account',
    respond: fixed(`[${repeated(3_000_000, () => '[]')}]`),
  },
  {
    name: '100,000 contacts on one extension',
    kind: 'account',
    respond: fixed(`{"1001":[${repeated(100_000, () => CONTACT)}]}`),
  },
  {
    name: '60,000 contacts on one extension',
    kind: 'account',
    respond: fixed(`{"1001":[${repeated(60_000, () => CONTACT)}]}`),
  },
  { name: '200,000 extensions', kind: 'account', respond: fixed(`{${repeated(200_000, (id) => `"${id}":[]`)}}`) },
  {
    name: '10,000 extensions',
    kind: 'account',
    respond: fixed(`{${repeated(10_000, (id) => `"${id}":[${CONTACT}]`)}}`),
  },
  { name: '9,000 phones that come and go', kind: 'account', respond: flapping() },
];
