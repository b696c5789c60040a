/** An extension that is only looked at may be named by its number: where there is no such id, the id is looked up. */
import { oneLine } from '../../core/text/plain.ts';
import type { AccountClient } from '../../provider/account-client.ts';
import { ProviderError } from '../../provider/errors.ts';
import type { Operation } from '../../provider/operation.ts';
import type { OperationInput } from './input.ts';

export interface Numbered {
  input: OperationInput;
  /** What to tell: another id was asked for than was typed. */
  remark: string;
}

/** Null where the failure is of another kind, or where no extension has that number. What changes something is never guessed. */
export async function byNumber(
  client: AccountClient,
  operation: Operation,
  input: OperationInput,
  failure: unknown,
  signal: AbortSignal,
): Promise<Numbered | null> {
  if (operation.id !== 'extensions.show') return null;
  if (!(failure instanceof ProviderError) || failure.code !== 'not_found') return null;
  const typed = String(input['extension']);
  const extensions = await client.call('extensions.list', {}, { signal });
  const [found, ...more] = extensions.filter(({ user_id: number }) => number === typed);
  if (found === undefined || more.length > 0) return null;
  const remark = `There is no extension with the id ${typed}; this is extension number ${typed}, ${oneLine(found.name ?? 'without a name')}, with the id ${found.id}.`;
  return { input: { ...input, extension: found.id }, remark };
}
