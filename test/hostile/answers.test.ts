/**
 * An empty body, truncated JSON, HTML with 200, a wrong content type, a JSON string or an error object with 200: the
 * sweep failed; the last state stands; told once as unreachable after the threshold. On both interfaces.
 */
import { afterEach, describe, expect, test } from 'vitest';
import type { Fault } from '../../src/simulator/fault/fault.ts';
import { cases } from '../support/runs.ts';
import { SOURCES, watchSource, type SourceLimits, type WatchedSource } from './watched-source.ts';

/** For what never answers, which each retry would wait for anew; a busy machine may take as long for what does. */
const QUICK: SourceLimits = { timeouts: { response: 600, read: 600, request: 1_200 }, retry: { retries: 0 } };

const open: WatchedSource[] = [];
afterEach(async () => {
  for (const source of open.splice(0)) await source.close();
});

async function watch(...given: Parameters<typeof watchSource>): Promise<WatchedSource> {
  const source = await watchSource(...given);
  open.push(source);
  return source;
}

describe.each(SOURCES)('%s that answers with', (kind) => {
  test.each<[string, Fault]>(
    cases(
      [
        ['an empty body', { kind: 'empty' }],
        ['truncated JSON', { kind: 'truncate', clean: true }],
        ['a body that breaks off', { kind: 'truncate' }],
        ['HTML and 200', { kind: 'html' }],
        [
          'HTML that calls itself JSON',
          { kind: 'status', status: 200, body: '<html>', content_type: 'application/json;x' },
        ],
        ['35 kB of HTML and 404', { kind: 'html', status: 404 }],
        ['a wrong content type', { kind: 'content_type', type: 'text/html' }],
        ['a content type that is none', { kind: 'content_type', type: 'json' }],
        ['a JSON string', { kind: 'json_string' }],
        ['an error object and 200', { kind: 'status', status: 200, body: { error: 'maintenance' } }],
        [
          'an error with a message and 200',
          { kind: 'status', status: 200, body: { message: 'Server Error', code: 500 } },
        ],
        ['null', { kind: 'status', status: 200, body: null }],
        ['a number', { kind: 'status', status: 200, body: 200 }],
        ['204 and nothing', { kind: 'status', status: 204 }],
        [
          'a 500 that shows its debugger',
          { kind: 'status', status: 500, body: { message: 'SQLSTATE hunter2', trace: ['hunter2'] } },
        ],
        ['a 503 of a web server', { kind: 'html', status: 503 }],
        ['a reset connection', { kind: 'reset' }],
        ['nothing at all', { kind: 'hang' }],
      ],
      2,
      SOURCES.indexOf(kind),
    ),
  )('%s is one alert after the threshold, and nothing else changes', async (_, fault) => {
    const { provider, daemon, told, events, rounds, known } = await watch(kind, fault.kind === 'hang' ? QUICK : {});
    const before = known();
    // What changes meanwhile is not heard of, and not lost either.
    provider.simulator.status.setComponentState('SMS', 'degraded');
    provider.simulator.accounts.account().world.setToggle('After hours', true);
    provider.simulator.faults.add({ fault });
    await rounds(1);
    expect(events()).toEqual([]);
    await rounds(1);
    expect(told()).toEqual(['source.unreachable source (open)']);
    await rounds(2);
    expect(events()).toEqual(['source.unreachable source (open)']);
    expect(known()).toEqual(before);

    provider.simulator.faults.clear();
    await rounds(1);
    const change = kind === 'an account' ? 'toggle.state toggle/301 (info)' : 'component.state component/120 (open)';
    expect(told().toSorted()).toEqual([change, 'source.recovered source (resolved)'].toSorted());
    expect(JSON.stringify(daemon.people.sent)).not.toContain('hunter2');
  });
});

test('a status page that answers with a list or with nothing in its object is not believed to be empty', async () => {
  for (const body of [
    [],
    {},
    { components: null, notices: null, page: null },
    { components: {}, notices: {}, page: [] },
  ]) {
    const { provider, told, rounds, known } = await watch('a status page');
    const before = known();
    provider.simulator.faults.add({ fault: { kind: 'status', status: 200, body } });
    await rounds(4);
    expect(told()).toEqual(['source.unreachable source (open)']);
    expect(known()).toEqual(before);
  }
});

test('one failed round is silent on either interface', async () => {
  for (const kind of SOURCES) {
    const { provider, events, rounds } = await watch(kind);
    provider.simulator.faults.add({ fault: { kind: 'html' }, times: 1 });
    await rounds(3);
    expect(events()).toEqual([]);
  }
});
