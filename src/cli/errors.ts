/** What a command may end with besides its exit code: a clear sentence on stderr, without a stack. */

/** The user asked for something that cannot be: exit code 2 (3 for `check`). */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** What was asked for is right and could not be done: exit code 1. */
export class CommandFailure extends Error {
  override readonly name: string = 'CommandFailure';
}
