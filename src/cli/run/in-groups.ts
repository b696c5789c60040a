/** One of several members that share groups of the sources: it leads some of them, and shows all. */
import type { DatabaseConfig } from '../../config/database-schema.ts';
import { groupsOf, layoutOf } from '../../config/groups.ts';
import { GRACE_MS } from '../../daemon/daemon.ts';
import { joinGroups } from '../../daemon/group-membership.ts';
import { drawGroups } from '../../daemon/group-picture.ts';
import { factsOf } from '../../daemon/drawing.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import type { Configuration } from '../configuration.ts';
import type { Lifetime } from './footing.ts';
import type { Front } from './front.ts';
import { createTerms, daemonsOf } from './group-daemons.ts';
import { SHORT_GRACE_MS } from './group-term.ts';
import { createReloads, loadAgain, warnOf } from './reload.ts';
import { checkedForItsTurn } from './stand-by.ts';

/** It looks this often within a lease, so that a clean end is followed at once. */
const LOOKS_A_LEASE = 12;

/** Resolves when it was told to stop. */
export async function runInGroups(database: DatabaseConfig, watched: Lifetime, front: Front): Promise<void> {
  const { platform, clock, log, present } = watched;
  const { hostname, version } = platform;
  const { systemd } = front;
  await checkedForItsTurn(watched, present);
  const groups = groupsOf(present.config, database.shards);
  const { instance } = present.config;
  const id = crypto.randomUUID();
  const membership = await joinGroups({ instance, database, hostname, version, id, clock, log, groups });
  const stop = new AbortController();
  const startedAt = clock.now();
  const terms = createTerms({ membership, watched, front });
  const { daemonOf } = terms;
  const drawing = await drawGroups({
    config: () => present.config,
    groups: () => membership.turns.groups,
    here(group) {
      const daemon = daemonOf(group);
      if (daemon === null) return null;
      return factsOf({ config: present.config, daemon, reading: front.meter.reading, clock, startedAt, log });
    },
    shared: membership.shared,
    startedAt: () => (terms.isEmpty() ? null : startedAt),
    members: membership.view,
    clock,
    log,
  });
  let takeUp: (() => Promise<void>) | null = null;
  let isUnreachable = false;

  async function look(): Promise<void> {
    try {
      await membership.look();
      if (isUnreachable) log.info('The database answers again');
      isUnreachable = false;
      await terms.shareSilences();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      if (!isUnreachable) log.error('This member cannot take a lease', { error });
      isUnreachable = true;
    }
    terms.begin();
    for (const group of membership.turns.excess()) terms.handOver(group);
    // The first group tells of the members for all.
    const itself = daemonOf(1)?.itself;
    const seen = itself === undefined ? null : membership.seen();
    if (seen !== null) await itself?.happened(seen);
    if (terms.goOn()) systemd.goesOn();
  }

  async function reload(): Promise<void> {
    const loaded = await loadAgain({ platform, file: watched.file, present, log });
    if (loaded === null) return;
    await checkedForItsTurn(watched, loaded);
    await front.place.move(loaded.config.http.listen);
    for (const warning of loaded.warnings) warnOf(log, warning);
    const taken = Promise.withResolvers<void>();
    takeUp = () => take(loaded).then(taken.resolve, taken.reject);
    await taken.promise;
    log.info('The configuration was read again', { remark: 'new credentials of systemd need a restart' });
  }

  /** What divides the sources otherwise is another layout: whoever leads by that of before goes on with it. */
  async function take({ config, secrets }: Configuration): Promise<void> {
    const next = groupsOf(config, database.shards);
    const isSame = layoutOf(next) === layoutOf(membership.turns.groups);
    if (!isSame) await terms.stop(SHORT_GRACE_MS);
    Object.assign(present, { config, secrets });
    log.reconfigure({ level: config.log.level, redact: (text) => present.secrets.redact(text) });
    if (!isSame) membership.turns.divide(next);
    else terms.restart();
  }

  async function watch(): Promise<void> {
    while (!stop.signal.aborted) {
      // oxlint-disable no-await-in-loop -- one look after the other
      const next = takeUp;
      takeUp = null;
      await next?.();
      await look();
      await clock.sleep(membership.leaseMs / LOOKS_A_LEASE, stop.signal);
      // oxlint-enable no-await-in-loop
    }
  }

  const reloads = createReloads(reload, { systemd, log });
  const undo = [
    ...(['SIGTERM', 'SIGINT'] as const).map((signal) =>
      platform.onSignal(signal, () => {
        log.info('stopping', { signal }, () => `Stopping, as ${signal} asks for`);
        systemd.stopping();
        stop.abort();
      }),
    ),
    platform.onSignal('SIGHUP', reloads.begin),
  ];
  try {
    front.watchesGroups(drawing, daemonsOf(membership, daemonOf, drawing.elsewhere));
    await front.open();
    systemd.standsBy();
    log.info('standing by', { member: membership.name }, () => `${membership.name} stands by`);
    await Promise.race([watch(), terms.failed]);
  } finally {
    for (const forget of undo) forget();
    stop.abort();
    await membership.retire();
    await terms.stop(GRACE_MS);
    await membership.close();
  }
}
