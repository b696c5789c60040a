/**
 * Bytes written to a connection and not acknowledged by the client. A write ends when the kernel has the bytes, which
 * accepts megabytes for a client that never reads; only the kernel knows which of them arrived.
 */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** One line a connection: addresses in hexadecimal, and the number of unacknowledged bytes. */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

export type Peer = Pick<Socket, 'localPort' | 'remoteAddress' | 'remotePort'>;

/** Bytes in the kernel by connection; 0 for all of them on a system without such tables. */
export async function readSendQueues(): Promise<(peer: Peer) => number> {
  const tables = await Promise.all(TABLES.map((path) => readFile(path, 'latin1').catch(() => '')));
  const queues = new Map(tables.flatMap((table) => table.split('\n').slice(1).flatMap(queueIn)));
  return ({ localPort = 0, remoteAddress = '', remotePort = 0 }) =>
    queues.get(`${hexPort(localPort)} ${hexAddress(remoteAddress)}:${hexPort(remotePort)}`) ?? 0;
}

function queueIn(line: string): [string, number][] {
  const [, local = '', remote = '', , queue = ''] = line.trim().split(/\s+/);
  const bytes = Number.parseInt(queue, 16);
  return bytes > 0 ? [[`${local.slice(-4)} ${remote.replace(/^0{16}FFFF0000/, '')}`, bytes]] : [];
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

/** In the format of the tables: each 32 bits in the machine's byte order, which is the reverse. */
function hexAddress(address: string): string {
  const ipv4 = /^(?:::ffff:)?(\d+)\.(\d+)\.(\d+)\.(\d+)$/i.exec(address);
  const bytes = ipv4 === null ? bytesOfIpv6(address) : ipv4.slice(1).map(Number);
  const words = Array.from({ length: bytes.length / 4 }, (_, word) => bytes.slice(word * 4, word * 4 + 4).toReversed());
  return words
    .flat()
    .map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'))
    .join('');
}

function bytesOfIpv6(address: string): number[] {
  const [first = [], last = []] = address
    .replace(/%.*$/, '')
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':')));
  const parts = [...first, ...Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0'), ...last];
  return parts.flatMap((part) => {
    const value = Number.parseInt(part, 16) || 0;
    return [value >> 8, value & 255];
  });
}
