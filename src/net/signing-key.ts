/** The key a webhook's signature is made with, as every library of Standard Webhooks reads it. */

const PREFIX = 'whsec_';
/** Keys of the specification's asymmetric signatures, which are another thing than a shared secret. */
const ASYMMETRIC = /^wh[sp]k_/;

/**
 * `whsec_` and base64, or any other text for its bytes. Null for what no library could verify: they refuse to decode it,
 * while the platform decodes anything and would sign with a key that nobody else comes to.
 */
export function signingKey(secret: string): Uint8Array | null {
  if (ASYMMETRIC.test(secret)) return null;
  if (!secret.startsWith(PREFIX)) return Buffer.from(secret, 'utf8');
  const encoded = secret.slice(PREFIX.length).replace(/={0,2}$/, '');
  const key = Buffer.from(encoded, 'base64');
  return key.length > 0 && key.toString('base64').replace(/=+$/, '') === encoded ? key : null;
}
