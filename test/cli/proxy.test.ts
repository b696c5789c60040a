/** The proxy of the environment stands between us and the provider, whichever command asks. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { serve } from '../provider/local-server.ts';
import { fakePlatform } from '../support/platform.ts';

test('a check asks the proxy', async () => {
  await using proxy = await serve((_, response) => response.writeHead(503).end());
  const cwd = await mkdtemp(join(tmpdir(), 'linewatch-proxy-'));
  const page = '{name: provider, base_url: "http://status.example.test"}';
  await writeFile(join(cwd, 'linewatch.yaml'), `timezone: Australia/Melbourne\nstatus_pages: [${page}]\n`);
  const env = { HTTP_PROXY: proxy.base };
  await runCommand(fakePlatform({ argv: ['check'], cwd, env }), COMMANDS);
  expect(proxy.arrivals.map(({ url }) => url)).toContain('http://status.example.test/api/v1/status');
  await rm(cwd, { recursive: true });
});
