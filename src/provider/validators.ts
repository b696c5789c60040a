/** What the provider said to ask again with, per address, and the answer that then still stands. */

const ENTRIES = 500;
/** Bytes of answers kept; their parsed form is a few times that. */
const BYTES = 4 * 1024 * 1024;
const HEADER_LIMIT = 512;

export interface Remembered {
  readonly headers: Readonly<Record<string, string>>;
  readonly value: unknown;
  readonly bytes: number;
}

export interface Validators {
  find(address: string): Remembered | undefined;
  /** Keeps an answer that came with an ETag or a Last-Modified header; forgets the one before in any case. */
  keep(
    address: string,
    answer: { etag?: string | undefined; lastModified?: string | undefined; value: unknown; bytes: number },
  ): void;
}

export function createValidators(): Validators {
  // A Map keeps its entries in order of insertion: the first is the one unused for longest.
  const memory = new Map<string, Remembered>();
  let total = 0;

  function forget(address: string): void {
    total -= memory.get(address)?.bytes ?? 0;
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
    keep(address, { etag, lastModified, value, bytes }) {
      forget(address);
      const headers: Record<string, string> = {};
      if (isUsable(etag)) {
        headers['if-none-match'] = etag;
      }
      if (isUsable(lastModified)) {
        headers['if-modified-since'] = lastModified;
      }
      if (Object.keys(headers).length === 0 || bytes > BYTES) {
        return;
      }
      memory.set(address, { headers, value, bytes });
      total += bytes;
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
