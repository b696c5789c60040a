/** A member that stands by: it shows what is kept in the database, keeps its configuration checked, and waits for its turn. */
import { digestConfig, type ConfigDigest } from '../../config/config-digest.ts';
import type { Tenure } from '../../daemon/leadership.ts';
import type { Membership } from '../../daemon/membership.ts';
import type { Daemons } from '../../daemon/daemons.ts';
import { createReading, drawingOf, type Drawing, type GroupFacts, lastFacts } from '../../daemon/drawing.ts';
import { configuredReceivers } from '../../daemon/receivers.ts';
import { openStore } from '../../store/store.ts';
import { proxyOf } from '../platform.ts';
import type { Lifetime, Wanted } from './footing.ts';
import type { Front } from './front.ts';
import { createReloads, loadAgain, sayTakenUp, warnOf } from './reload.ts';

/** Resolves to null when it was told to stop. */
export async function standBy(
  membership: Membership,
  watched: Lifetime,
  front: Front,
  stop: AbortSignal,
): Promise<Tenure | null> {
  const { platform, log } = watched;
  const reloads = createReloads(() => reload(watched, front), { systemd: front.systemd, log });
  const { drawing, daemons } = await shared(membership, watched);
  front.shows(drawing, daemons);
  await front.open();
  front.systemd.standsBy();
  log.info('standing by', { member: membership.name }, () => `${membership.name} stands by`);
  const forget = platform.onSignal('SIGHUP', reloads.begin);
  try {
    return await membership.lead(stop, front.systemd.goesOn);
  } finally {
    forget();
    // It leads with the configuration of one reload or the next, and not with half of it.
    await reloads.settled();
  }
}

/**
 * What could keep it from leading is found while another still leads. Rejects with `UnreadableCertificates`.
 */
export async function checkedForItsTurn({ platform, clock }: Lifetime, { config }: Wanted): Promise<void> {
  await configuredReceivers(config, { now: clock.now, componentName: () => null, proxy: proxyOf(platform) });
}

/** A new configuration that this member could lead with, and whose page is open; null where it is refused, which the log says. */
export async function loadForItsTurn(watched: Lifetime, { place }: Front): Promise<Wanted | null> {
  const loaded = await loadAgain(watched);
  if (loaded === null) return null;
  await checkedForItsTurn(watched, loaded);
  await place.move(loaded.config.http.listen);
  for (const warning of loaded.warnings) warnOf(watched.log, warning);
  return { config: loaded.config, secrets: loaded.secrets };
}

/** Of the configuration that is present; worked out once for each. */
export function currentDigest(present: Wanted): () => ConfigDigest {
  let known: { config: Wanted['config']; digest: ConfigDigest } | null = null;
  return () => {
    const { config, secrets } = present;
    if (known?.config !== config) known = { config, digest: digestConfig(config, secrets) };
    return known.digest;
  };
}

async function reload(watched: Lifetime, front: Front): Promise<void> {
  const loaded = await loadForItsTurn(watched, front);
  if (loaded === null) return;
  Object.assign(watched.present, loaded);
  sayTakenUp(watched);
}

/** While the database was never read. */
const nothingKept = openStore({
  place: 'nowhere',
  pathOf: ({ kind, name }) => `${kind} ${name}`,
  adapter: () => ({ read: () => Promise.resolve(null), write: () => Promise.resolve(), finding: () => null }),
  list: () => Promise.resolve([]),
  remove: () => Promise.resolve(),
});

/** What is kept in the database, read again when it is asked for and has become old; whoever leads does what is asked. */
async function shared(
  membership: Membership,
  { present, clock, log }: Lifetime,
): Promise<{ drawing: Drawing; daemons: Daemons }> {
  let facts: GroupFacts = await lastFacts(present.config, nothingKept, clock.now());
  const { read, recent } = createReading(
    async () => void (facts = await lastFacts(present.config, await membership.shared(), clock.now())),
    { clock, log },
  );

  async function pass(name: string, ask: unknown): Promise<unknown> {
    const answer = await membership.asks.pass(null, name, ask);
    await read();
    return answer;
  }

  await read();
  return {
    drawing: drawingOf(() => {
      void recent();
      return { ...facts, now: clock.now(), members: membership.view(null) };
    }, recent),
    daemons: { parts: () => [{ sources: null, daemon: null, kept: facts, pass }], refresh: read },
  };
}
