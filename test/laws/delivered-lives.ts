/**
 * Whole daemons in virtual time: generated histories and weather, and beside them receivers that refuse, hang and
 * ask for patience, have no room for one recipient or no taste for one alert, are taken away and come back; quiet hours,
 * group waits, silences, stops and kills.
 */
import fc from 'fast-check';
import type { Hours } from '../../src/core/text/hours.ts';
import type { Route } from '../../src/core/alert/route.ts';
import type { Alert } from '../../src/core/alert/alert.ts';
import type { Silence } from '../../src/core/alert/silence.ts';
import type { PageStepResult } from '../../src/core/engine/page-kind.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import type { Outcome } from '../../src/receivers/receiver.ts';
import { accountsOf, TOWN } from '../support/paper-accounts.ts';
import {
  type Conduct,
  DELIVERED,
  HOUR,
  MINUTE,
  type PaperDaemon,
  paperDisk,
  paperReceiver,
  type PaperReceiver,
  SECOND,
  START,
  startPaperDaemon,
  transient,
  virtualClock,
} from '../support/paper-daemon.ts';
import { beginPlay, history, type Round, written } from './history.ts';
import { CLEAR, type Weather } from './paper-reader.ts';

const DAY = 24 * HOUR;
const INTERVAL_MS = 20 * MINUTE;
const RECEIVERS = ['slack', 'mail', 'bus', 'pager'] as const;
const FULL = 'boss@example.test';
const MAILBOXES = [FULL, 'ops@example.test', 'night@example.test'];

export const NIGHT: Hours = {
  ranges: [{ days: [1, 2, 3, 4, 5, 6, 7], start: 22 * 60, endDay: 1, end: 7 * 60 }],
  except: [],
  timezone: 'UTC',
};

const MOODS = [
  'takes',
  'refuses',
  'hangs',
  'asks for patience',
  'takes one in three',
  // Every third alert, for as long as it lasts; of mail one mailbox.
  'refuses some',
] as const;
type Mood = (typeof MOODS)[number];
const ENDS = ['none', 'stop', 'kill'] as const;

/** Values for every key that a silence can ask by: the built-in ones, and labels. */
const MUTED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  severity: [['warning'], ['critical', 'info']],
  source: [['provider'], ['acme'], ['*']],
  kind: [['registration.lost'], ['notice.*', 'source.*'], ['*.update', '*.restored', '*.closed', '*.resolved']],
  customer: [['acme'], ['zenith']],
  region: [['north'], ['south', 'east'], ['n*']],
  component: [['Trunks*'], ['SMS']],
  extension: [['101'], ['10?'], ['101', '102', '20*']],
  site: [['Richmond'], ['203.0.113.8']],
};

/** Any keys together, and none: a silence of everything. */
const matchers: fc.Arbitrary<Silence['matchers']> = fc
  .subarray(Object.keys(MUTED), { maxLength: 3 })
  .chain((keys) =>
    fc.record(Object.fromEntries(keys.map((key) => [key, fc.constantFrom(...(MUTED[key] ?? [['*']]))] as const))),
  );

/** A silence that somebody asks for. */
interface Asked {
  matchers: Silence['matchers'];
  lastsMs: number;
  /** Before what happens in the round, after it and before anybody has seen it, or for a time that is to come. */
  asked: 'before' | 'after' | 'for later';
  /** Somebody ends it in the middle of the round. */
  endsEarly: boolean;
}

const PHONES = ['stay', 'stay', 'one goes', 'a site goes', 'all go', 'one returns', 'all return'] as const;

/** What happens beside the provider's own history until the next round. */
export interface Beside {
  moods: Record<(typeof RECEIVERS)[number], Mood>;
  /** How the process ends in this round, if it does, and after how many of its dealings with the outside. */
  end: (typeof ENDS)[number];
  after: number;
  silence: Asked | null;
  /** A receiver that is taken out of the configuration for this round. */
  away: (typeof RECEIVERS)[number] | null;
  /** What the phones of the first account do, and which of them. */
  phones: (typeof PHONES)[number];
  which: number;
}

export interface Story {
  rounds: { round: Round; beside: Beside }[];
  groupWait: number;
  quiet: 'none' | 'but for critical' | 'wholly';
  repeatMs: number | null;
}

const mood = fc.constantFrom<Mood>('takes', 'takes', ...MOODS);
const rest = fc.constantFrom(MINUTE, INTERVAL_MS, INTERVAL_MS, 3 * HOUR, 9 * HOUR);

export function storyOf(weather: fc.Arbitrary<Weather>, beside: fc.Arbitrary<Beside>): fc.Arbitrary<Story> {
  return fc.record({
    rounds: fc.array(
      fc
        .tuple(history(weather), rest, beside)
        .map(([[round], afterMs, next]) => ({ round: { ...(round as Round), afterMs }, beside: next })),
      { minLength: 1, maxLength: 10, size: 'max' },
    ),
    groupWait: fc.constantFrom(0, 10 * SECOND, 30 * MINUTE),
    quiet: fc.constantFrom('none' as const, 'but for critical' as const, 'wholly' as const),
    repeatMs: fc.constantFrom(null, 4 * HOUR),
  });
}

