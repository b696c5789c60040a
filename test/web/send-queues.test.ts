/** What the kernel still has of what was written to a client that reads nothing. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { readSendQueues } from '../../src/web/send-queues.ts';

test.skipIf(process.platform !== 'linux').each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
  'bytes that a client at %s has not acknowledged are counted, and none of one that reads',
  async (host) => {
    const server = createServer().listen(0, host.includes('::ffff') ? '::' : host);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const open = async (): Promise<[Socket, Socket]> => {
      const accepted = once(server, 'connection');
      const client = connect(port, host);
      const [socket] = (await accepted) as [Socket];
      return [client, socket];
    };
    const [[deaf, toDeaf], [fine, toFine]] = [await open(), await open()];
    deaf.pause();
    let read = 0;
    const megabytes = Buffer.alloc(16_000_000);
    const all = new Promise<void>((resolve) => {
      fine.on('data', (piece: Buffer) => {
        read += piece.length;
        if (read === megabytes.length) resolve();
      });
    });
    toDeaf.write(megabytes);
    toFine.write(megabytes);
    await all;
    let queued = await readSendQueues();
    expect(queued(toDeaf)).toBeGreaterThan(0);
    // What was read is acknowledged a moment later.
    while (queued(toFine) > 0) queued = await readSendQueues();
    expect(queued(toDeaf)).toBeGreaterThan(0);
    for (const socket of [deaf, fine, toDeaf, toFine]) socket.destroy();
    server.close();
  },
);
