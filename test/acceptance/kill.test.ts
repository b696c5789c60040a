/**
 * The real process, killed with SIGKILL again and again at random instants of a long history: every receiver gets
 * everything, and at most what was in flight at a kill comes twice, under the same id.
 *
 * LINEWATCH_KILLS=300 npx vitest run --config test/vitest.config.ts test/acceptance/kill.test.ts
 */
import { watch, type FSWatcher } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../src/simulator/random.ts';
import type { LinewatchProcess } from '../support/linewatch-process.ts';
import { headerOf } from '../support/mailbox.ts';
import { TRIES_ALL } from '../support/runs.ts';
import { openSite, type CloudEvent, type Site } from '../support/site.ts';

const KILLS = Number(process.env['LINEWATCH_KILLS'] ?? (TRIES_ALL ? 8 : 2));
/** Places that are killed side by side: a process waits for the request limit most of its life. */
const LANES = KILLS < 100 ? 2 : 4;
const SEED = Number(process.env['LINEWATCH_SEED'] ?? 20_260_321);

/** What a receiver has seen of one sending: its identity and the life of the process it arrived in. */
interface Arrival {
  ids: string[];
  life: number;
}

interface Lane {
  site: Site;
  life: number;
  slack: Arrival[];
  mail: Arrival[];
  bus: Arrival[];
  /** Called at every happening, of whatever sort. */
  happened: (what: string) => void;
}

async function openLane(): Promise<Lane> {
  const site = await openSite({
    // Several things must be able to change in one sweep: a start costs more than a change.
    startStory: false,
  });
  site.config['log'] = { level: 'debug', format: 'json' };
  const lane: Lane = { site, life: 0, slack: [], mail: [], bus: [], happened: () => undefined };
  site.slack.react(({ body }) => {
    // Slack is shown no id: what a message is about is in the words it repeats.
    const words = wordsOf(body).join();
    lane.slack.push({ ids: words === '' ? [] : [words], life: lane.life });
    lane.happened('slack');
    return { status: 200, body: 'ok' };
  });
  site.bus.react(({ body }) => {
    lane.bus.push({
      ids: (JSON.parse(body) as CloudEvent[]).map(({ id, data }) => `${id} ${data.reminder}`),
      life: lane.life,
    });
    lane.happened('bus');
    return { status: 200 };
  });
  return lane;
}

/** Each word a provider says in these histories is a number of its own. */
function wordsOf(text: string): string[] {
  return [...new Set(text.match(/\bword-\d+\b/g) ?? [])].toSorted();
}

/** A provider whose every act can be recognised again in what the receivers are told. */
interface Story {
  /** Makes a few changes at once. */
  act: () => void;
  /** Words people must have been told. */
  spoken: string[];
}

function tell(lane: Lane, random: Random): Story {
  const { status } = lane.site.provider.simulator;
  const spoken: string[] = [];
  const open: { id: number; opened: string }[] = [];
  const [first, ...others] = status.documents().components.map(({ id }) => id);
  if (first === undefined) throw new Error('the provider has no components');
  const components = [first, ...others] as const;
  let words = 0;
  const word = (): string => {
    words += 1;
    spoken.push(`word-${words}`);
    return `word-${words}`;
  };
  const arrived = (text: string): boolean => lane.site.bus.taken.some(({ body }) => body.includes(text));

  function openOne(): void {
    const opened = word();
    const affected = [random.pick(components), random.pick(components)];
    const id = status.openNotice({
      subject: `Calls fail, ${opened}`,
      content: `First ${opened}.`,
      components: [...new Set(affected)],
    });
    open.push({ id, opened });
  }

  return {
    spoken,
    act() {
      // One that is told before it is known to be open would be told as news of the past.
      const chosen = open.find(({ opened }) => arrived(opened));
      if (chosen !== undefined && open.length > 3) {
        status.closeNotice(chosen.id, { content: `All is well, ${word()}.` });
        open.splice(open.indexOf(chosen), 1);
      } else openOne();
      // Each in its turn: a message to people shows twenty updates of a notice at most.
      const other = open[random.whole(0, open.length - 1)];
      if (other !== undefined) status.updateNotice(other.id, { content: `Still at it, ${word()}.` });
      for (let renamed = 0; renamed < 8; renamed += 1) {
        words += 1;
        status.renameComponent(random.pick(components), `Line ${words}`);
      }
    },
  };
}

/** Runs the process until the chosen happening and kills it there; null lets it live. */
async function live(lane: Lane, killAfter: number | null, turns: number): Promise<LinewatchProcess> {
  lane.life += 1;
  const watchers: FSWatcher[] = [];
  const counted = Promise.withResolvers<void>();
  let count = 0;
  let process: LinewatchProcess | null = null;
  lane.happened = () => {
    count += 1;
    if (killAfter === null || count < killAfter) return;
    // The receiver's answer is not out yet when this is called on an arrival: that is a message in flight.
    if (turns === 0) process?.signal('SIGKILL');
    counted.resolve();
  };
  process = await lane.site.launch({}, () => lane.happened('log'));
  for (const folder of ['sources', 'receivers', 'instance']) {
    const path = join(lane.site.stateDir, folder);
    const exists = await readdir(path).then(
      () => true,
      () => false,
    );
    // A file being written, put aside or put in place: the instants in the middle of a commit.
    if (exists) watchers.push(watch(path, () => lane.happened('disk')));
  }
  if (killAfter === null) return process;
  await Promise.race([counted.promise, process.ended]);
  for (let index = 0; index < turns; index += 1) await turn();
  process.signal('SIGKILL');
  for (const watcher of watchers) watcher.close();
  expect(await process.ended, process.err()).toMatchObject({ signal: 'SIGKILL' });
  expectStateWhole(process);
  return process;
}

