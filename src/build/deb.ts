/** Builds the Debian package with `dpkg-deb`. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, lutimes, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { ROOT } from './bundle.ts';
import { COMMAND, listPackageFiles, type PackageFile } from './package-files.ts';
import { ARCHITECTURES, findRuntime, type Architecture } from './runtime.ts';

export interface DebOptions {
  readonly architecture: Architecture;
  readonly version: string;
  /** Folder of the build. */
  readonly dist: string;
  /** Output folder. */
  readonly folder: string;
  /** Modification time of all files, in seconds since the epoch: the same source yields the same package. */
  readonly made: number;
  /** Compress little, for a trial build. */
  readonly fast: boolean;
}

const MAINTAINER = 'The authors of Linewatch <linewatch@packages.debian.org>';
const SCRIPTS = ['postinst', 'prerm', 'postrm'] as const;

/** Resolves to the file, the total size of the installed files in bytes, and those files, the largest first. */
export async function writeDeb(options: DebOptions) {
  const { architecture, version, folder, made } = options;
  const files = [
    ...(await listPackageFiles({
      dist: options.dist,
      runtime: await findRuntime(architecture),
      withCompiledCode: ARCHITECTURES[architecture] === process.arch,
      date: new Date(made * 1000),
    })),
    { path: 'usr/share/doc/linewatch/changelog.gz', content: gzipSync(changelog(options), { level: 9 }) },
  ];
  const root = await mkdtemp(join(tmpdir(), 'linewatch-package-'));
  try {
    for (const file of files) await place(root, file);
    await mkdir(dirname(join(root, COMMAND.path)), { recursive: true });
    await symlink(COMMAND.to, join(root, COMMAND.path));
    for (const file of await controlFiles(options, files)) await place(root, file);
    await settle(root, made);
    await mkdir(folder, { recursive: true });
    const file = join(folder, `linewatch_${version}_${architecture}.deb`);
    const packed = options.fast ? ['-Zgzip', '-z1'] : ['-Zxz'];
    await promisify(execFile)('dpkg-deb', ['--root-owner-group', ...packed, '--build', root, file], {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(made) },
    });
    const sizes = files.map(({ path, content }) => ({ path, size: Buffer.byteLength(content) }));
    const largest = sizes.toSorted((a, b) => b.size - a.size);
    return { file, installed: sizes.reduce((sum, { size }) => sum + size, 0), largest };
  } finally {
    await rm(root, { recursive: true });
  }
}

async function place(root: string, { path, content, isProgram = false }: PackageFile): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
  await chmod(join(root, path), isProgram ? 0o755 : 0o644);
}

/** Sets modification times and Debian's file modes, whatever those of this machine are. */
async function settle(folder: string, made: number): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await settle(join(folder, entry.name), made);
    await lutimes(join(folder, entry.name), made, made);
  }
  await chmod(folder, 0o755);
  await lutimes(folder, made, made);
}

async function controlFiles(options: DebOptions, files: readonly PackageFile[]): Promise<PackageFile[]> {
  const sums = files.map(({ path, content }) => `${createHash('md5').update(content).digest('hex')}  ${path}\n`);
  const settings = files.filter(({ path }) => path.startsWith('etc/')).map(({ path }) => `/${path}\n`);
  const own = (name: string): Promise<Buffer> => readFile(join(ROOT, 'systemd/debian', name));
  return [
    { path: 'DEBIAN/control', content: control(options, files) },
    { path: 'DEBIAN/md5sums', content: sums.toSorted().join('') },
    { path: 'DEBIAN/conffiles', content: settings.join('') },
    { path: 'DEBIAN/triggers', content: await own('triggers') },
    ...(await Promise.all(
      SCRIPTS.map(async (name) => ({ path: `DEBIAN/${name}`, content: await own(name), isProgram: true })),
    )),
  ];
}

/** Libraries the runtime is linked with, and the tool that creates the user. */
const DEPENDS = 'libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 6), systemd | systemd-standalone-sysusers';

function control({ version, architecture }: DebOptions, files: readonly PackageFile[]): string {
  const kibibytes = files.reduce((sum, { content }) => sum + Math.ceil(Buffer.byteLength(content) / 1024), 0);
  return `Package: linewatch
Version: ${version}
Architecture: ${architecture}
Maintainer: ${MAINTAINER}
Installed-Size: ${kibibytes}
Depends: ${DEPENDS}
Suggests: bash-completion
Section: net
Priority: optional
Description: tells what changed at a telephony provider
 Linewatch watches the status page of a telephony provider and the phones of
 your own account there, and tells the people who run them what changed in
 Slack and by mail: once, at once, and truthfully.
 .
 It brings the Node.js that it runs on.
`;
}

function changelog({ version, made }: DebOptions): string {
  const date = new Date(made * 1000).toUTCString().replace('GMT', '+0000');
  return `linewatch (${version}) unstable; urgency=medium

  * Made from the source of this version.

 -- ${MAINTAINER}  ${date}
`;
}
