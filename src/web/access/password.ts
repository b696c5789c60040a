/**
 * Passwords of the page's users: stored as a hash that costs 64 MB and some 100 ms to check, and compared in constant
 * time.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

const COST = { N: 2 ** 16, r: 8, p: 1 };
/** Length of the hash. */
const HASH_BYTES = 32;
/** Memory limit of scrypt; a hash of ours takes 64 MB (128 · N · r). */
const MAX_MEMORY = 2 ** 28;

/** `scrypt:65536:8:1:SALT:HASH`, without characters that need quotes in YAML. */
const FORM = /^scrypt:(\d{2,7}):(\d{1,2}):(\d{1,2}):([\w-]{16,}):([\w-]{40,})$/;

/** `scrypt:N:r:p:SALT:HASH`, salt and hash in base64url. The password is normalised (NFKC) first. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const { N, r, p } = COST;
  const hash = await derive(password.normalize('NFKC'), salt, HASH_BYTES, { ...COST, maxmem: MAX_MEMORY });
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join(':');
}

/** Compared in place of an unknown user's hash, so that the answer takes as long as for a known user. */
const UNKNOWN_USER = `scrypt:65536:8:1:${'A'.repeat(22)}:${'A'.repeat(43)}`;

/** `known` is null for an unknown user. */
export async function isPassword(password: string, known: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = FORM.exec(known ?? UNKNOWN_USER) ?? [];
  if (N === undefined) return false;
  const wanted = Buffer.from(hash, 'base64url');
  const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem: MAX_MEMORY };
  const given = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), wanted.length, cost);
  return timingSafeEqual(given, wanted) && known !== null;
}
