/** Measurements of each peer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { figure, printed } from '../figures.ts';
import { watchFor } from '../idle.ts';
import type { Peer } from './peer.ts';
import { openPlace, type Place } from './place.ts';

const STARTS = 5;
const CHANGES = 4;
/** A message that has not arrived within this time counts as lost. */
const PATIENCE_MS = 45_000;
/** Time for which a receiver is away, or for which duplicates are awaited. */
const PAUSE_MS = 20_000;

/** A figure of the table: what it is called, and what it reads for a peer. */
export type Findings = ReadonlyMap<string, string>;

export async function measurePeer(peer: Peer): Promise<Findings> {
  const findings = new Map([['spawn → first request', await starts(peer)]]);
  for (const measure of [idle, changes, returns, kills]) {
    for (const [what, found] of Object.entries(await measure(peer))) findings.set(what, found);
  }
  return findings;
}

async function starts(peer: Peer): Promise<string> {
  await using place = await openPlace(peer, 'state');
  const took: number[] = [];
  for (let run = 0; run <= STARTS; run += 1) {
    const { started, askedAt } = await place.start();
    await started[Symbol.asyncDispose]();
    // The first one warms the caches of the disk.
    if (run > 0) took.push(askedAt - started.startedAt);
  }
  return printed(figure(took), 'ms');
}

async function idle(peer: Peer): Promise<Record<string, string>> {
  await using place = await openPlace(peer, 'all');
  return await place.watching(async (started) => {
    const [cpuBefore, before, began] = [await started.cpuMs(), place.provider.asked.length, performance.now()];
    const { rssMb, cpuMs } = await watchFor(place.provider, started, () => sleep(6_000), 4);
    const seconds = (performance.now() - began) / 1_000;
    const asked = (place.provider.asked.length - before) / seconds;
    return {
      'idle: memory': printed(figure(rssMb), 'MB'),
      'idle: processor a request': printed(figure(cpuMs), 'ms'),
      'idle: processor': `${(((await started.cpuMs()) - cpuBefore) / seconds / 10).toFixed(1)} %`,
      'idle: requests a second, 7 wanted': asked.toFixed(1),
    };
  });
}

async function changes(peer: Peer): Promise<Record<string, string>> {
  await using place = await openPlace(peer, 'state');
  const [sinceChange, sinceSeen]: [number[], number[]] = [[], []];
  await place.watching(async () => {
    for (let run = 0; run < CHANGES; run += 1) {
      const told = place.outages() + 1;
      const seen = place.provider.next(peer.shownBy);
      const changed = performance.now();
      place.provider.degrade(1);
      const at = await place.outageAt(told, PATIENCE_MS);
      if (at === null) return;
      sinceChange.push(at - changed);
      sinceSeen.push(at - (await seen).at);
      place.provider.degrade(0);
      await sleep(PAUSE_MS / 2);
    }
  });
  if (sinceChange.length < CHANGES) return { 'change → told': `${sinceChange.length} of ${CHANGES} told` };
  return {
    'change → told': printed(figure(sinceChange), 'ms'),
    'request that sees it → told': printed(figure(sinceSeen), 'ms'),
  };
}

async function returns(peer: Peer): Promise<Record<string, string>> {
  await using place = await openPlace(peer, 'state');
  const found = await place.watching(async () => {
    await outageUnheard(peer, place, PAUSE_MS);
    const opened = performance.now();
    await place.receiver.open();
    const at = await place.outageAt(1, PATIENCE_MS);
    return at === null ? `lost (nothing in ${PATIENCE_MS / 1_000} s)` : `${((at - opened) / 1_000).toFixed(1)} s`;
  });
  return { [`receiver away for ${PAUSE_MS / 1_000} s, back → told`]: found };
}

async function kills(peer: Peer): Promise<Record<string, string>> {
  const untold = (place: Place): Promise<void> => outageUnheard(peer, place, 3_000);
  const told = async (place: Place): Promise<void> => {
    place.provider.degrade(1);
    await place.outageAt(1, PATIENCE_MS);
    await sleep(1_000);
  };
  return {
    'killed before it was told, outage goes on': await killed(peer, untold, 'goes on'),
    'killed before it was told, outage over at the restart': await killed(peer, untold, 'is over'),
    'killed a second after it was told, outage goes on': await killed(peer, told, 'goes on'),
  };
}

/** Number of messages about an outage if the process is killed after it and restarted with a working receiver. */
async function killed(
  peer: Peer,
  until: (place: Place) => Promise<void>,
  outage: 'goes on' | 'is over',
): Promise<string> {
  await using place = await openPlace(peer, 'state');
  await place.watching(() => until(place));
  if (outage === 'is over') place.provider.degrade(0);
  await place.receiver.open();
  await place.watching(() => sleep(PAUSE_MS / 2));
  const times = place.outages();
  if (times === 0) return 'lost';
  return times === 1 ? 'told once' : `told ${times} times`;
}

/** An outage begins and is seen while the receiver cannot be reached, and so many milliseconds go by. */
async function outageUnheard({ shownBy }: Peer, { provider, receiver }: Place, ms: number): Promise<void> {
  await receiver.shut();
  const seen = provider.next(shownBy);
  provider.degrade(1);
  await seen;
  await sleep(ms);
}
