/** Copyright and licences of our own code, all bundled packages and the runtime. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { listBundledPackages, ROOT } from './bundle.ts';
import type { Runtime } from './runtime.ts';

/** `folder`: where the full texts are installed. Throws if a package states no licence. */
export async function readLicenseTerms(runtime: Runtime, folder: string) {
  const [own, bundled] = await Promise.all([readFile(join(ROOT, 'LICENSE'), 'utf8'), listBundledPackages()]);
  const parts = await Promise.all(bundled.map(partOf));
  return {
    /** Content of Debian's `copyright` file. */
    copyright: `Linewatch ${packageJson.version}

${own.trim()}

It holds Node.js ${runtime.version} (MIT), with what is built into that: the whole text is in
${folder}/nodejs.txt.

It holds these packages of npm: the whole text for each is in
${folder}/npm.txt, and the Apache License 2.0 also in
/usr/share/common-licenses/Apache-2.0.

${parts.map(({ title }) => `  ${title}`).join('\n')}
`,
    /** Full licence texts of all bundled npm packages. */
    packages: parts.map(({ title, text }) => `${'='.repeat(78)}\n${title}\n\n${text}\n`).join('\n'),
  };
}

async function partOf(folder: string): Promise<{ title: string; text: string }> {
  const { name, version, license, author } = JSON.parse(await readFile(join(ROOT, folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
    author?: string | { name: string };
  };
  const files = (await readdir(join(ROOT, folder))).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = await Promise.all(files.toSorted().map((file) => readFile(join(ROOT, folder, file), 'utf8')));
  if (license === undefined && texts.length === 0) throw new Error(`${name} does not say on what terms it is used`);
  const by = (typeof author === 'object' ? author.name : author) ?? `the authors of ${name}`;
  // Some packages name a licence without including its text.
  const text = texts.length > 0 ? texts.map((text) => text.trim()).join('\n\n') : `Copyright ${by}`;
  return { title: `${name} ${version} (${license ?? 'see its text'})`, text };
}
