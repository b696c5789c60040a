/** Payloads as vendors documented them and third parties recorded them: read, or refused with a reason. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createAccountClient } from '../../src/provider/account-client.ts';
import { ProviderError } from '../../src/provider/errors.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import { observeComponents, observeNotice, observeNotices, observePage } from '../../src/provider/observe.ts';
import { createStatusClient } from '../../src/provider/status-client.ts';
import { serve } from './local-server.ts';

const SAMPLES = new URL('../fixtures/samples/', import.meta.url);

function text(path: string): string {
  return readFileSync(new URL(path, SAMPLES), 'utf8');
}

function parsed(path: string): Record<string, unknown> {
  return JSON.parse(text(path)) as Record<string, unknown>;
}

/** The status client against a server that answers everything with this body. */
async function asked<T>(body: unknown, ask: (client: ReturnType<typeof createStatusClient>) => Promise<T>): Promise<T> {
  await using server = await serve((_, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const client = createStatusClient({
    baseUrl: server.base,
    limiter: createLimiter({ requestsPerSecond: 50, windowMs: 10 }),
  });
  try {
    return await ask(client);
  } finally {
    client.close();
  }
}

const firstPage = { firstPageOnly: true };

describe('a status page recorded or documented', () => {
  it('as a page', async () => {
    expect(await asked(text('status/st_andrews_getStatus.json'), observePage)).toMatchObject({
      kind: 'observed',
      value: { name: 'University of St Andrews service status', state: 'operational', noticeCount: 100 },
    });
    const { _note, ...live } = parsed('status/live_page_objects_seen_in_clients.json');
    for (const page of Object.values(live)) {
      expect(await asked(page, observePage)).toMatchObject({ kind: 'observed', value: { state: 'operational' } });
    }
    expect(typeof _note).toBe('string');
  });

  it('as components, the live listing of 110 with one row of it kept', async () => {
    const listing = await asked(text('status/st_andrews_listComponents_LIVE.json'), observeComponents);
    expect(listing).toMatchObject({
      kind: 'observed',
      items: [{ id: '50772', name: 'Access control system', state: 'operational', parentId: null }],
      // The next page is the same row again, so the walk ends there.
      missing: { code: 'contract_broken' },
    });
  });

  it('as notices and their detail', async () => {
    const listing = await asked(text('status/st_andrews_listNotices.json'), (client) =>
      observeNotices(client, 'future', firstPage),
    );
    expect(listing).toMatchObject({
      items: [{ id: '2', type: 'planned', state: 'scheduled' }],
      defects: [{ key: 'notices.count:+23' }],
    });
    expect(await asked(text('status/st_andrews_getNotice.json'), (client) => observeNotice(client, '1'))).toMatchObject(
      {
        kind: 'observed',
        value: { components: [{ id: '1', name: 'Example Component' }], updates: [{ state: 'investigating' }] },
      },
    );
  });

  it.each([
    ['status/infrawrench_test_fixture.json', ['2', '3']],
    ['status/lexware_test_fixture.json', ['508347']],
    ['status/pipedrive_test_fixture.json', ['508666', '508700', '508417']],
  ])('by the client behind %s', async (path, ids) => {
    const listing = await asked(text(path), (client) => observeNotices(client, 'present'));
    expect(listing).toMatchObject({ kind: 'observed', missing: null, defects: [{ key: 'notices.meta' }] });
    expect(listing.kind === 'observed' && listing.items.map(({ id }) => id)).toEqual(ids);
  });

  it('by a client whose pages carry no counts', async () => {
    const { status, components_p1, components_p2, notices } = parsed('status/postmark_cli_test_fixture.json');
    expect(await asked(status, observePage)).toMatchObject({ value: { state: 'degraded' } });
    await using server = await serve(({ url }, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(url.includes('page=2') ? components_p2 : components_p1));
    });
    const client = createStatusClient({ baseUrl: server.base });
    expect(await observeComponents(client)).toMatchObject({
      defects: [],
      missing: null,
      items: [{ id: '1' }, { id: '2', parentId: '1' }],
    });
    client.close();
    expect(await asked(notices, (c) => observeNotices(c, 'present'))).toMatchObject({
      items: [{ id: '10' }, { id: '11' }],
      defects: [],
    });
  });

  it.each([
    'status/docs_public_status_api_A_status_components.txt',
    'status/docs_public_status_api_B_state_text_links_metrics.txt',
  ])('with the trailing commas of %s is refused as broken JSON', async (path) => {
    const body = text(path).slice(text(path).indexOf('{'));
    expect(await asked(body, observePage)).toMatchObject({
      kind: 'missed',
      code: 'contract_broken',
      why: expect.stringContaining('broken') as string,
    });
  });

  it.each([
    'status/docs_rest_api_list_notices.json',
    'status/docs_rest_api_list_notice_updates_legacy.json',
    'status/docs_rest_api_list_notice_updates_v1.json',
    'status/docs_rest_api_update_notice_response.json',
  ])('of another interface in %s is refused as holding no such thing', async (path) => {
    const why = expect.stringContaining('holds no') as string;
    expect(await asked(text(path), (client) => observeNotices(client, 'present'))).toMatchObject({
      kind: 'missed',
      why,
    });
    expect(await asked(text(path), observePage)).toMatchObject({ kind: 'missed', why });
  });
});

describe('an account error of the likely framework', () => {
  const shapes = parsed('account/laravel_error_shapes.json') as Record<
    string,
    { status?: unknown; headers?: Record<string, string>; body?: unknown }
  >;
  const CODES: Readonly<Record<string, string>> = {
    '401_json': 'credentials',
    '403': 'credentials',
    '404_model': 'not_found',
    '404_route': 'not_found',
    '404_abort_empty': 'not_found',
    '405': 'refused',
    '419': 'refused',
    '422': 'validation',
    '429': 'rate_limited',
    '500': 'server_error',
    '500_debug': 'server_error',
    '503_maintenance': 'server_error',
  };

  it('covers every shape with a status', () => {
    expect(Object.keys(shapes).filter((name) => typeof shapes[name]?.status === 'number')).toEqual(
      expect.arrayContaining(Object.keys(CODES)),
    );
    expect(Object.values(shapes).filter((shape) => typeof shape.status === 'number')).toHaveLength(
      Object.keys(CODES).length,
    );
  });

  it.each(Object.entries(CODES))('%s is %s', async (name, code) => {
    const { status, headers = {}, body } = shapes[name] ?? {};
    await using server = await serve((_, response) => {
      const sent = Object.entries(headers).map(([header, value]) => [header, value.replace(/[^\w ].*$/, '')]);
      response.writeHead(Number(status), {
        'content-type': 'application/json',
        ...(Object.fromEntries(sent) as Record<string, string>),
      });
      response.end(JSON.stringify(body));
    });
    const client = createAccountClient({ baseUrl: server.base, apiKey: 'k', retry: { retries: 0 } });
    const error: unknown = await client.extensions.list().catch((reason: unknown) => reason);
    client.close();
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ code, status });
    expect((error as ProviderError).message).not.toMatch(/SQLSTATE|\/var\/www/);
  });
});

