/**
 * Receivers that were not configured for a time and are again: each source that has told them of an alert hears the
 * clock at once, and so tells them how that alert stands now.
 */
import type { Alert } from '../core/alert/record.ts';

interface Telling {
  readonly name: string;
  readonly state: { readonly alerts: readonly Alert[] };
  tick(): Promise<void>;
}

export async function catchUp(
  sources: readonly Telling[],
  isThere: (receiver: string) => boolean,
  failed: (source: string, error: unknown) => void,
): Promise<void> {
  const returns = sources.filter(({ state }) => hasReturned(state.alerts, isThere));
  await Promise.all(returns.map(({ name, tick }) => tick().catch((error: unknown) => failed(name, error))));
}

/** Whether some receiver has been told of an alert, was not there when it went on, and is there again. */
function hasReturned(alerts: readonly Alert[], isThere: (receiver: string) => boolean): boolean {
  return alerts.some(({ told }) => told.some(({ receiver, missed }) => missed === true && isThere(receiver)));
}