const asked: fc.Arbitrary<Asked> = fc.record({
  matchers,
  lastsMs: fc.constantFrom(30 * MINUTE, 5 * HOUR),
  asked: fc.constantFrom('before' as const, 'after' as const, 'for later' as const),
  endsEarly: fc.boolean(),
});

export function besides({
  ends,
  moods,
  silences,
}: {
  ends: boolean;
  moods: boolean;
  silences: boolean;
}): fc.Arbitrary<Beside> {
  const one = moods ? mood : fc.constant<Mood>('takes');
  return fc.record({
    moods: fc.record({ slack: one, mail: one, bus: one, pager: one }),
    away: ends ? fc.constantFrom(null, null, null, null, ...RECEIVERS) : fc.constant(null),
    end: ends ? fc.constantFrom<Beside['end']>('none', ...ENDS) : fc.constant<Beside['end']>('none'),
    after: fc.nat(40),
    phones: fc.constantFrom(...PHONES),
    which: fc.nat(9),
    silence: silences ? fc.option(asked, { freq: 2 }) : fc.constant(null),
  });
}

export function writtenStory({ rounds, ...settings }: Story): string {
  const lines = rounds.map(({ round, beside: { moods, end, after, silence, away, phones, which } }) => {
    const bad = Object.entries(moods).filter(([, one]) => one !== 'takes');
    const ended = end === 'none' ? [] : [end === 'kill' ? `killed after ${after}` : 'stopped'];
    const moved = phones === 'stay' ? [] : [`phones: ${phones} (${which})`];
    const left = away === null ? [] : [`${away} is away`];
    const silenced = silence === null ? [] : [`silence ${JSON.stringify(silence)}`];
    return (
      written([round]) +
      [...bad.map((one) => one.join(' ')), ...left, ...ended, ...silenced, ...moved].map((each) => `; ${each}`).join('')
    );
  });
  return `\n  ${JSON.stringify(settings)}${lines.join('')}`;
}

function conductOf(name: (typeof RECEIVERS)[number], chosen: Mood): Conduct {
  let calls = 0;
  return (messages, _at, only) => {
    calls += 1;
    switch (chosen) {
      case 'takes':
        return DELIVERED;
      case 'refuses':
        return transient('it is down');
      case 'hangs':
        return 'hang';
      case 'asks for patience':
        return transient('too many', 10 * MINUTE);
      case 'takes one in three':
        return calls % 3 === 0 ? DELIVERED : transient('busy');
      case 'refuses some':
        return name === 'mail' ? withoutRoom(only ?? MAILBOXES) : refusingSome(messages);
      default:
        return chosen satisfies never;
    }
  };
}

function refusingSome(messages: readonly Message[]): Outcome {
  return messages.some(({ alert }) => (alert.number ?? 1) % 3 === 0)
    ? transient('it has trouble of its own')
    : DELIVERED;
}

function withoutRoom(sentTo: readonly string[]): Outcome {
  const remaining = sentTo.filter((recipient) => recipient === FULL);
  const full: Outcome = {
    kind: 'transient',
    code: 'server',
    reason: 'the mailbox is full',
    retryAfterMs: null,
    remaining,
  };
  return remaining.length === 0 ? DELIVERED : full;
}

function gone(extensions: ReadonlySet<string>, { phones, which }: Beside): Set<string> {
  const all = TOWN.filter(({ account }) => account === 'acme');
  const chosen = all[which % all.length];
  const extensionsOf = (some: typeof all): string[] => some.map(({ extension }) => extension);
  switch (phones) {
    case 'one goes':
      return new Set([...extensions, ...extensionsOf(all.filter((phone) => phone === chosen))]);
    case 'a site goes':
      return new Set([...extensions, ...extensionsOf(all.filter(({ address }) => address === chosen?.address))]);
    case 'all go':
      return new Set(extensionsOf(all));
    case 'one returns':
      return new Set([...extensions].filter((extension) => extension !== chosen?.extension));
    case 'all return':
      return new Set();
    case 'stay':
      return new Set(extensions);
    default:
      return phones satisfies never;
  }
}

interface Ended {
  receivers: Record<(typeof RECEIVERS)[number], PaperReceiver>;
  /** What was told or recorded, in order, each once. */
  entered: PageStepResult['entered'];
  waiting: number;
  /** Of both pages and of Linewatch itself, as they stand at the end. */
  alerts: readonly Pick<Alert, 'id' | 'number' | 'status'>[];
}

function routeOf({ groupWait, quiet, repeatMs }: Story): Partial<Route> {
  return {
    groupWait,
    repeatInterval: repeatMs,
    quietHours: quiet === 'none' ? null : { hours: NIGHT, letThrough: quiet === 'wholly' ? null : 'critical' },
  };
}

