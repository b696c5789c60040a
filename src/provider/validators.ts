/** What the provider said to ask again with, per address, and the answer that then still stands. */

import type { Extent } from './reply.ts';

const ENTRIES = 500;
/** Bytes of memory that the kept answers take, parsed. */
const BYTES = 16 * 1024 * 1024;
/** What a list or an object takes, and a value in it, beyond the bytes of its text. */
const CONTAINER = 128;
const VALUE = 16;
const HEADER_LIMIT = 512;

export interface Remembered {
  readonly headers: Readonly<Record<string, string>>;
  readonly value: unknown;
  /** Of its body. */
  readonly bytes: number;
}

export interface Validators {
  find(address: string): Remembered | undefined;
  /** Keeps an answer that came with an ETag or a Last-Modified header; forgets the one before in any case. */
  keep(
    address: string,
    answer: {
      etag?: string | undefined;
      lastModified?: string | undefined;
      value: unknown;
      bytes: number;
      extent: Extent;
    },
  ): void;
}

export function createValidators(): Validators {
  // A Map keeps its entries in order of insertion: the first is the one unused for longest.
  const memory = new Map<string, Remembered & { weight: number }>();
  let total = 0;

  function forget(address: string): void {
    total -= memory.get(address)?.weight ?? 0;
    memory.delete(address);
  }

  return {
    find(address) {
      const found = memory.get(address);
      if (found !== undefined) {
        memory.delete(address);
        memory.set(address, found);
      }
      return found;
    },
    keep(address, { etag, lastModified, value, bytes, extent }) {
      forget(address);
      const headers: Record<string, string> = {};
      if (isUsable(etag)) {
        headers['if-none-match'] = etag;
      }
      if (isUsable(lastModified)) {
        headers['if-modified-since'] = lastModified;
      }
      const weight = address.length + bytes + extent.containers * CONTAINER + extent.values * VALUE;
      if (Object.keys(headers).length === 0 || weight > BYTES) {
        return;
      }
      memory.set(address, { headers, value, bytes, weight });
      total += weight;
      for (const oldest of memory.keys()) {
        if (total <= BYTES && memory.size <= ENTRIES) {
          break;
        }
        forget(oldest);
      }
    },
  };
}

function isUsable(header: string | undefined): header is string {
  return header !== undefined && header.length <= HEADER_LIMIT && /^[\u0020-\u007e]+$/.test(header);
}
