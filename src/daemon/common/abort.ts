/** Waits that an abort signal ends. */

/** Resolves with true when the promise is settled, and with false when the signal is aborted first. Rejects as the promise. */
export async function waitUnlessAborted(promise: Promise<unknown>, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal === undefined) {
    await promise;
    return true;
  }
  if (signal.aborted) return false;
  const { promise: aborted, resolve } = Promise.withResolvers<boolean>();
  const abort = (): void => resolve(false);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([promise.then(() => true), aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