/** `looked` sees the process at rest: nothing can happen until time passes. */
export async function live(
  story: Story,
  looked: (process: PaperDaemon, now: number) => void = () => undefined,
): Promise<Ended> {
  let clock = virtualClock(START);
  let weather = CLEAR;
  let life = 0;
  /** Dealings with the outside until the process is killed; null while nobody means to. */
  let dealings: number | null = null;
  let killed = Promise.withResolvers<void>();
  const game = beginPlay({ now: () => clock.now(), advance: (ms) => clock.advance(ms) });
  let lost: ReadonlySet<string> = new Set();
  const quiet = beginPlay({ now: () => clock.now(), advance: () => undefined });
  const disk = paperDisk();
  const receivers = {
    slack: paperReceiver('slack', 'people'),
    mail: { ...paperReceiver('mail', 'people'), recipients: MAILBOXES },
    bus: paperReceiver('bus', 'programs'),
    pager: { ...paperReceiver('pager', 'people'), ringsUntilTheEnd: true },
  };
  let away: Beside['away'] = null;
  const entered = new Map<string, PageStepResult['entered'][number]>();

  function start(): Promise<PaperDaemon> {
    life += 1;
    const own = life;
    return startPaperDaemon({
      source: game.world,
      // Where nothing ever happens but the weather.
      others: { second: quiet.world },
      receivers: Object.values(receivers).filter(({ name }) => name !== away),
      clock,
      disk,
      intervalMs: INTERVAL_MS,
      weather: () => weather,
      route: routeOf(story),
      pass() {
        if (own !== life) return new Promise<never>(() => undefined);
        if (dealings === null) return undefined;
        dealings -= 1;
        if (dealings > 0) return undefined;
        life += 1;
        killed.resolve();
        return new Promise<never>(() => undefined);
      },
      options: {
        accounts: accountsOf(() => lost, INTERVAL_MS),
        observer: {
          entered: (_source, all) => {
            for (const one of all) entered.set(one.transition.id, one);
          },
        },
      },
    });
  }

  let process = await start();

  async function until(end: number): Promise<void> {
    const born = life;
    await Promise.race([process.pass(end - clock.now()), killed.promise]);
    if (life === born) {
      looked(process, clock.now());
      return;
    }
    dealings = null;
    killed = Promise.withResolvers();
    clock = virtualClock(clock.now());
    process = await start();
    if (clock.now() < end) await until(end);
  }

  async function restart(): Promise<void> {
    const stopped = process.stop();
    // A receiver that hangs gets its grace.
    await process.pass(20 * SECOND);
    await stopped;
    clock = virtualClock(clock.now());
    process = await start();
  }

  async function mute({ matchers, lastsMs, asked: when }: Asked): Promise<void> {
    const createdAt = clock.now();
    const from = when === 'for later' ? createdAt + 30 * MINUTE : createdAt;
    const silence = { id: `silence ${createdAt}`, matchers, from, until: from + lastsMs };
    await process.daemon.own.happened({
      kind: 'silence',
      silence: { ...silence, comment: '', createdAt, expiredAt: null },
    });
  }

  /** Where somebody ends the silences early, in the middle of it. */
  async function passRound(afterMs: number, endsEarly: boolean): Promise<void> {
    const end = clock.now() + afterMs;
    await until(clock.now() + afterMs / 2);
    if (endsEarly) {
      for (const { id } of process.daemon.own.state.silences) {
        await process.daemon.own.happened({ kind: 'silence expired', id });
      }
    }
    await until(end);
  }

  await until(START + MINUTE);
  for (const { round, beside } of story.rounds) {
    weather = round.weather;
    lost = gone(lost, beside);
    for (const name of RECEIVERS) receivers[name].conduct = conductOf(name, beside.moods[name]);
    if (beside.away !== null) {
      ({ away } = beside);
      await restart();
    }
    const { silence } = beside;
    if (silence !== null && silence.asked !== 'after') await mute(silence);
    for (const move of round.moves) {
      game.make(move);
      await process.settle();
    }
    if (silence?.asked === 'after') await mute(silence);
    if (beside.end === 'kill') dealings = beside.after + 1;
    await passRound(round.afterMs, silence?.endsEarly ?? false);
    dealings = null;
    if (beside.end !== 'stop' && away === null) continue;
    away = null;
    await restart();
  }
  weather = CLEAR;
  for (const name of RECEIVERS) receivers[name].conduct = () => DELIVERED;
  // Past the longest rest and the longest silence, to a noon: the night is over and no other has begun.
  await until(Math.ceil((clock.now() + 6 * HOUR) / DAY) * DAY + 12 * HOUR);
  const { daemon } = process;
  return {
    receivers,
    entered: [...entered.values()],
    waiting: daemon.deliveries.reduce((sum, delivery) => sum + delivery.waiting().length, 0),
    alerts: [...daemon.sources, ...daemon.accounts, daemon.own].flatMap(({ state }) => state.alerts),
  };
}
