/** Pages of every type whose texts are one piece over and over, another piece at each look, and how long `config detect` takes with them. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { PAGE_TYPE_NAMES, type VendorTypeName } from '../../src/pages/types.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { VENDORS } from '../../src/simulator/vendors/vendors.ts';
import { PIECES, repeated, TEXT, withText } from '../support/repeated-text.ts';
import { answersOf } from '../support/vendor-host.ts';
import { figure, type Row } from './figures.ts';
import { startProgram } from './process.ts';

export interface HostilePage {
  type: VendorTypeName;
  /** Path of the page below its address. */
  path: string;
  respond: RequestListener;
}

/** Bytes of a page that stalled the detection. */
const SMALL = 280;
const SIZES = [64 * 1024, 1_200_000];
/** One for each kind of pattern: all of them would take an hour. */
const DETECTED = ['<!---->', ' ', '<link ', '<?', '/', '<a href="'];

export function repeatedPages(): { name: string; pages: HostilePage[] }[] {
  const types = PAGE_TYPE_NAMES.filter((type) => type !== 'provider');
  return SIZES.map((size) => ({
    name: `pages of every type with ${size} characters of one piece`,
    pages: types.map((type) => ({ type, path: VENDORS[type].path, respond: respondRepeated(type, size) })),
  }));
}

function respondRepeated(type: VendorTypeName, size: number): RequestListener {
  const components = [{ id: 11, name: 'Voice' }];
  const world = createStatusWorld({ clock: { now: () => Date.now() }, name: 'Carrier', components });
  world.openNotice({ subject: 'No calls', components: ['Voice'], content: TEXT });
  const answer = answersOf(type, world);
  let asked = 0;
  return ({ url = '' }, response) => {
    const real = answer(url);
    if (real === undefined) return void response.writeHead(404).end();
    asked += 1;
    const shown = withText(real, `x${repeated(PIECES[asked % PIECES.length] ?? ' ', size)}.`);
    if ('json' in shown) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(shown.json));
    } else response.writeHead(200, { 'content-type': shown.type }).end(shown.body);
  };
}

/** How long the command takes, at worst, to say that such a page is none; in a process with 256 MB of heap. */
export async function measureDetection(): Promise<Row> {
  let body = '';
  let type = 'text/html';
  const server = createServer((_, response) => void response.writeHead(200, { 'content-type': type }).end(body));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const all: number[] = [];
  for (const size of [SMALL, ...SIZES]) {
    for (const [nth, piece] of DETECTED.entries()) {
      body = repeated(piece, size);
      type = nth % 2 === 0 ? 'text/plain' : 'text/html';
      await using started = startProgram(['config', 'detect', address], tmpdir(), ['--max-old-space-size=256']);
      await started.ended();
      all.push(performance.now() - started.startedAt);
    }
  }
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
  const what = `config detect on ${all.length} pages of one piece over and over: start → end`;
  return { what, bare: null, linewatch: figure(all), unit: 'ms', wanted: { always: 15_000 } };
}