function expectStateWhole(process: LinewatchProcess): void {
  const findings = process.log().filter(({ msg, level }) => msg === 'state' || level === 'fatal');
  expect(findings, process.err()).toEqual([]);
}

/** What arrived twice, and whether every repetition straddles a kill. */
function duplicates(arrivals: readonly Arrival[]): { count: number; kills: Set<number> } {
  const first = new Map<string, Arrival>();
  const kills = new Set<number>();
  let count = 0;
  for (const arrival of arrivals) {
    const again = arrival.ids.flatMap((id) => first.get(id) ?? []);
    const [before] = again;
    for (const id of arrival.ids) first.set(id, arrival);
    if (before === undefined) continue;
    count += 1;
    // The same process never says a thing twice.
    expect(before.life).toBeLessThan(arrival.life);
    // One sending in flight at a kill, and no second one.
    expect(kills.has(before.life), `two sendings of life ${before.life} came again`).toBe(false);
    kills.add(before.life);
  }
  return { count, kills };
}

async function history(
  seed: number,
  kills: number,
): Promise<{ transitions: number; again: Record<string, number>; lives: number }> {
  const random = createRandom(seed);
  await using lane = Object.assign(await openLane(), { [Symbol.asyncDispose]: () => lane.site[Symbol.asyncDispose]() });
  const { site } = lane;
  await live(lane, null, 0).then(async (process) => {
    await Promise.all([site.slack.takes(1), site.mailbox.takes(1), site.event('source.baseline')]);
    process.signal('SIGKILL');
    await process.ended;
  });
  const story = tell(lane, random);
  for (let kill = 0; kill < kills; kill += 1) {
    story.act();
    // Most lives end in the middle of their first sweep, some after a whole one.
    await live(
      lane,
      random.chance(0.3) ? random.whole(70, 120) : random.whole(1, 70),
      random.chance(0.25) ? random.whole(1, 30) : 0,
    );
  }
  const last = await live(lane, null, 0);
  story.act();
  const final = story.spoken.at(-1) ?? '';
  await site.bus.gets(`the last word ${final}`, ({ body }) => body.includes(final));
  await site.round();
  await idle(site);
  expectStateWhole(last);
  last.signal('SIGTERM');
  expect(await last.ended).toMatchObject({ code: 0 });

  for (const mail of site.mailbox.mails) {
    lane.mail.push({ ids: [headerOf(mail, 'message-id') ?? ''], life: Number.NaN });
  }
  const told = {
    slack: site.slack.taken.map(({ body }) => body).join('\n'),
    mail: site.mailbox.mails.map(({ subject, text }) => `${subject} ${text}`).join('\n'),
    bus: site.bus.taken.map(({ body }) => body).join('\n'),
  };
  const missing = Object.entries(told).map(([who, text]) => {
    const heard = new Set(wordsOf(text));
    return { who, never: story.spoken.filter((spoken) => !heard.has(spoken)) };
  });
  expect(missing).toEqual(Object.keys(told).map((who) => ({ who, never: [] })));
  const events = new Map(site.events().map((event) => [event.id, event]));
  expectUnbroken([...events.values()]);
  const mailIds = lane.mail.flatMap(({ ids }) => ids);
  const mailsAgain = mailIds.length - new Set(mailIds).size;
  expect(mailsAgain).toBeLessThanOrEqual(kills + 1);
  // The same words come under the same id.
  const contents = new Set(site.mailbox.mails.map(({ subject, text }) => `${subject} ${wordsOf(text ?? '').join()}`));
  expect(new Set(mailIds).size).toBe(contents.size);
  return {
    transitions: events.size,
    lives: lane.life,
    again: { slack: duplicates(lane.slack).count, mail: mailsAgain, bus: duplicates(lane.bus).count },
  };
}

/** Every change begins where the one before it ended: none is missing and none was made up. */
function expectUnbroken(events: readonly CloudEvent[]): void {
  const states = new Map<string, unknown>();
  for (const { type, subject, data } of events) {
    const kind = type.replace('linewatch.', '');
    if (
      ![
        'page.state',
        'component.state',
        'component.renamed',
        'notice.opened',
        'notice.state',
        'notice.closed',
      ].includes(kind)
    ) {
      continue;
    }
    const key = `${subject} ${kind === 'component.renamed' ? 'name' : 'state'}`;
    if (states.has(key)) expect(data.from, `${kind} ${key}`).toEqual(states.get(key));
    states.set(key, data.to);
  }
}

/** Resolves when nothing waits for any receiver. */
async function idle(site: Site): Promise<void> {
  for (;;) {
    const { out } = await site.command('status', '--json');
    const { deliveries } = JSON.parse(out) as { deliveries: { waiting: number; refused: number }[] };
    if (deliveries.every(({ waiting, refused }) => waiting === 0 && refused === 0)) return;
    await site.round();
  }
}

test(
  `${KILLS} kills lose nothing and corrupt nothing, on three receivers`,
  async () => {
    const share = Math.ceil(KILLS / LANES);
    const runs = await Promise.all(Array.from({ length: LANES }, (_lane, index) => history(SEED + index, share)));
    const transitions = runs.reduce((sum, run) => sum + run.transitions, 0);
    // A long run is made for its figures.
    if (KILLS >= 100) process.stdout.write(`${JSON.stringify({ kills: share * LANES, transitions, runs })}\n`);
    expect(transitions).toBeGreaterThanOrEqual(KILLS >= 300 ? 500 : share * LANES);
  },
  60_000 + KILLS * 8_000,
);
