import { Command as Commander } from 'commander';
import { describe, expect, it } from 'vitest';
import {
  choice,
  type SingleCommand,
  type CommandCall,
  defineCommand,
  type FamilyCall,
  flag,
  integer,
  type OptionTable,
  text,
  texts,
  UsageError,
} from '../../src/cli/command.ts';
import { findCommandEntry, runCommand } from '../../src/cli/program.ts';
import { COMMANDS, GROUPS, type CommandEntry } from '../../src/cli/registry.ts';
import { DiskError } from '../../src/store/disk.ts';
import { StateInUse } from '../../src/store/lock.ts';
import { fakePlatform } from '../support/platform.ts';

const calls: CommandCall<OptionTable>[] = [];

function recording(extra: Partial<SingleCommand> = {}): SingleCommand {
  const definition = defineCommand({
    description: 'Records how it was called.',
    words: [['[receiver]', 'whom to tell']],
    options: {
      json: flag('for programs'),
      dryRun: flag('change nothing'),
      port: integer('P', 'where to listen', { min: 0, max: 65_535 }),
      severity: choice('S', 'how bad', ['critical', 'warning']),
      output: text('FILE', 'where to write'),
      matcher: texts('K=V', 'what it is about'),
    },
    examples: [['linewatch notify test ops', 'tries one receiver']],
    run: async (call) => {
      calls.push(call);
      return 0;
    },
  });
  return { ...definition, ...extra };
}

/** A family that takes what follows its name as it is typed. */
function recordingWords({ platform, config, exit }: FamilyCall): Commander {
  const words = new Commander('account').argument('[words...]').passThroughOptions().allowUnknownOption();
  return words.helpOption(false).action(() => {
    calls.push({ platform, options: {}, args: words.args, config: config(), tree: () => expect.fail('not asked for') });
    exit(0);
  });
}

function refusedByTheDisk(): Promise<number> {
  return Promise.reject(
    new DiskError('read', '/state/x.json', Object.assign(new Error('refused'), { code: 'EACCES' })),
  );
}

const ENTRIES: CommandEntry[] = [
  { name: 'notify test', summary: 'try the receivers', load: async () => recording() },
  {
    name: 'account',
    summary: 'ask the account',
    load: async () => ({ ...recording(), commands: recordingWords, below: () => [] }),
  },
  { name: 'check', summary: 'look once', load: async () => recording({ usageExit: 3 }) },
  { name: 'look', summary: 'cannot read', load: async () => recording({ usageExit: 3, run: refusedByTheDisk }) },
  { name: 'deliver', summary: 'cannot read', load: async () => recording({ run: refusedByTheDisk }) },
  {
    name: 'start',
    summary: 'finds its state in use',
    load: async () => recording({ run: () => Promise.reject(new StateInUse('/state', 7)) }),
  },
  { name: 'unloved', summary: 'must not be loaded', load: () => Promise.reject(new Error('loaded without need')) },
  {
    name: 'refuse',
    summary: 'refuses',
    load: async () =>
      recording({
        run: async () => {
          throw new UsageError('that file is not there');
        },
      }),
  },
];

async function run(
  ...argv: string[]
): Promise<{ exit: number; out: string; err: string; call: CommandCall<OptionTable> | undefined }> {
  calls.length = 0;
  const platform = fakePlatform({ argv });
  const exit = await runCommand(platform, ENTRIES);
  return { exit, ...platform.written(), call: calls[0] };
}

