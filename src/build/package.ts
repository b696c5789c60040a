/** `npm run package`: builds the program and its Debian package. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { ROOT } from './bundle.ts';
import { writeDeb } from './deb.ts';
import { ARCHITECTURES, type Architecture } from './runtime.ts';

const USAGE = 'npm run package [-- [--arch amd64|arm64] [--output FOLDER] [--version VERSION] [--fast]]';

const { values } = parseArgs({
  options: {
    arch: { type: 'string', default: 'amd64' },
    output: { type: 'string', default: join(ROOT, 'dist') },
    /** Version of the package, if it differs from the program's. */
    version: { type: 'string', default: packageJson.version },
    /** Weak compression, for a trial build in seconds. */
    fast: { type: 'boolean', default: false },
  },
});

function isArchitecture(text: string): text is Architecture {
  return Object.hasOwn(ARCHITECTURES, text);
}

/** Time of the last commit, unless the environment overrides it. */
async function madeAt(): Promise<number> {
  const { SOURCE_DATE_EPOCH } = process.env;
  if (SOURCE_DATE_EPOCH !== undefined) return Number(SOURCE_DATE_EPOCH);
  const asked = promisify(execFile)('git', ['log', '-1', '--format=%ct'], { cwd: ROOT });
  return await asked.then(({ stdout }) => Number(stdout)).catch(() => Math.floor(Date.now() / 1000));
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

if (!isArchitecture(values.arch)) {
  process.stderr.write(`package: there is no package for '${values.arch}': ${USAGE}\n`);
  process.exit(2);
}
await import('./build.ts');
const { file, installed, largest } = await writeDeb({
  architecture: values.arch,
  version: values.version,
  dist: join(ROOT, 'dist'),
  folder: values.output,
  made: await madeAt(),
  fast: values.fast,
});
const most = largest.slice(0, 3).map(({ path, size }) => `${path} ${megabytes(size)}`);
process.stdout.write(`${file}\ninstalled: ${megabytes(installed)}, of which ${most.join(', ')}\n`);
if (ARCHITECTURES[values.arch] !== process.arch) {
  process.stdout.write(`without compiled code, which is made by a machine of its kind: it takes longer to start\n`);
}
