/** Reads answers of the account interface by the catalogue, and rejects reported failures and broken contracts. */
import { readAnswer, type AnswerOf, type Oddity } from './answer.ts';
import { ProviderError } from './errors.ts';
import type { InterfaceOrigin, ReadValue } from './http.ts';
import type { Operation } from './operation.ts';
import { summarizeText } from './reply.ts';

export type ReadOperation = Operation & { readonly effect: 'read' };

/** Reads a listing without input. Create it once: the response cache compares it by identity. */
export interface ListingReading<T> {
  operation: ReadOperation;
  read: ReadValue<T>;
}

/**
 * The result stays in the response cache, so it must not hold the oddities. Rejects an answer with more than
 * `mostEntries` before reading it.
 */
export function lookAt<Op extends ReadOperation, T>(
  operation: Op,
  mostEntries: number,
  make: (answer: AnswerOf<Op>, oddities: readonly Oddity[]) => T,
): ListingReading<T> {
  return {
    operation,
    read: (value, origin) => {
      refuseTooMany(value, { operation: operation.id, url: origin.url }, mostEntries);
      const { answer, oddities } = readAccountAnswer(operation, value, origin);
      return make(answer as AnswerOf<Op>, oddities);
    },
  };
}

export interface AccountAnswer {
  answer: unknown;
  /** All fields that differ from the documentation. */
  oddities: readonly Oddity[];
}

/** Throws `ProviderError` for reported failures and broken contracts. */
export function readAccountAnswer(
  operation: Operation,
  value: unknown,
  { url, secrets }: InterfaceOrigin,
): AccountAnswer {
  refuseReportedFailure(operation, value, url, secrets);
  const reading = readAnswer(operation.result, value);
  if (reading.kind === 'broken') {
    const asked = { operation: operation.id, url };
    throw new ProviderError('contract_broken', asked, ({ of }) => `the answer${of} ${reading.why}`);
  }
  return { answer: reading.value, oddities: reading.oddities };
}

function refuseTooMany(value: unknown, asked: { operation: string; url: URL }, most: number): void {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > most) {
    throw new ProviderError('too_large', asked, ({ of }) => `the answer${of} holds more than ${most} entries`);
  }
}

/** Assigning and cancelling a number answer 200 either way; `error` decides. */
function refuseReportedFailure(operation: Operation, value: unknown, url: URL, secrets: readonly string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !('error' in value)) {
    return;
  }
  if (['0', 0, false, null, ''].includes(value.error as string)) {
    return;
  }
  const words =
    'message' in value && typeof value.message === 'string' ? `: ${summarizeText(value.message, secrets)}` : '';
  const asked = { operation: operation.id, method: operation.verbs[0], url };
  throw new ProviderError('refused', asked, ({ after }) => `refused${after('by')}${words}`, { status: 200 });
}
