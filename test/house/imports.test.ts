/**
 * Data flows one way, the core is pure, side effects live at the edges. These rules keep it so; a new room or a new
 * package in a room is a decision, and is written here.
 */
import { describe, expect, it } from 'vitest';
import { packageOf, roomOf, sourceFiles, type Import, type SourceFile } from './source-files.ts';

/** The rooms of the core from the bottom up: each may use the ones below it, and none above or beside it. */
const PURE_RANK: Readonly<Record<string, number>> = {
  'core/text': 0,
  'core/transition': 1,
  'core/observation': 2,
  'core/calls': 2.5,
  'core/page': 3,
  'core/account': 3,
  'core/alert': 4,
  'core/correlation': 4.5,
  'core/outbox': 5,
  'core/history': 6,
  'core/engine': 7,
  'core/wording': 8,
  'core/view': 10,
  'core/report': 9,
};

/** The rooms of the daemon from the bottom up, by the same rule. */
const DAEMON_RANK: Readonly<Record<string, number>> = {
  common: 0,
  calls: 1,
  recording: 1,
  rotas: 1,
  delivery: 2,
  replay: 2,
  loop: 3,
  status: 4,
  requests: 5,
  setup: 5,
  members: 6,
};

/** Packages without effects: every room may use them, the pure ones too. */
const PURE_PACKAGES: readonly string[] = ['@noble/hashes'];

/** Schemas of the core, from which its types follow; its other files import those types only. */
const SCHEMA = /-schema\.ts$/;

/** What each edge may bring in: Node.js modules, packages. The edge is where a package's name may be known. */
const EDGES: Readonly<Record<string, readonly string[]>> = {
  build: ['node:*', 'esbuild'],
  config: ['node:*', 'yaml', 'zod'],
  control: ['node:*'],
  history: ['node:*'],
  net: ['node:*', 'got', 'zod'],
  pages: ['fast-xml-parser'],
  // Node.js for the map from the bundle back to the source.
  log: ['node:*', 'pino', 'pino-pretty'],
  provider: ['node:*', 'bottleneck', 'got', 'zod'],
  receivers: ['node:*', '@slack/types', '@slack/webhook', 'got', 'hono', 'ical-generator', 'nodemailer'],
  simulator: ['node:*', '@hono/node-server', 'hono', 'yaml', 'zod'],
  store: ['node:*', 'lowdb', 'pg'],
  web: ['node:*', '@hono/node-server', 'hono', 'ical-generator', 'prom-client', 'zod'],
};

/** These wire the others and may import whatever they need. */
const WIRING: readonly string[] = ['cli', 'daemon', 'index.ts', 'main.ts'];