describe('the program around commands', () => {
  it('reads options into their types, wherever they stand', async () => {
    const { exit, call } = await run(
      'notify',
      'test',
      '--port',
      '80',
      'ops',
      '--json',
      '--matcher',
      'a=1',
      '--severity=critical',
      '--matcher',
      'b=2',
    );
    expect(exit).toBe(0);
    expect(call?.args).toEqual(['ops']);
    expect(call?.options).toEqual({
      json: true,
      dryRun: false,
      port: 80,
      severity: 'critical',
      output: undefined,
      matcher: ['a=1', 'b=2'],
    });
  });

  it.each([
    [['--config', 'x.yaml', 'notify', 'test']],
    [['notify', '--config', 'x.yaml', 'test']],
    [['notify', 'test', '--config=x.yaml']],
  ])('takes --config everywhere: %j', async (argv) => {
    const { exit, call } = await run(...argv);
    expect([exit, call?.config]).toEqual([0, 'x.yaml']);
  });

  it('gives a command with others below it everything after its name', async () => {
    const typed = ['extensions', 'show', '--', '-7', '--name', 'Front desk', '--help', '--config', 'x', '--version'];
    const { exit, call } = await run('--config', 'y', 'account', ...typed);
    expect([exit, call?.config]).toEqual([0, 'y']);
    expect(call?.args).toEqual(typed);
  });

  it.each([
    [['chekc'], "linewatch: unknown command 'chekc'; did you mean check?\n", 2],
    [['notify', 'tset'], "linewatch: unknown command 'tset'; did you mean test?\n", 2],
    [['notify', 'test', '--jsno'], "linewatch: unknown option '--jsno'; did you mean --json?\n", 2],
    [['notify', 'test', 'a', 'b'], 'linewatch: too many arguments', 2],
    [['notify', 'test', '--port', '70000'], "linewatch: --port wants a whole number from 0 to 65535, not '70000'\n", 2],
    [['notify', 'test', '--port'], "linewatch: option '--port <P>' argument missing\n", 2],
    [['notify', 'test', '--severity', 'bad'], "linewatch: --severity wants one of critical, warning, not 'bad'\n", 2],
    [['check', '--nonsense'], "linewatch: unknown option '--nonsense'", 3],
    [['refuse'], 'linewatch: that file is not there\n', 2],
    [['help', 'chekc'], "linewatch: unknown command 'chekc'; did you mean check?\n", 2],
    [['look'], 'linewatch: Cannot read /state/x.json: permission is denied (EACCES).\n', 3],
    [['deliver'], 'linewatch: Cannot read /state/x.json: permission is denied (EACCES).\n', 1],
    [['start'], 'linewatch: The state directory /state is in use by process 7.', 1],
  ])('says what is wrong with %j on stderr', async (argv, sentence, code) => {
    const { exit, out, err, call } = await run(...argv);
    expect(err).toContain(sentence);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect([exit, out, call]).toEqual([code, '', undefined]);
  });

  it('explains the program without loading any command', async () => {
    const { exit, out, err } = await run('--help');
    expect([exit, err]).toEqual([0, '']);
    for (const shown of ['check', 'look once', 'notify', '--config <FILE>', '--version']) expect(out).toContain(shown);
  });

  it.each([[['notify', 'test', '--help']], [['help', 'notify', 'test']]])(
    'explains one command with its options and examples: %j',
    async (argv) => {
      const { exit, out, call } = await run(...argv);
      expect([exit, call]).toEqual([0, undefined]);
      for (const shown of [
        'Records how it was called.',
        'whom to tell',
        '--dry-run',
        '--config <FILE>',
        'tries one receiver',
      ]) {
        expect(out).toContain(shown);
      }
    },
  );

  it('prints its version', async () => {
    expect(await run('--version')).toMatchObject({ exit: 0, out: '1.2.3\n' });
  });

  it('explains itself as wrong usage when no command is given', async () => {
    const { exit, out, err } = await run();
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain('Usage: linewatch');
  });

  it('passes an unforeseen error on, for the composition root to end with', async () => {
    await expect(run('unloved')).rejects.toThrow('loaded without need');
  });

  it.each([
    [['--config', 'check', 'notify', 'test'], 'notify test'],
    [['notify'], undefined],
    [[], undefined],
  ])('finds the command in %j', (argv, name) => {
    expect(findCommandEntry(argv, ENTRIES)?.name).toBe(name);
  });
});

it('says beforehand what a crash of a command with codes of its own ends with', async () => {
  const ends = async (argv: string[]): Promise<number> => {
    const platform = fakePlatform({ argv });
    await runCommand(platform, ENTRIES);
    return platform.crashExit();
  };
  expect(await ends(['check'])).toBe(3);
  expect(await ends(['notify', 'test'])).toBe(1);
});

it('says of every command and group what it is for', () => {
  const groups = COMMANDS.flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : []));
  expect([...new Set(groups)].filter((group) => (GROUPS[group] ?? '') === '')).toEqual([]);
  expect(COMMANDS.filter(({ summary }) => summary === '')).toEqual([]);
});
