/** A control group of the test's own with a memory limit: what systemd makes of `MemoryMax`, without a second systemd. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';

const ROOT = '/sys/fs/cgroup';
const MEBIBYTE = 1024 * 1024;

export interface LimitedGroup extends Disposable {
  /** A command that moves itself into the group and becomes its arguments. */
  within: readonly string[];
  /** How many processes of the group the kernel has killed for want of memory. */
  killed(): number;
}

/** Version 1 has a hierarchy for memory, version 2 one for everything. */
function findParent(): { directory: string; limit: string; events: string } | null {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n');
  for (const line of lines) {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers.split(',').includes('memory')) {
      const directory = join(ROOT, 'memory', path);
      if (existsSync(directory)) return { directory, limit: 'memory.limit_in_bytes', events: 'memory.oom_control' };
    }
    if (controllers === '' && existsSync(join(ROOT, path, 'memory.max'))) {
      return { directory: join(ROOT, path), limit: 'memory.max', events: 'memory.events' };
    }
  }
  return null;
}

/** Throws where this machine gives the test no group. */
export function openLimitedGroup(mebibytes: number): LimitedGroup {
  const parent = findParent();
  if (parent === null) throw new Error('no control group limits memory here');
  const directory = join(parent.directory, `linewatch-test-${randomUUID()}`);
  mkdirSync(directory);
  try {
    writeFileSync(join(directory, parent.limit), String(mebibytes * MEBIBYTE));
  } catch (error) {
    rmdirSync(directory);
    throw error;
  }
  return {
    within: ['/bin/sh', '-c', `echo $$ > '${join(directory, 'cgroup.procs')}' && exec "$@"`, 'within'],
    killed: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(directory, parent.events), 'utf8'))?.[1]),
    [Symbol.dispose]: () => rmdirSync(directory),
  };
}

/** The reason why this machine gives the test no group; empty if it does. */
export function whyNoGroup(): string {
  try {
    openLimitedGroup(64)[Symbol.dispose]();
    return '';
  } catch (error) {
    return String(error);
  }
}
