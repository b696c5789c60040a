import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startCommand } from '../process.ts';
import { debian, versionOf } from './packages.ts';
import type { Peer } from './peer.ts';

export async function monit(packages: string): Promise<Peer> {
  const program = join(await debian(packages, 'monit'), 'usr/bin/monit');
  return {
    name: 'monit',
    version: await versionOf(program, '-V'),
    takes: 'mail',
    shownBy: '/status',
    isOutage: (text) => /^Subject: .*failed/m.test(text),
    async start({ folder, addresses, receiverPort }) {
      const file = join(folder, 'monitrc');
      await writeFile(file, configuration(folder, addresses, receiverPort), { mode: 0o600 });
      return startCommand(program, ['-I', '-c', file], folder);
    },
    cannot: [
      'sees that a text is missing from an answer, not which component it is or what a notice says',
      'has no webhook: a mail, or a program that it runs',
    ],
  };
}

function configuration(folder: string, addresses: readonly string[], receiverPort: number): string {
  const checks = addresses.map((address, index) => {
    const { hostname, port, pathname, search } = new URL(address);
    const wanted = pathname.endsWith('/status') ? ` content = '"state":"operational"'` : '';
    return [
      `check host address${index} with address ${hostname}`,
      `  if failed port ${port} protocol http request "${pathname}${search}"${wanted} timeout 5 seconds then alert`,
    ].join('\n');
  });
  return [
    'set daemon 1',
    ...['pid', 'id', 'state'].map((kind) => `set ${kind}file ${folder}/monit.${kind}`),
    `set mailserver 127.0.0.1 port ${receiverPort}`,
    `set eventqueue basedir ${folder}/events slots 1000`,
    'set mail-format { from: monit@example.test }',
    'set alert ops@example.test',
    ...checks,
    '',
  ].join('\n');
}
