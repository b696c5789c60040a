/**
 * `npm test`: the checks of the source and the tests at the same time. What the checks say is kept until the tests are
 * done, so that the two are not mixed. Arguments are those of Vitest.
 */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { findNpm } from '../src/build/npm.ts';

function start(command: string, args: readonly string[], stdio: StdioOptions): ChildProcess {
  return spawn(command, args, { stdio });
}

async function passes(child: ChildProcess): Promise<boolean> {
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
}

const npm = findNpm();
const lint = start(npm.command, [...npm.args, 'run', '--silent', 'lint'], ['ignore', 'pipe', 'pipe']);
const said: Buffer[] = [];
for (const stream of [lint.stdout, lint.stderr]) stream?.on('data', (piece: Buffer) => said.push(piece));

const vitest = start('vitest', ['run', '--config', 'test/vitest.config.ts', ...process.argv.slice(2)], 'inherit');

const [isClean, hasPassed] = await Promise.all([passes(lint), passes(vitest)]);
process.stderr.write(Buffer.concat(said));
if (!isClean) process.stderr.write('npm run lint failed: see above\n');
process.exitCode = isClean && hasPassed ? 0 : 1;
