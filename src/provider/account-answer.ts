/** What an answer of the account interface says, whether it came over HTTP or was recorded. */
import { readAnswer, type Oddity } from './answer.ts';
import { ProviderError } from './errors.ts';
import type { Operation } from './operation.ts';
import { wordsOf } from './refusal.ts';

export interface AccountAnswer {
  answer: unknown;
  /** Every field that is not as documented. */
  oddities: readonly Oddity[];
}

export interface Answered {
  operation: Operation;
  value: unknown;
  /** Where it came from. */
  url: URL;
  /** Struck out wherever the provider echoes them. */
  secrets: readonly string[];
  mostEntries: number | undefined;
}

/** Throws a `ProviderError` for a failure that the answer reports and for an answer that breaks the contract. */
export function readAccountAnswer({ operation, value, url, secrets, mostEntries }: Answered): AccountAnswer {
  refuseTooMany(operation, value, url, mostEntries);
  refuseReportedFailure(operation, value, url, secrets);
  const reading = readAnswer(operation.result, value);
  if (reading.kind === 'broken') {
    const asked = { operation: operation.id, url };
    throw new ProviderError('contract_broken', asked, ({ of }) => `the answer${of} ${reading.why}`);
  }
  return { answer: reading.value, oddities: reading.oddities };
}

function refuseTooMany(operation: Operation, value: unknown, url: URL, most = Infinity): void {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > most) {
    const asked = { operation: operation.id, url };
    throw new ProviderError('too_large', asked, ({ of }) => `the answer${of} holds more than ${most} entries`);
  }
}

/** Assigning and cancelling a number answer 200 in both outcomes; `error` decides. */
function refuseReportedFailure(operation: Operation, value: unknown, url: URL, secrets: readonly string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !('error' in value)) {
    return;
  }
  if (['0', 0, false, null, ''].includes(value.error as string)) {
    return;
  }
  const words = 'message' in value && typeof value.message === 'string' ? `: ${wordsOf(value.message, secrets)}` : '';
  const asked = { operation: operation.id, method: operation.verbs[0], url };
  throw new ProviderError('refused', asked, ({ after }) => `refused${after('by')}${words}`, { status: 200 });
}
