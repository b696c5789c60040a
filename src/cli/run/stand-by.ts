/** A member that stands by: it shows what is kept in the database, keeps its configuration checked, and waits for its turn. */
import { whoLeads } from '../../core/view/readiness.ts';
import type { Tenure } from '../../daemon/leadership.ts';
import type { Membership } from '../../daemon/membership.ts';
import { lastDrawing, type Drawing } from '../../daemon/drawing.ts';
import { configuredReceivers } from '../../daemon/receivers.ts';
import { openStore } from '../../store/store.ts';
import { proxyOf } from '../platform.ts';
import type { Lifetime, Wanted } from './footing.ts';
import type { Front } from './front.ts';
import { createReloads, loadAgain, warnOf } from './reload.ts';

/** What is shown while it stands by may be this old. */
const SHOWN_FOR_MS = 2_000;

/** Resolves to null when it was told to stop. */
export async function standBy(
  membership: Membership,
  watched: Lifetime,
  front: Front,
  stop: AbortSignal,
): Promise<Tenure | null> {
  const { platform, log } = watched;
  const reloads = createReloads(() => reload(watched, front), { systemd: front.systemd, log });
  front.standsBy(await sharedDrawing(membership, watched), () => {
    const members = membership.view(null);
    return members.leader === null
      ? `${membership.name} stands by, and ${whoLeads(members)}.`
      : `${membership.name} stands by: ask ${members.leader}, which leads.`;
  });
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

async function reload(watched: Lifetime, { place }: Front): Promise<void> {
  const { platform, file, present, log } = watched;
  const loaded = await loadAgain({ platform, file, present, log });
  if (loaded === null) return;
  await checkedForItsTurn(watched, loaded);
  await place.move(loaded.config.http.listen);
  for (const warning of loaded.warnings) warnOf(log, warning);
  Object.assign(present, { config: loaded.config, secrets: loaded.secrets });
  log.reconfigure({ level: present.config.log.level, redact: (text) => present.secrets.redact(text) });
  log.info('The configuration was read again', { remark: 'new credentials of systemd need a restart' });
}

/** While the database was never read. */
const nothingKept = openStore({
  place: 'nowhere',
  pathOf: ({ kind, name }) => `${kind} ${name}`,
  adapter: () => ({ read: () => Promise.resolve(null), write: () => Promise.resolve(), finding: () => null }),
  list: () => Promise.resolve([]),
  remove: () => Promise.resolve(),
});

/** What is kept in the database, read again when it is asked for and has become old. */
async function sharedDrawing(membership: Membership, { present, clock, log }: Lifetime): Promise<Drawing> {
  let at = -Infinity;
  let reading: Promise<void> | null = null;
  let shown = await lastDrawing(present.config, nothingKept, clock.now());

  async function read(): Promise<void> {
    try {
      shown = await lastDrawing(present.config, await membership.shared(), clock.now());
      at = clock.monotonic();
    } catch (error) {
      log.warn('What is kept in the database cannot be shown', { error });
    } finally {
      reading = null;
    }
  }

  function fresh(): Drawing {
    if (clock.monotonic() - at > SHOWN_FOR_MS) reading ??= read();
    return shown;
  }

  await read();
  return {
    picture: () => ({ ...fresh().picture(), now: clock.now(), members: membership.view(null) }),
    alert: (number) => fresh().alert(number),
  };
}
