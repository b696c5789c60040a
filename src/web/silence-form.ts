/** What a person fills in to mute something, and what it comes to. */
import { oneLine } from '../core/text/plain.ts';
import { span } from '../core/wording/time.ts';
import { DAY, HOUR, MINUTE } from '../core/text/duration.ts';

export const LENGTHS: readonly { value: string; text: string; ms: number }[] = [
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  DAY,
  3 * DAY,
  7 * DAY,
].map((ms) => ({ value: String(ms), text: span(ms), ms }));

/** Every field as it was written. */
export interface SilenceForm {
  source: string;
  severity: string;
  component: string;
  other: string;
  length: string;
  comment: string;
}

/** What is asked of the daemon. */
export interface SilenceAsk {
  matchers: Record<string, string[]>;
  from: number;
  until: number;
  comment: string;
}

export function silenceForm(field: (name: string) => string | undefined): SilenceForm {
  const read = (name: string): string => oneLine(field(name) ?? '').slice(0, 1000);
  return {
    source: read('source'),
    severity: read('severity'),
    component: read('component'),
    other: read('other'),
    length: read('length') || String(2 * HOUR),
    comment: read('comment'),
  };
}

/** What to ask for, or a sentence that says what is wrong. */
export function askOf(form: SilenceForm, now: number): SilenceAsk | string {
  const length = LENGTHS.find(({ value }) => value === form.length);
  if (length === undefined) return 'Choose for how long.';
  const matchers: Record<string, string[]> = {};
  for (const key of ['source', 'severity', 'component'] as const) {
    const values = parted(form[key]);
    if (values.length > 0) matchers[key] = values;
  }
  if (form.other !== '') {
    const [, key, written] = /^([A-Za-z][\w-]*)\s*=(.+)$/s.exec(form.other) ?? [];
    const values = parted(written ?? '');
    if (key === undefined || values.length === 0) {
      return 'Anything else is written KEY=VALUE, or KEY=VALUE,VALUE for several values.';
    }
    if (Object.hasOwn(matchers, key)) return `${key} is chosen above already; leave it out of anything else.`;
    matchers[key] = values;
  }
  if (Object.keys(matchers).length === 0) return 'Say what to mute: a silence without that would mute everything.';
  return { matchers, from: now, until: now + length.ms, comment: form.comment };
}

function parted(text: string): string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