/** Doors that one edge may use of another. */
const DOORS: readonly { from: string; to: RegExp; typeOnly: boolean }[] = [
  // The simulator answers the very operations the client asks: both are derived from the same rows.
  { from: 'simulator', to: /^provider\/(catalogue\/.*|operation|field-kinds)\.ts$/, typeOnly: false },
  // Other vendors' pages are asked as the provider's is: the same limits, bounds and failures.
  {
    from: 'pages',
    to: /^provider\/(collection|errors|http|json-body|limiter|transport|observe|reply|status-client|status-rows)\.ts$/,
    typeOnly: false,
  },
  // The types of pages are named by their folders, once.
  { from: 'config', to: /^pages\/types\.ts$/, typeOnly: false },
  // The form of a preset is that of the receiver that speaks by it.
  { from: 'config', to: /^receivers\/(receiver|http\/(facts|preset|template))\.ts$/, typeOnly: false },
  // Each of them has its stand-in.
  { from: 'simulator', to: /^pages\/types\.ts$/, typeOnly: true },
  // The ground of the edges: what several of them must judge alike.
  { from: '*', to: /^net\//, typeOnly: false },
  // A package has the version of the program, and brings the manual page and the completion of the commands it holds.
  { from: 'build', to: /^\.\.\/package\.json$/, typeOnly: false },
  {
    from: 'build',
    to: /^cli\/(help\/(command-tree|completion|man-page|config-man-page)|completion\/places|registry)\.ts$/,
    typeOnly: false,
  },
  // The words by which a log's level and format are set belong to the log.
  { from: 'config', to: /^log\/log\.ts$/, typeOnly: false },
  // What a log is; the lines themselves are written by whoever was given one.
  { from: '*', to: /^log\/log\.ts$/, typeOnly: true },
];

const files = sourceFiles('src');

/** True unless both files are the daemon's and the imported one is in a room beside or above. */
function isBelowInDaemon(path: string, target: string): boolean {
  const [from, to] = [path, target].map((each) => /^daemon\/(\w+)\//.exec(each)?.[1]);
  if (from === undefined || to === undefined || from === to) return true;
  return (DAEMON_RANK[to] ?? Infinity) < (DAEMON_RANK[from] ?? -Infinity);
}

function isAllowed(file: SourceFile, wanted: Import): boolean {
  if (wanted.isOwn && !isBelowInDaemon(file.path, wanted.target)) return false;
  if (WIRING.includes(file.room)) return true;
  const rank = PURE_RANK[file.room];
  if (!wanted.isOwn) {
    if (rank !== undefined) {
      return [...PURE_PACKAGES, ...(SCHEMA.test(file.path) ? ['zod'] : [])].includes(packageOf(wanted.target));
    }
    const allowed = [...PURE_PACKAGES, ...(EDGES[file.room] ?? [])];
    return allowed.includes(wanted.target.startsWith('node:') ? 'node:*' : packageOf(wanted.target));
  }
  const target = roomOf(wanted.target);
  if (rank !== undefined && SCHEMA.test(wanted.target) && !SCHEMA.test(file.path) && !wanted.typeOnly) return false;
  if (target === file.room) return true;
  const targetRank = PURE_RANK[target];
  if (rank !== undefined) return targetRank !== undefined && targetRank < rank;
  return (
    targetRank !== undefined ||
    DOORS.some(
      (door) =>
        (door.from === '*' || door.from === file.room) &&
        door.to.test(wanted.target) &&
        (!door.typeOnly || wanted.typeOnly),
    )
  );
}

describe('the import rule', () => {
  it('reads the imports it judges', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.find(({ path }) => path === 'core/outbox/message.ts')?.imports).toEqual([
      { target: 'core/alert/alert.ts', isOwn: true, typeOnly: true },
      { target: 'core/correlation/alert-facts.ts', isOwn: true, typeOnly: true },
      { target: 'core/alert/shared-alert.ts', isOwn: true, typeOnly: true },
      { target: 'core/alert/source-outage.ts', isOwn: true, typeOnly: true },
      { target: 'core/transition/transition.ts', isOwn: true, typeOnly: false },
    ]);
  });

  it('knows every room', () => {
    const known = new Set([...Object.keys(PURE_RANK), ...Object.keys(EDGES), ...WIRING]);
    expect([...new Set(files.map(({ room }) => room))].filter((room) => !known.has(room))).toEqual([]);
    const inDaemon = files.filter(({ room }) => room === 'daemon').map(({ path }) => path.split('/')[1] ?? '');
    expect([...new Set(inDaemon)].filter((room) => !(room in DAEMON_RANK))).toEqual([]);
  });

  it('holds everywhere: pure rooms below pure rooms, edges apart', () => {
    const broken = files.flatMap((file) =>
      file.imports
        .filter((wanted) => !isAllowed(file, wanted))
        .map(({ target }) => `src/${file.path} imports ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it.each([
    ['core/page/x.ts', { target: 'node:fs', isOwn: false, typeOnly: true }],
    ['core/alert/x.ts', { target: 'provider/http.ts', isOwn: true, typeOnly: true }],
    ['core/account/x.ts', { target: 'core/page/page-model.ts', isOwn: true, typeOnly: false }],
    ['core/outbox/x.ts', { target: 'got', isOwn: false, typeOnly: false }],
    ['core/view/x.ts', { target: 'zod', isOwn: false, typeOnly: true }],
    ['core/view/x.ts', { target: 'core/view/status-schema.ts', isOwn: true, typeOnly: false }],
    ['web/x.ts', { target: 'store/x.ts', isOwn: true, typeOnly: false }],
    ['web/x.ts', { target: 'log/open-log.ts', isOwn: true, typeOnly: true }],
    ['store/x.ts', { target: 'log/log.ts', isOwn: true, typeOnly: false }],
    ['simulator/x.ts', { target: 'provider/http.ts', isOwn: true, typeOnly: false }],
    ['core/outbox/x.ts', { target: 'net/loopback.ts', isOwn: true, typeOnly: false }],
    ['net/x.ts', { target: 'provider/http.ts', isOwn: true, typeOnly: false }],
    ['log/x.ts', { target: 'got', isOwn: false, typeOnly: false }],
    ['daemon/delivery/x.ts', { target: 'daemon/loop/options.ts', isOwn: true, typeOnly: true }],
    ['daemon/calls/x.ts', { target: 'daemon/rotas/x.ts', isOwn: true, typeOnly: false }],
  ] satisfies [string, Import][])('would notice %s importing %j', (path, wanted) => {
    expect(isAllowed({ path, room: roomOf(path), text: '', code: '', imports: [] }, wanted)).toBe(false);
  });
});

/** Rooms of the daemon are rooms of their own here. */
function shownRoomOf(path: string): string {
  return roomOf(path.replace(/^daemon\/(\w+)\//, 'daemon-$1/'));
}

/** Files that only their own room imports: what the room does not show to others. */
function privateFiles(all: readonly Pick<SourceFile, 'path' | 'imports'>[]): Set<string> {
  const shown = new Set(
    all.flatMap(({ path, imports }) =>
      imports.flatMap(({ target }) => (shownRoomOf(target) === shownRoomOf(path) ? [] : [target])),
    ),
  );
  return new Set(all.flatMap(({ path }) => (shown.has(path) ? [] : [path])));
}

describe('tests', () => {
  it('use what a room shows to other rooms, all but 140 files', () => {
    const hidden = privateFiles(files);
    const inside = sourceFiles('test').filter(
      ({ path, imports }) =>
        path.endsWith('.test.ts') && imports.some(({ target }) => hidden.has(target.replace(/^\.\.\/src\//, ''))),
    );
    expect(inside.length).toBeLessThanOrEqual(140);
  });

  it('see a room whose file is shown, and one that keeps it', () => {
    const of = (path: string, ...targets: string[]) => ({
      path,
      imports: targets.map((target) => ({ target, isOwn: true, typeOnly: false })),
    });
    const all = [of('web/a.ts', 'web/b.ts'), of('web/b.ts'), of('daemon/loop/c.ts', 'web/a.ts', 'daemon/status/d.ts')];
    expect([...privateFiles([...all, of('daemon/status/d.ts')])]).toEqual(['web/b.ts', 'daemon/loop/c.ts']);
  });
});

describe('imports', () => {
  it('go round in no circle, those of types included', () => {
    expect(circlesOf(new Map(files.map(({ path, imports }) => [path, imports.map(({ target }) => target)])))).toEqual(
      [],
    );
  });

  it('would be seen to go round in one', () => {
    const around = new Map([
      ['a.ts', ['b.ts']],
      ['b.ts', ['c.ts', 'd.ts']],
      ['c.ts', ['a.ts']],
      ['d.ts', []],
    ]);
    expect(circlesOf(around)).toEqual([['a.ts', 'b.ts', 'c.ts']]);
  });
});

/** Files that reach themselves again, a list for each circle: what is left when whatever leads nowhere is taken away. */
function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const reachable = (from: string): Set<string> => {
    const found = new Set<string>();
    const open = [from];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const target of imports.get(next) ?? []) {
        if (found.has(target) || !imports.has(target)) continue;
        found.add(target);
        open.push(target);
      }
    }
    return found;
  };
  const reached = new Map([...imports.keys()].map((path) => [path, reachable(path)]));
  const round = [...imports.keys()].filter((path) => reached.get(path)?.has(path) === true);
  const circles = round.map((path) =>
    round.filter((other) => reached.get(path)?.has(other) === true && reached.get(other)?.has(path) === true),
  );
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()];
}

describe('time, randomness and the process', () => {
  it('are known as globals to main.ts alone', () => {
    const readers = files
      .filter(({ path, room }) => path !== 'main.ts' && room !== 'build')
      .filter(
        ({ code, imports }) =>
          /(?<![.\w])process\.\w/.test(code) || imports.some(({ target }) => target === 'node:process'),
      );
    expect(readers.map(({ path }) => path)).toEqual([]);
  });

  it('reach the pure rooms only as arguments', () => {
    const effects =
      /\b(Date\.now\(|new Date\(\)|Math\.random\(|Temporal\.Now|performance\.|setTimeout\(|setInterval\(|fetch\(|console\.|crypto\.)/;
    const impure = files.filter(({ room, code }) => room in PURE_RANK && effects.test(code));
    expect(impure.map(({ path, code }) => `${path}: ${effects.exec(code)?.[0]}`)).toEqual([]);
  });
});