describe('registrations as telephones make them', () => {
  it('keep every status, contact and user agent to the letter', async () => {
    const agents = parsed('registrations/user_agents.json');
    const userAgents = [...(agents['desk_phones'] as string[]), ...(agents['softphones'] as string[]), ''];
    const listing = text('registrations/freeswitch_sofia_status_reg_samples.txt');
    const statuses = [...listing.matchAll(/^Status:\s+(.+)$/gm)].map((match) => match[1] ?? '');
    const contacts = [...listing.matchAll(/^Contact:\s+(.+)$/gm)].map((match) => match[1] ?? '');
    expect(statuses.length).toBeGreaterThan(7);
    const rows = userAgents.map((user_agent, index) => ({
      user_id: String(1000 + index),
      user_agent,
      status: statuses[index % statuses.length],
      contact: contacts[index % contacts.length],
    }));
    const map = Object.fromEntries(rows.map((row, index) => [row.user_id, index % 2 === 0 ? [row] : row]));
    await using server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(map));
    });
    const client = createAccountClient({ baseUrl: server.base, apiKey: 'k' });
    const answer = await client.registrations.list();
    client.close();
    expect(Object.values(answer).map((contactsOf) => contactsOf?.[0])).toEqual(
      rows.map((row) => expect.objectContaining(row) as object),
    );
  });
});
