/** A real server on this machine in place of a vendor's page. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { VendorTypeName } from '../../src/pages/types.ts';
import type { StatusWorld } from './status-world.ts';
import { toVendorWorld, type VendorAnswer } from '../../src/simulator/vendors/vendor-world.ts';
import { VENDORS } from '../../src/simulator/vendors/vendors.ts';

export interface HostAnswer {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
}

/** `hang` never answers. */
export type HostReaction = VendorAnswer | HostAnswer | 'hang';

export interface VendorHost extends AsyncDisposable {
  url: string;
  asked: { path: string; headers: IncomingHttpHeaders }[];
  /** From now on. */
  answer(to: (path: string, headers: IncomingHttpHeaders) => HostReaction | undefined): void;
}

/** Requests without an answer get 404. */
export async function startVendorHost(
  to: (path: string, headers: IncomingHttpHeaders) => HostReaction | undefined,
): Promise<VendorHost> {
  let answerTo = to;
  const asked: VendorHost['asked'] = [];
  const server = createServer(({ url = '', headers }, response) => {
    asked.push({ path: url, headers });
    send(answerTo(url, headers) ?? { status: 404 }, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    answer(next) {
      answerTo = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function send(reaction: HostReaction, response: ServerResponse): void {
  if (reaction === 'hang') return;
  if ('json' in reaction) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reaction.json));
  } else if ('type' in reaction) {
    response.writeHead(200, { 'content-type': reaction.type }).end(reaction.body);
  } else {
    response.writeHead(reaction.status ?? 200, reaction.headers).end(reaction.body ?? '');
  }
}

/** As the vendor answers for this world, and only that. */
export function answersOf(
  type: VendorTypeName,
  world: Pick<StatusWorld, 'documents'>,
): (path: string) => VendorAnswer | undefined {
  return (path) => VENDORS[type].pages(toVendorWorld(world.documents())).get(path.replace(/\?.*$/, ''));
}
