/** The embedded provider in the place of each vendor: the same world and actions, read over HTTP by the reader of its type. */
import { afterEach, describe, expect, it } from 'vitest';
import { openVendorPage } from '../../src/pages/vendor-client.ts';
import type { PageReader } from '../../src/pages/page-reader.ts';
import { loadPageType, PAGE_TYPE_NAMES, type VendorTypeName } from '../../src/pages/types.ts';
import { startProvider, type Provider } from '../../src/simulator/embedded-provider.ts';

const TYPES = PAGE_TYPE_NAMES.filter((name): name is VendorTypeName => name !== 'provider');
const unhurried = { run: <T>(attempt: () => Promise<T>) => attempt(), waiting: () => 0 };
const { signal } = new AbortController();
let running: Provider[] = [];

afterEach(async () => {
  await Promise.all(running.map((provider) => provider.close()));
  running = [];
});

async function started(type: VendorTypeName): Promise<{ provider: Provider; reader: PageReader }> {
  const provider = await startProvider({ as: type });
  running.push(provider);
  const reader = openVendorPage(await loadPageType(type), { baseUrl: provider.statusUrl, limiter: unhurried });
  return { provider, reader };
}

async function act(provider: Provider, action: string, given: object): Promise<number> {
  const answer = await fetch(`${provider.accountUrl}/_control/${action}`, {
    method: 'POST',
    body: JSON.stringify(given),
  });
  return answer.status;
}

async function subjects(reader: PageReader): Promise<string[]> {
  const seen = await reader.document?.(signal);
  expect(seen?.kind).toBe('observed');
  const listing = await reader.notices('present', signal);
  return listing.kind === 'missed' ? [listing.why] : listing.items.map(({ subject }) => subject);
}

describe.each(TYPES)('as %s', (type) => {
  it('shows what the control plane does, and nothing of the page of the provider', async () => {
    const { provider, reader } = await started(type);
    expect(await subjects(reader)).toEqual([]);
    expect(await act(provider, 'open_notice', { subject: 'No <calls> & no ü', components: ['SMS'] })).toBe(200);
    expect(await subjects(reader)).toEqual(['No <calls> & no ü']);
    const own = await fetch(`${provider.accountUrl}/api/v1/status`);
    expect(own.headers.get('content-type') ?? '').not.toContain('json');
    const phones = await fetch(`${provider.accountUrl}/api/v1/pbx/registrations`, {
      headers: { authorization: `Bearer ${provider.token}` },
    });
    expect(phones.status).toBe(200);
  });

  it('is hit by a fault that stands on any operation of the page', async () => {
    const { provider, reader } = await started(type);
    for (const on of ['status.show', 'components.list', 'notices.list', 'all']) {
      const fault = { kind: 'status', status: 503 };
      expect(await act(provider, 'inject', { on, times: 1, fault })).toBe(200);
      expect(await reader.document?.(signal)).toMatchObject({ kind: 'missed', code: 'server_error' });
      expect(await reader.document?.(signal)).toMatchObject({ kind: 'observed' });
    }
  });

  it('is blind where it leads to the root of the site, to another host or to a web page', async () => {
    const { provider, reader } = await started(type);
    for (const fault of [
      { kind: 'redirect', location: '/' },
      { kind: 'redirect', location: 'https://elsewhere.example.test/' },
      { kind: 'html' },
      { kind: 'empty' },
      { kind: 'truncate', clean: true },
      { kind: 'json_string' },
    ]) {
      provider.simulator.faults.clear();
      expect(await act(provider, 'inject', { fault, times: 1 })).toBe(200);
      expect(await reader.document?.(signal)).toMatchObject({ kind: 'missed' });
    }
  });

  it('says that nothing changed only where the vendor does', async () => {
    const { provider, reader } = await started(type);
    const statuses = (): (number | null)[] => provider.simulator.log.all().map(({ status }) => status);
    await subjects(reader);
    provider.simulator.log.clear();
    await subjects(reader);
    expect(statuses()).toEqual(type === 'statuspage' ? [304] : type === 'instatus' ? [200, 200] : [200]);
  });
});

it('answers elsewhere as its vendor does', async () => {
  const page = async (type: VendorTypeName): Promise<[number, boolean]> => {
    const { provider } = await started(type);
    const answer = await fetch(`${provider.accountUrl}/nowhere`);
    return [answer.status, (await answer.text()).includes('<html')];
  };
  expect(await page('statuspage')).toEqual([404, false]);
  expect(await page('betterstack')).toEqual([200, true]);
  expect(await page('slack')).toEqual([404, true]);
});
