/** The laws for every type of page: random histories of the provider's world, shown as each vendor shows them, in any weather. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadPageType, PAGE_TYPE_NAMES, type VendorTypeName } from '../../src/pages/types.ts';
import { standIn, vendorWatch, type PaperAnswer, type VendorWatch } from '../pages/vendor-watch.ts';
import { breach, TRIES_ALL } from '../support/runs.ts';
import { anyMove, beginPlay, HOUR, MINUTE, SECOND, START, type Move, type Play } from './history.ts';
import { createJudge } from './vendor-laws.ts';

const TYPES = PAGE_TYPE_NAMES.filter((name): name is VendorTypeName => name !== 'provider');
/** For each type; all types together have many even in part. */
const HISTORIES = TRIES_ALL ? 150 : 50;
const LONG = { timeout: 3_600_000 };

const FAULTS = {
  timeout: () => ({ status: 0 }),
  failure: () => ({ status: 503 }),
  missing: () => ({ status: 404 }),
  html: () => ({ body: '<!doctype html><title>Status</title>', type: 'text/html' }),
  truncated: (answer) => cutOff(answer),
  object: () => ({ json: {} }),
  list: () => ({ json: [{ unknown: true }] }),
  text: () => ({ json: 'Service temporarily unavailable' }),
  junk: (answer) => ('json' in answer ? { json: withJunk(answer.json) } : answer),
} satisfies Record<string, (answer: PaperAnswer) => PaperAnswer>;
type Fault = keyof typeof FAULTS | 'clear';

function cutOff(answer: PaperAnswer): PaperAnswer {
  if ('status' in answer) return answer;
  const [body, type] =
    'body' in answer
      ? [answer.body, answer.type]
      : [JSON.stringify('value' in answer ? answer.value : answer.json), 'application/json'];
  return { body: body.slice(0, body.length / 2), type };
}

/** In place of the first row of each list something that is none. */
function withJunk(value: unknown, depth = 0): unknown {
  if (depth > 3 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((row: unknown, index) => (index === 0 ? null : row));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withJunk(each, depth + 1)]));
}

/** What is off at look after look is believed by design: here it does not last. */
function neverLasting(rounds: readonly Round[]): Round[] {
  const honest = (fault: Fault): Fault => (fault === 'junk' || fault === 'missing' ? 'clear' : fault);
  return rounds.map((round, index) =>
    index % 3 === 0 ? round : { ...round, first: honest(round.first), later: honest(round.later) },
  );
}

interface Round {
  moves: Move[];
  afterMs: number;
  /** Of the first request of the look, and of those after it. */
  first: Fault;
  later: Fault;
  restart: boolean;
}

/** Two looks in three are good ones: what takes several of them in a row has to come about, too. */
const GOOD = Array.from({ length: 2 * Object.keys(FAULTS).length }, (): Fault => 'clear');
const fault = fc.constantFrom<Fault>(...(Object.keys(FAULTS) as Fault[]), ...GOOD);
const histories: fc.Arbitrary<Round[]> = fc.array(
  fc.record({
    moves: fc.array(anyMove, { maxLength: 4 }),
    afterMs: fc.constantFrom(MINUTE, MINUTE, MINUTE, 30 * SECOND, 5 * MINUTE, 16 * MINUTE, 26 * HOUR, 8 * 24 * HOUR),
    first: fault,
    later: fault,
    restart: fc.constantFrom(false, false, false, true),
  }),
  { minLength: 1, maxLength: 25, size: 'max' },
);

function written(rounds: readonly Round[]): string {
  return rounds
    .map(({ moves, afterMs, first, later, restart }) => {
      const made = moves.map(({ kind, which, other }) => `${kind} ${which} ${other}`).join(', ');
      return `\n  ${restart ? 'restart; ' : ''}${made}; after ${afterMs / SECOND} s; ${first}, ${later}`;
    })
    .join('');
}

interface Vendor {
  page: VendorWatch;
  game: Play;
  weather: { first: Fault; later: Fault };
}

async function begun(type: VendorTypeName): Promise<Vendor> {
  const weather: Vendor['weather'] = { first: 'clear', later: 'clear' };
  let answer: (path: string) => PaperAnswer | undefined = () => undefined;
  const page: VendorWatch = await vendorWatch(
    type,
    (path) => {
      const real = answer(path);
      const due = page.asked.length === 1 ? weather.first : weather.later;
      return real === undefined || due === 'clear' ? real : FAULTS[due](real);
    },
    { base: standIn(type, { documents: () => game.world.documents() }).base, start: START },
  );
  const game = beginPlay({ now: page.now, advance: page.pass });
  ({ answer } = standIn(type, game.world));
  return { page, game, weather };
}

/** A look at the world as it is; true where nothing was lacking. */
async function look({ page, weather }: Vendor, { first, later, afterMs }: Omit<Round, 'moves' | 'restart'>) {
  Object.assign(weather, { first, later });
  await page.look(afterMs);
  return first === 'clear' && (later === 'clear' || page.asked.length === 1);
}

const CLEAR = { first: 'clear', later: 'clear' } as const;

describe.each(TYPES)('%s', (type) => {
  it('tells no all-clear that is none, loses nothing, and sees the truth, in any weather', LONG, async () => {
    const { limits } = await loadPageType(type);
    const law = async (rounds: readonly Round[]): Promise<void> => {
      const vendor = await begun(type);
      const { page, game } = vendor;
      const judge = createJudge(type, limits, page, game.world);
      judge.afterLook(await look(vendor, { ...CLEAR, afterMs: MINUTE }));
      for (const round of rounds) {
        if (round.restart) page.restart();
        for (const move of round.moves) game.make(move);
        judge.afterLook(await look(vendor, round));
      }
      for (let quiet = 0; quiet < 4; quiet += 1) {
        judge.afterLook(await look(vendor, { ...CLEAR, afterMs: 11 * MINUTE }));
      }
      judge.atTheEnd();
    };
    expect(await breach(histories.map(neverLasting), law, HISTORIES, written)).toBeNull();
  });
});
