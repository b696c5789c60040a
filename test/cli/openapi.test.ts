import { expect, it } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { fakePlatform } from '../support/platform.ts';

it('openapi prints the document of both interfaces', async () => {
  const platform = fakePlatform({ argv: ['openapi'] });
  expect(await runCommand(platform, COMMANDS)).toBe(0);
  const { out, err } = platform.written();
  expect(err).toBe('');
  const document = JSON.parse(out) as { openapi: string; paths: Record<string, unknown> };
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(Object.keys(document.paths)).toEqual(expect.arrayContaining([expect.stringContaining('/pbx/registrations')]));
});
