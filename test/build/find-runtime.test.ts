/** How scripts find the Node.js of the project, on machines that are played by the few programs on their PATH. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const BUILD = join(import.meta.dirname, '../../src/build');
const RUNTIME = `node-linux-${process.arch}`;
const VERSION = ['node', '-p', 'process.version'];

let folder: string;
let project: string;
/** The PATH of a machine, as npm gives it to a script. */
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'find runtime '));
  project = join(folder, 'project');
  path = `${join(project, 'node_modules/.bin')}:${join(folder, 'bin')}`;
  mkdirSync(join(project, 'src/build'), { recursive: true });
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  for (const name of ['find-runtime.sh', 'with-runtime.sh', 'link-commands.ts']) {
    copyFileSync(join(BUILD, name), join(project, 'src/build', name));
  }
  for (const tool of ['sh', 'env', 'uname', 'dirname', 'id']) {
    symlinkSync(join('/usr/bin', tool), join(folder, 'bin', tool));
  }
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function writeProgram(file: string, text: string): void {
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

function installRuntime(text?: string): void {
  mkdirSync(join(project, 'node_modules', RUNTIME, 'bin'), { recursive: true });
  const node = join(project, 'node_modules', RUNTIME, 'bin/node');
  if (text === undefined) symlinkSync(process.execPath, node);
  else writeProgram(node, text);
}

/** Looks for the library at a place where it is on no machine. */
function hideLibrary(): void {
  const finder = join(project, 'src/build/find-runtime.sh');
  writeFileSync(finder, readFileSync(finder, 'utf8').replace('$place/libatomic.so.1', '$place/no-library'));
}

function run(...args: readonly string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(join(project, 'src/build/with-runtime.sh'), args, {
    encoding: 'utf8',
    env: { PATH: path },
    cwd: folder,
  });
  return { code: status, out: stdout.trim(), err: stderr.trim() };
}

const OLD = '#!/bin/sh\ncase $1 in -e) exit 1 ;; esac\necho v18.20.4\n';
const UNLINKED = '#!/bin/sh\necho "libatomic.so.1: cannot open shared object file" >&2\nexit 127\n';

describe('with-runtime.sh', () => {
  it.each([
    ['is deleted', null],
    ['is that of another Node.js', OLD],
    ['does not run', UNLINKED],
  ])('runs the runtime by its own path where the link in .bin %s', (_how, link) => {
    installRuntime();
    writeProgram(join(folder, 'bin/node'), OLD);
    if (link !== null) writeProgram(join(project, 'node_modules/.bin/node'), link);
    expect(run(...VERSION)).toEqual({ code: 0, out: process.version, err: '' });
  });

  it('runs commands of node_modules under it, and what they start, with their arguments and exit code', () => {
    installRuntime();
    writeProgram(join(folder, 'bin/node'), OLD);
    const script = `#!/usr/bin/env node
      const started = require('node:child_process').spawnSync('node', ['-p', 'process.version'], { encoding: 'utf8' });
      console.log(JSON.stringify([process.version, started.stdout.trim(), process.argv.slice(2)]));
      process.exitCode = 7;`;
    writeProgram(join(project, 'node_modules/.bin/tool'), script);
    const args = ['two words', '*', '$HOME', ''];
    const { code, out } = run('tool', ...args);
    expect([code, JSON.parse(out)]).toEqual([7, [process.version, process.version, args]]);
  });

  it('links the commands of its packages where npm has made no links at all', () => {
    installRuntime();
    rmSync(join(project, 'node_modules/.bin'), { recursive: true });
    const packages = { tool: './tool.js', '@scope/other': { first: 'bin/first.js', second: 'bin/second.js' } };
    for (const [name, bin] of Object.entries(packages)) {
      const place = join(project, 'node_modules', name);
      mkdirSync(join(place, 'bin'), { recursive: true });
      writeFileSync(join(place, 'package.json'), JSON.stringify({ bin }));
      for (const file of ['tool.js', 'bin/first.js', 'bin/second.js']) {
        writeFileSync(join(place, file), `#!/usr/bin/env node\nconsole.log('${name} ${file}', process.version);`);
      }
    }
    const devDependencies = { '@scope/other': '1', 'not-installed': '1' };
    writeFileSync(
      join(project, 'package.json'),
      JSON.stringify({ type: 'module', dependencies: { tool: '1' }, devDependencies }),
    );
    for (const [command, said] of [
      ['tool', 'tool tool.js'],
      ['first', '@scope/other bin/first.js'],
      ['second', '@scope/other bin/second.js'],
    ] as const) {
      expect(run(command)).toEqual({ code: 0, out: `${said} ${process.version}`, err: '' });
    }
  });

  it.each(['Darwin arm64', 'Linux riscv64'])('says what to do on %s, and takes a new Node.js of its own', (kind) => {
    installRuntime();
    rmSync(join(folder, 'bin/uname'));
    writeProgram(join(folder, 'bin/uname'), `#!/bin/sh\necho '${kind}'\n`);
    writeProgram(join(folder, 'bin/node'), OLD);
    const none = run(...VERSION);
    expect([none.code, none.out]).toEqual([2, '']);
    expect(none.err).toBe(
      `linewatch: Node.js comes along for Linux with glibc on x64 and arm64, and this is ${kind}. Run Linewatch in a container of Debian, or install Node.js 26 or later, which is then used.`,
    );

    // Behind an older one on the PATH.
    mkdirSync(join(folder, 'own'));
    symlinkSync(process.execPath, join(folder, 'own/node'));
    path += `:${join(folder, 'own')}`;
    expect(run(...VERSION)).toEqual({ code: 0, out: process.version, err: '' });
  });

  it('names the command that installs a missing library, and not the error of the linker', () => {
    installRuntime(UNLINKED);
    hideLibrary();
    writeProgram(join(folder, 'bin/apt-get'), '');
    const debian = run(...VERSION);
    expect([debian.code, debian.out]).toEqual([2, '']);
    const sudo = process.geteuid?.() === 0 ? '' : 'sudo ';
    const sentence = 'linewatch: Node.js needs the library libatomic.so.1, which is missing. Install it:';
    expect(debian.err).toBe(`${sentence} ${sudo}apt-get update && ${sudo}apt-get install libatomic1`);
    rmSync(join(folder, 'bin/apt-get'));
    expect(run(...VERSION).err).toBe(`${sentence} ${sudo}dnf install libatomic`);
  });

  it('believes a runtime that runs, wherever its library is', () => {
    installRuntime();
    hideLibrary();
    expect(run(...VERSION)).toEqual({ code: 0, out: process.version, err: '' });
  });

  it('says to run npm ci where no runtime is installed', () => {
    writeProgram(join(folder, 'bin/node'), OLD);
    const { code, err } = run(...VERSION);
    expect(code).toBe(2);
    expect(err).toBe(
      `linewatch: no Node.js 26 or later was found; run 'npm ci' in ${project}, which brings one along.`,
    );
  });
});

describe('the scripts of package.json', () => {
  it('run nothing by a Node.js that npm or the machine chooses', () => {
    const { scripts } = JSON.parse(readFileSync(join(BUILD, '../../package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const others = Object.entries(scripts).filter(([, line]) => !line.startsWith('src/build/with-runtime.sh '));
    expect(others.map(([name]) => name)).toEqual(['start']);
    expect(scripts['start']).toContain('exec dist/main.js');
  });
});
