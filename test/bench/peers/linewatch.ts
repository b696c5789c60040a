import { createRequire } from 'node:module';
import { configure } from '../installation.ts';
import { startProgram } from '../process.ts';
import type { Peer } from './peer.ts';

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

export const linewatch: Peer = {
  name: 'Linewatch',
  version,
  takes: 'http',
  shownBy: '/components',
  isOutage: (text) => /"type":"linewatch\.component\.state".*?"to":"degraded"/.test(text),
  async start({ folder, page, receiverPort }) {
    const webhook = `http://127.0.0.1:${receiverPort}/`;
    const file = await configure(folder, { pages: [page], interval: '1s', webhook });
    return startProgram(['run', '--config', file], folder);
  },
  cannot: [],
};
