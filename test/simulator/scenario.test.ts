import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startProvider } from '../../src/simulator/embedded-provider.ts';
import { loadScenario, runScenario } from '../../src/simulator/scenario/run-scenario.ts';
import { readScenario } from '../../src/simulator/scenario/scenario.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import { manualTime } from './support/manual-time.ts';

const DEMO = fileURLToPath(new URL('../../config/scenarios/demo.yaml', import.meta.url));

function noticeStates(of: Simulator): string[] {
  return of.status.documents().notices.map(({ subject, state }) => `${subject}: ${state}`);
}

const SHORT = `
name: Short
world:
  components: [{name: SMS}]
steps:
  - at: 2s
    close_notice: {notice: outage}
  - at: 1s
    open_notice: {ref: outage, subject: Down, components: [SMS]}
`;

describe('telling a story', () => {
  test('each step comes at its time, in the order of the times', async () => {
    const time = manualTime();
    const scenario = readScenario(SHORT, 'short.yaml');
    const provider = createSimulator({ ...scenario.world, ...time });
    const run = runScenario(provider, scenario);
    run.start();
    time.pass(999);
    expect(noticeStates(provider)).toEqual([]);
    time.pass(1);
    expect(noticeStates(provider)).toEqual(['Down: investigating']);
    expect(run.progress()).toEqual({
      scenario: 'Short',
      performed: 1,
      steps: 2,
      next: { at_ms: 2000, action: 'close_notice', note: null },
    });
    time.pass(1000);
    expect(noticeStates(provider)).toEqual(['Down: resolved']);
    await run.done;
  });

  test('step by step when asked, without any time passing', () => {
    const scenario = readScenario(SHORT, 'short.yaml');
    const provider = createSimulator({ ...scenario.world, ...manualTime() });
    const run = runScenario(provider, scenario);
    expect([run.advance(), run.advance(), run.advance()]).toEqual([true, true, false]);
    expect(noticeStates(provider)).toEqual(['Down: resolved']);
  });

  test('a stopped story goes no further', async () => {
    const time = manualTime();
    const scenario = readScenario(SHORT, 'short.yaml');
    const provider = createSimulator({ ...scenario.world, ...time });
    const run = runScenario(provider, scenario);
    run.start();
    run.stop();
    await run.done;
    run.start();
    time.pass(10_000);
    expect(noticeStates(provider)).toEqual([]);
  });

  test('a step that cannot be done ends it, naming its place', async () => {
    const time = manualTime();
    const scenario = readScenario(
      'name: N\nsteps:\n  - at: 0s\n    component_state: {component: Fax, state: degraded}\n',
      'n.yaml',
    );
    const run = runScenario(createSimulator({ ...time }), scenario);
    run.start();
    time.pass(1);
    await expect(run.done).rejects.toThrow('n.yaml:4:22: component_state: There is no component "Fax".');
  });
});

describe('loading a file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scenario-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('rehearses it: a name that does not exist at that moment is told at once', async () => {
    const file = join(folder, 'story.yaml');
    await writeFile(file, `${SHORT}  - at: 3s\n    component_state: {component: Fax, state: degraded}\n`);
    expect(() => loadScenario(file)).toThrow(`${file}:11:22: component_state: There is no component "Fax".`);
    await writeFile(file, 'name: N\nworld: {components: [{name: A, id: 1}, {name: B, id: 1}]}\nsteps: []\n');
    expect(() => loadScenario(file)).toThrow(`${file}: world: Component 1 exists already.`);
    await writeFile(file, SHORT);
    expect(loadScenario(file)).toMatchObject({ name: 'Short', steps: [{ at: 1000 }, { at: 2000 }] });
  });
});

describe('the night of the demonstration', () => {
  test('is over within three quarters of an hour, but for one site that is dead', async () => {
    const time = manualTime();
    const scenario = loadScenario(DEMO);
    const provider = await startProvider({ scenario, ...time });
    try {
      expect(provider.simulator.status.documents().components).toHaveLength(12);
      const { world } = provider.simulator.accounts.account('head-office');
      const phones = (): number => world.phones.registrations('UTC').size;
      const before = phones();
      time.pass(14 * 60_000);
      expect(phones()).toBeLessThan(before - 10);
      const during = provider.simulator.status.documents();
      expect(during.page.state).toBe('degraded');
      expect(during.components.filter(({ state }) => state === 'degraded').map(({ name }) => name)).toEqual([
        'SIP Trunks',
        'SIP Trunks – Melbourne',
        'Hosted PBX',
        'Registrations',
        'Call Queues',
      ]);
      expect(during.components.find(({ name }) => name === 'Account API')?.state).toBe('under_maintenance');
      time.pass(16 * 60_000);
      expect(phones()).toBe(before);
      time.pass(15 * 60_000);
      await provider.story?.done;
      const dead = new Set(
        [...world.phones.registrations('UTC').values()].flatMap((rows) => rows.map((row) => row.external_ipaddress)),
      );
      expect([...dead].toSorted()).toEqual(['198.51.100.24', '203.0.113.7']);
      expect(noticeStates(provider.simulator)).toEqual([
        'Inbound calls failing and phones deregistering: resolved',
        'Customer Portal database upgrade: complete',
      ]);
      expect(provider.simulator.status.documents().page.state).toBe('operational');
      const answer = await fetch(`${provider.statusUrl}/api/v1/status`);
      expect(await answer.json()).toMatchObject({ page: { name: 'Southern Cross Voice' } });
    } finally {
      await provider.close();
    }
  });
});

test('accounts have the sites that a scenario gives them, each seen from its own address', () => {
  const { world } = readScenario(
    'name: N\nworld: {accounts: [{name: acme, sites: [{name: Kew, address: 192.0.2.1}, {name: Colac, address: 192.0.2.2}]}]}\nsteps: []\n',
    'n.yaml',
  );
  const { sites, phones } = createSimulator(world).accounts.account('acme').world;
  expect(sites.map(({ name, externalAddress }) => [name, externalAddress])).toEqual([
    ['Kew', '192.0.2.1'],
    ['Colac', '192.0.2.2'],
  ]);
  expect(phones.lose({ site: 'Colac' })).toBeGreaterThan(5);
});

test.each([
  ['name: N\nsteps: [\n', 'f.yaml:3:1:'],
  [
    'name: N\nsteps:\n  - at: soon\n    touch: {}\n',
    'f.yaml:3:9: steps.0.at: "soon" is not a duration such as 500ms, 5s or 2h',
  ],
  ['name: N\nsteps:\n  - at: 1s\n', 'f.yaml:3:5: a step is one action; this one has none.'],
  ['name: N\nsteps:\n  - at: 1s\n    touch: {}\n    reorder: {}\n', 'this one has 2'],
  [
    'name: N\nsteps:\n  - at: 1s\n    open_notices: {}\n',
    'f.yaml:4:19: There is no action "open_notices"; there are open_notice,',
  ],
  ['name: N\nsteps:\n  - at: 1s\n    open_notice: {components: [SMS]}\n', 'f.yaml:4:18: steps.0.open_notice.subject:'],
  [
    'name: N\nsteps:\n  - at: 1s\n    inject: {fault: {kind: delay, ms: fast}}\n',
    'f.yaml:4:39: steps.0.inject.fault.ms:',
  ],
  ['name: N\nworlds: {}\nsteps: []\n', 'Unrecognized key: "worlds"'],
])('a mistake is named with its place: %j', (text, sentence) => {
  expect(() => readScenario(text, 'f.yaml')).toThrow(sentence);
});
