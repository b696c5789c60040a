/** Silences as lines for people. */
import type { SilenceReport } from '../daemon/control.ts';

export function silenceLine({ id, matchers, from, until, comment, state }: SilenceReport): string {
  const what = Object.entries(matchers).map(([key, values]) => `${key}=${values.join(',')}`);
  return `${id}  ${state}  ${from ?? ''} – ${until ?? ''}  ${what.join(' and ')}${comment === '' ? '' : `  “${comment}”`}`;
}
