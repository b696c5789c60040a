/** Explains a failure of the provider with a sentence and an exit code. */
import { MASK } from '../../provider/field-kinds.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import { isTransient, ProviderError } from '../../provider/errors.ts';
import type { Operation } from '../../provider/operation.ts';
import { CommandFailure, UsageError } from '../command.ts';
import { listFields } from './operation-fields.ts';
import type { OperationInput } from './typed-input.ts';
import { formatName } from './operations.ts';
import { toOption } from './parsed-options.ts';

/**
 * Secrets shorter than this are not masked in sentences, which would become unreadable; a voicemail code has four
 * digits.
 */
const SHORTEST = 4;

/** Returns other errors unchanged. */
export function explainFailure(operation: Operation, input: OperationInput, error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  if (error.code === 'validation' && !error.maybeSeen) {
    const wrong = Object.entries(error.fields ?? {});
    const list = wrong.map(
      ([name, why]) => `${typed(operation, name)} ${inTypedWords(operation, error.named, why.join(' and '))}`,
    );
    return new UsageError(list.length === 0 ? error.message : list.join('; '), { cause: error });
  }
  const fields = Object.entries(error.fields ?? {}).map(([name, why]) => `${typed(operation, name)}: ${why.join(' ')}`);
  // After a 429 nothing was done.
  const isLater = error.code === 'rate_limited';
  const isLost = LOST.has(error.code) || (isTransient(error) && !isLater);
  const isUnknown = operation.effect !== 'read' && error.maybeSeen && isLost;
  const wait = isLater ? (error.retryAfterMs ?? 0) : 0;
  const message = [
    `account ${formatName(operation)}: ${error.sentence}`,
    ...fields.map((line) => `  ${line}`),
    ...(wait > 0 ? [`The provider wants to be asked again in ${formatElapsed(wait)} at the earliest.`] : []),
    ...(isUnknown ? ['It may have been done all the same: look before you try again.'] : []),
  ].join('\n');
  return new CommandFailure(withoutSecrets(operation, input, message), { cause: error });
}

/** Failures after which the outcome is unknown. */
const LOST: ReadonlySet<string> = new Set(['cancelled', 'contract_broken', 'too_large']);

/** `EXTENSION` for an id, `--vm-password` for a field, without list indexes. Others keep the provider's name. */
function typed(operation: Operation, path: string): string {
  const [name = path] = path.split('.');
  const { ids, fields } = listFields(operation);
  if (ids.some((field) => field.name === name)) return name.toUpperCase();
  return fields.some((field) => field.name === name) ? toOption(name) : path;
}

/** A reason may mention other fields. */
function inTypedWords(operation: Operation, named: readonly string[], why: string): string {
  return named.reduce((text, name) => text.replaceAll(name, typed(operation, name)), why);
}

/** The provider may quote the rejected value. */
function withoutSecrets(operation: Operation, input: OperationInput, message: string): string {
  const secrets = listFields(operation)
    .fields.filter(({ secret }) => secret)
    .map(({ name }) => input[name]);
  return secrets.reduce<string>(
    (text, secret) => (typeof secret === 'string' && secret.length >= SHORTEST ? text.replaceAll(secret, MASK) : text),
    message,
  );
}
