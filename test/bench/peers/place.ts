/** Environment in which a peer is measured: its folder, the provider that it watches, and its receiver. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closedPort } from '../../support/http-receiver.ts';
import type { Measured } from '../process.ts';
import { startBenchProvider, type BenchProvider } from '../provider.ts';
import type { Peer, Watch } from './peer.ts';
import { startReceiver, type Receiver } from './receiver.ts';

/** Requested part of a page: only its state, or all that Linewatch requests. */
export type Reach = 'state' | 'all';

export interface Place extends AsyncDisposable {
  provider: BenchProvider;
  receiver: Receiver;
  /** Starts it, and resolves with when it asked first. */
  start(): Promise<{ started: Measured; askedAt: number }>;
  /** Starts it, does the work when it knows that all is well, and kills it. */
  watching<T>(work: (started: Measured) => Promise<T>): Promise<T>;
  /** Number of reported outages. */
  outages(): number;
  /** Time at which the outage of that number was reported; null if it was not within so many milliseconds. */
  outageAt(number: number, withinMs: number): Promise<number | null>;
}

/** The slowest looks at the page twice within that. */
const SETTLED_MS = 8_000;
/** A peer without a request by then never makes one. */
const START_MS = 40_000;
const COMPONENTS = 100;

export async function openPlace(peer: Peer, reach: Reach): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'linewatch-peer-'));
  const provider = await startBenchProvider();
  const receiver = await startReceiver(peer.takes);
  const page = `${provider.url}/page-${reach === 'all' ? COMPONENTS : 25}`;
  const ports = await Promise.all([closedPort(), closedPort(), closedPort()]);
  const watch: Watch = { folder, page, addresses: addressesOf(page, reach), receiverPort: receiver.port, ports };
  const outages = (): number[] => receiver.told.filter(({ text }) => peer.isOutage(text)).map(({ at }) => at);
  const start: Place['start'] = async () => {
    const asked = provider.next('/status');
    const started = await peer.start(watch);
    const first = await Promise.race([asked, sleep(START_MS, null, { ref: false })]);
    if (first !== null) return { started, askedAt: first.at };
    await started[Symbol.asyncDispose]();
    throw new Error(`asked nothing in ${START_MS / 1_000} s: ${started.log().slice(-300)}`);
  };
  return {
    provider,
    receiver,
    start,
    async watching(work) {
      await using started = (await start()).started;
      await sleep(SETTLED_MS);
      return await work(started);
    },
    outages: () => outages().length,
    async outageAt(number, withinMs) {
      const deadline = performance.now() + withinMs;
      while (outages().length < number && performance.now() < deadline) await sleep(5);
      return outages()[number - 1] ?? null;
    },
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

function addressesOf(page: string, reach: Reach): string[] {
  const status = `${page}/api/v1/status`;
  if (reach === 'state') return [status];
  const components = [1, 2, 3, 4].map((number) => `${page}/api/v1/components?page=${number}`);
  const notices = ['present', 'future'].map((one) => `${page}/api/v1/notices?filter[timeline_state_eq]=${one}`);
  return [status, ...components, ...notices];
}
