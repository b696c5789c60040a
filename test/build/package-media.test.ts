/** What a package must bring along beside the program. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listSettingsFiles } from '../../src/build/package-files.ts';
import packageJson from '../../package.json' with { type: 'json' };

test('the packages of npm and Debian bring every preset', async () => {
  expect(packageJson.files).toContain('config/');
  const presets = readdirSync(join(import.meta.dirname, '../../config/media')).map((file) => `media/${file}`);
  expect(presets.length).toBeGreaterThan(10);
  expect(await listSettingsFiles()).toEqual(expect.arrayContaining(presets));
});
