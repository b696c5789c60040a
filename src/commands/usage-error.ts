/** The user asked for something that cannot be: a clear sentence, no stack, exit code 2 (3 for `check`). */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'usage';
}
