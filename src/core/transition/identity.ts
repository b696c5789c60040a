/** Identities follow from content, so a crash, a retry and a second receiver all speak of the same thing. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** 128 bits of SHA-256 over the JSON of the parts, in lower-case hex. */
export function identity(...parts: readonly unknown[]): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(parts)))).slice(0, 32);
}
