/** One of several members that share a database: it stands by until it leads, and leads until another does. */
import type { DatabaseConfig } from '../../config/database-schema.ts';
import type { SelfEvent } from '../../core/engine/itself.ts';
import { span } from '../../core/wording/time.ts';
import type { Tenure } from '../../daemon/leadership.ts';
import { joinMembers, limitersOf, memberOf, sentBy, type Membership } from '../../daemon/membership.ts';
import { lastDrawing, type Drawing } from '../../daemon/picture.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import { LeaseLost } from '../../store/postgres/lease.ts';
import { openStore } from '../../store/store.ts';
import type { Lifetime } from './footing.ts';
import type { Front } from './front.ts';
import { runTerm } from './term.ts';

/** What is shown while it stands by may be this old. */
const SHOWN_FOR_MS = 2_000;

/** Resolves when it was told to stop. */
export async function runAsMember(database: DatabaseConfig, watched: Lifetime, front: Front): Promise<void> {
  const { platform, clock, log, present } = watched;
  const { hostname, version } = platform;
  const { instance } = present.config;
  const id = crypto.randomUUID();
  const membership = await joinMembers({ instance, database, hostname, version, id, clock, log });
  const stop = new AbortController();
  const undo = (['SIGTERM', 'SIGINT'] as const).map((signal) => platform.onSignal(signal, () => stop.abort()));
  try {
    for (;;) {
      const tenure = await standBy(membership, watched, front, stop.signal);
      if (tenure === null) return;
      await lead(tenure, membership, watched, front);
      if (stop.signal.aborted) return;
    }
  } finally {
    for (const forget of undo) forget();
    await membership.close();
  }
}

async function standBy(
  membership: Membership,
  watched: Lifetime,
  front: Front,
  stop: AbortSignal,
): Promise<Tenure | null> {
  const { log } = watched;
  front.standsBy(await sharedDrawing(membership, watched), () => {
    const { leader } = membership.view(null);
    return leader === null
      ? `${membership.name} stands by, and nobody leads.`
      : `${membership.name} stands by: ask ${leader}, which leads.`;
  });
  await front.open();
  front.systemd.standsBy();
  log.info('standing by', { member: membership.name }, () => `${membership.name} stands by`);
  return await membership.lead(stop, front.systemd.goesOn);
}

async function lead(tenure: Tenure, membership: Membership, watched: Lifetime, front: Front): Promise<void> {
  const { clock, log } = watched;
  const limiters = limitersOf(tenure, clock);
  log.info('leading', { member: membership.name, epoch: tenure.epoch }, () => `${membership.name} leads`);
  try {
    await runTerm(
      {
        store: membership.storeOf(tenure),
        limiters,
        through: (receiver) => sentBy(tenure, receiver),
        over: tenure.over,
        members: () => membership.view(tenure),
        happened: succession(tenure, membership),
      },
      watched,
      front,
    );
  } catch (error) {
    if (!(error instanceof DatabaseError) && !(error instanceof LeaseLost)) throw error;
    log.error('The database failed this member as it began to lead; it stands by', { error });
  } finally {
    await tenure.end(limiters.lastAskedAt());
  }
}

/** While the database was never read. */
const nothingKept = openStore({
  place: 'nowhere',
  pathOf: ({ kind, name }) => `${kind} ${name}`,
  adapter: () => ({ read: () => Promise.resolve(null), write: () => Promise.resolve(), finding: () => null }),
  list: () => Promise.resolve([]),
  remove: () => Promise.resolve(),
});

/** Who leads from now on in place of whom; nothing where the same one goes on. */
function succession({ former, lapsedMs }: Tenure, { name, leaseMs }: Membership): SelfEvent[] {
  const before = former === null ? null : memberOf(former);
  if (before === null || before === name) return [];
  const late = lapsedMs !== null && lapsedMs > leaseMs ? ` Nobody watched for about ${span(lapsedMs)}.` : '';
  const reason =
    lapsedMs === null
      ? `${before} was stopped and handed over.`
      : `${before} has not been heard of any more: look after it.${late}`;
  return [{ kind: 'leader', from: before, to: name, reason }];
}

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
    story: (number) => fresh().story(number),
  };
}
