/** Answers without what must not be shown: documented secrets, signed addresses, and what nobody documented but looks like a secret. */
import { MASK, maskSecrets } from '../../provider/fields.ts';
import type { Operation } from '../../provider/operation.ts';

/** Names that give a secret away where no schema speaks of the field. */
const SECRET_NAME = /passw|secret|token|api_?key|private|credential/i;

export function maskAnswer(operation: Operation, answer: unknown): unknown {
  return maskRest(maskSecrets(operation, answer));
}

function maskRest(value: unknown): unknown {
  if (typeof value === 'string') return withoutSignature(value);
  if (Array.isArray(value)) return value.map(maskRest);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.create(Object.getPrototypeOf(value) as object | null) as object;
  for (const [name, entry] of Object.entries(value)) {
    Object.defineProperty(copy, name, {
      value: SECRET_NAME.test(name) && isFilled(entry) ? MASK : maskRest(entry),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

function isFilled(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

/** The query of an address may be what opens it: a signature, a token, an expiry that was granted. */
function withoutSignature(text: string): string {
  return text.replaceAll(/\b(https?:\/\/[^\s?#]+)[?#]\S+/gi, `$1?${MASK}`);
}
