/** One of several members that share groups of the sources: it leads some of them, and shows all. */
import type { DatabaseConfig } from '../../config/database-schema.ts';
import { splitSources, toLayout } from '../../config/groups.ts';
import { isFollowed } from '../../core/view/readiness.ts';
import { GRACE_MS, SHORT_GRACE_MS, type Daemon } from '../../daemon/daemon.ts';
import { joinGroups, type GroupMembership } from '../../daemon/group-membership.ts';
import { calmLookMs, LOOK_MS, LOOKS_A_LEASE, sleepUntilWoken } from '../../daemon/leadership.ts';
import type { HeldHere } from '../../daemon/member-asks.ts';
import { drawGroups } from '../../daemon/group-picture.ts';
import { factsOf } from '../../daemon/drawing.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import type { Lifetime, Wanted } from './footing.ts';
import type { Front } from './front.ts';
import { createTerms, daemonsOf } from './group-daemons.ts';
import { createReloads, sayTakenUp, sayWaits } from './reload.ts';
import { checkedForItsTurn, currentDigest, loadForItsTurn } from './stand-by.ts';

/** Whoever is not woken by the others looks this often: what another one stops with is taken within it. */
const WATCHING_LOOK_MS = 500;
/** A watchdog is told that all goes on at every look. */
const LOOKS_A_WATCHDOG = 4;

/** Resolves when it was told to stop. */
export async function runInGroups(database: DatabaseConfig, watched: Lifetime, front: Front): Promise<void> {
  const { platform, clock, log, present } = watched;
  const { hostname, version } = platform;
  const { systemd } = front;
  await checkedForItsTurn(watched, present);
  const groups = splitSources(present.config, database.shards);
  const digest = currentDigest(present);
  const identity = { instance: present.config.instance, hostname, version, id: crypto.randomUUID(), digest };
  const membership = await joinGroups({ ...identity, database, clock, log, groups, troubles: () => terms.troubles() });
  front.isAmong(membership);
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
  /** What a reload has brought. */
  let wanted: { loaded: Wanted; taken: PromiseWithResolvers<void> } | null = null;
  let isUnreachable = false;
  let answering: Promise<unknown> = Promise.resolve();

  async function look(): Promise<void> {
    try {
      await membership.look();
      if (isUnreachable) log.info('The database answers again');
      isUnreachable = false;
      // What is asked may take longer than a look.
      const leases = askedOf(membership, daemonOf);
      if (leases.length > 0) answering = Promise.all([answering, membership.asks.answerOnce(leases, front.deeds)]);
      await terms.shareSilences();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      if (!isUnreachable) log.error('This member cannot take a lease', { error });
      isUnreachable = true;
    }
    terms.begin();
    // What is not saved, whoever takes it over would tell again.
    const isSaved = (group: number): boolean => daemonOf(group)?.unsaved().length === 0;
    for (const group of membership.turns.excess().filter(isSaved)) terms.handOver(group);
    // The first group tells of the members for all.
    const itself = daemonOf(1)?.itself;
    const seen = itself === undefined ? null : membership.seen();
    if (seen !== null) await itself?.happened(seen);
    if (itself !== undefined) await terms.tellTroubles(membership.troubles());
    if (terms.goOn()) systemd.goesOn();
  }

  async function reload(): Promise<void> {
    const loaded = await loadForItsTurn(watched, front);
    if (loaded === null) return;
    wanted = { loaded, taken: Promise.withResolvers() };
    membership.wakeups.ring();
    if (isUnreachable) sayWaits(log);
    await wanted.taken.promise;
  }

  /** What divides the sources otherwise is another layout: whoever leads by that of before goes on with it. */
  async function takeUp({ loaded, taken }: NonNullable<typeof wanted>): Promise<void> {
    const next = splitSources(loaded.config, database.shards);
    const isSame = toLayout(next) === toLayout(membership.turns.groups);
    wanted = null;
    if (!isSame) await terms.stop(SHORT_GRACE_MS);
    Object.assign(present, loaded);
    sayTakenUp(watched);
    if (!isSame) membership.turns.divide(next);
    else terms.restart();
    taken.resolve();
  }

  async function watch(): Promise<void> {
    while (!stop.signal.aborted) {
      // oxlint-disable no-await-in-loop -- one look after the other
      const next = wanted;
      const woken = membership.wakeups.next();
      await look();
      // What is given up while the database is away could not be taken again by anybody.
      if (next !== null && !isUnreachable) await takeUp(next).catch(next.taken.reject);
      else await rest(membership, { ...systemd, clock, isUnreachable }, { stop: stop.signal, woken });
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
    front.shows(drawing, daemonsOf(membership, daemonOf, drawing));
    await front.open();
    systemd.standsBy();
    log.info('standing by', { member: membership.name }, () => `${membership.name} stands by`);
    await Promise.race([watch(), terms.failed]);
  } finally {
    for (const forget of undo) forget();
    stop.abort();
    await answering;
    const graceMs = isFollowed(membership.view()) ? SHORT_GRACE_MS : GRACE_MS;
    await Promise.all([membership.retire(), terms.stop(graceMs)]);
    await membership.close();
  }
}

/** What is led here and another member asks something of. */
function askedOf({ turns }: GroupMembership, daemonOf: (group: number) => Daemon | null): HeldHere[] {
  const asked = turns.led().filter(({ group }) => turns.leaseOn(group.number)?.isAsked === true);
  return asked.map((led) => ({
    term: turns.termOf(led),
    tenure: led.tenure,
    daemon: daemonOf(led.group.number),
  }));
}

interface Resting extends Pick<Front['systemd'], 'watchdogMs'>, Pick<Lifetime, 'clock'> {
  isUnreachable: boolean;
}

/** Until the next look. */
async function rest(
  { leaseMs, turns, wakeups }: GroupMembership,
  { isUnreachable, watchdogMs, clock }: Resting,
  signals: { stop: AbortSignal; woken: AbortSignal },
): Promise<void> {
  const calmMs = wakeups.comeThrough ? calmLookMs(leaseMs) : WATCHING_LOOK_MS;
  const paceMs = { waiting: LOOK_MS, watching: WATCHING_LOOK_MS, calm: calmMs }[turns.pace];
  const lookMs = Math.min(paceMs, (watchdogMs ?? Infinity) / LOOKS_A_WATCHDOG);
  await sleepUntilWoken(clock, isUnreachable ? leaseMs / LOOKS_A_LEASE : lookMs, signals);
}
