/** One of several members that share a database: it stands by until it leads, and leads until another does. */
import type { DatabaseConfig } from '../../config/database-schema.ts';
import { LOOK_MS, type Tenure } from '../../daemon/leadership.ts';
import type { HeldHere } from '../../daemon/member-asks.ts';
import { joinMembers, type Membership } from '../../daemon/membership.ts';
import { succession } from '../../daemon/succession.ts';
import { limitersOf, sentBy } from '../../daemon/tenure.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import { LeaseLost } from '../../store/postgres/lease.ts';
import type { Lifetime } from './footing.ts';
import type { Front } from './front.ts';
import { openHistory } from './open-history.ts';
import { sayWaits } from './reload.ts';
import { checkedForItsTurn, currentDigest, standBy } from './stand-by.ts';
import { runTerm } from './term.ts';

/** Resolves when it was told to stop. */
export async function runAsMember(database: DatabaseConfig, watched: Lifetime, front: Front): Promise<void> {
  const { platform, clock, log, present } = watched;
  const { hostname, version } = platform;
  const { instance } = present.config;
  await checkedForItsTurn(watched, present);
  const id = crypto.randomUUID();
  const membership = await joinMembers({
    instance,
    database,
    hostname,
    version,
    id,
    clock,
    log,
    digest: currentDigest(present),
  });
  front.isAmong({ ...membership, view: () => membership.view(null) });
  const stop = new AbortController();
  let leads = false;
  const stopped = (signal: string): void => {
    stop.abort();
    // Whoever leads says so itself.
    if (leads) return;
    log.info('stopping', { signal }, () => `Stopping, as ${signal} asks for`);
    front.systemd.stopping();
  };
  const undo = [
    ...(['SIGTERM', 'SIGINT'] as const).map((signal) => platform.onSignal(signal, () => stopped(signal))),
    // What comes between standing by and leading must not end the process.
    platform.onSignal('SIGHUP', () => undefined),
  ];
  try {
    for (;;) {
      const tenure = await standBy(membership, watched, front, stop.signal);
      if (tenure === null) return;
      leads = true;
      await lead(tenure, membership, watched, front, stop.signal);
      leads = false;
      if (stop.signal.aborted) return;
    }
  } finally {
    for (const forget of undo) forget();
    await membership.close();
  }
}

async function lead(
  tenure: Tenure,
  membership: Membership,
  watched: Lifetime,
  front: Front,
  stop: AbortSignal,
): Promise<void> {
  const { clock, log } = watched;
  const limiters = limitersOf(tenure, clock);
  const history = openHistory(membership.archiveOf(tenure), watched);
  const ended = new AbortController();
  const held = (): HeldHere => ({
    term: membership.termOf(tenure),
    tenure,
    daemon: watched.present.assembled?.daemon ?? null,
  });
  const answering = membership.asks.answer(held, front.deeds, AbortSignal.any([ended.signal, tenure.over]));
  log.info('leading', { member: membership.name, epoch: tenure.epoch }, () => `${membership.name} leads`);
  try {
    await runTerm(
      {
        store: membership.storeOf(tenure),
        history,
        limiters,
        through: (receiver) => sentBy(tenure, receiver),
        reserveNumbers: membership.numbers,
        over: tenure.over,
        async untilSaved(signal) {
          if (tenure.mode !== 'leading') sayWaits(log);
          // oxlint-disable no-await-in-loop -- one look after the other
          while (tenure.mode !== 'leading' && !signal.aborted) await clock.sleep(LOOK_MS, signal);
          // A document that is refused for good keeps no new configuration away for longer than a lease.
          const isUnsaved = (): boolean => (watched.present.assembled?.daemon.unsaved().length ?? 0) > 0;
          const until = clock.monotonic() + membership.leaseMs;
          while (isUnsaved() && clock.monotonic() < until && !signal.aborted) await clock.sleep(LOOK_MS, signal);
          // oxlint-enable no-await-in-loop
        },
        isStopped: () => stop.aborted,
        members: () => membership.view(tenure),
        happened: succession(tenure, membership.view(tenure), membership.leaseMs),
        tells: membership.watchOthers,
      },
      watched,
      front,
    );
  } catch (error) {
    if (!(error instanceof DatabaseError) && !(error instanceof LeaseLost)) throw error;
    log.error('The database failed this member as it began to lead; it stands by', { error });
  } finally {
    ended.abort();
    await answering;
    await history.close();
    await tenure.end(limiters.slots());
  }
}
