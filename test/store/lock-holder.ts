/**
 * A process that waits for a line, takes the lock of the directory in its arguments, says how that went, and keeps it
 * until it is killed.
 */
import { once } from 'node:events';
import { lockStateDirectory } from '../../src/store/lock.ts';

const [, , directory = ''] = process.argv;
process.stdout.write('ready\n');
await once(process.stdin, 'data');
try {
  await lockStateDirectory({ directory, pid: process.pid, user: null });
  process.stdout.write('held\n');
} catch (error) {
  process.stdin.destroy();
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
