/** Debian packages of this source, made soon: what the tests of the system install. */
import { join } from 'node:path';
import { buildInto } from '../../src/build/bundle.ts';
import { compileInto } from '../../src/build/compile.ts';
import { writeDeb } from '../../src/build/deb.ts';

/** Puts a package of each version into `folder`; resolves with their files, in order. */
export async function makeDebs(folder: string, versions: readonly string[]): Promise<string[]> {
  const dist = join(folder, 'dist');
  await buildInto(dist);
  await compileInto(dist);
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
  const made = 1_790_000_000;
  const debs = await Promise.all(
    versions.map((version) => writeDeb({ architecture, version, dist, folder, made, fast: true })),
  );
  return debs.map(({ file }) => file);
}
