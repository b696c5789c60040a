/** Outcome of a response: rules of the preset first, then the table shared by all receivers. */
import { readValue } from '../../core/text/plain-object.ts';
import { readRetryAfter } from '../../net/retry-after.ts';
import type { Answer } from '../../net/exchange.ts';
import { toOutcome } from '../outcome.ts';
import type { Outcome } from '../receiver.ts';
import type { AnswerMatch, AnswerRule, Preset, RetryField } from './preset.ts';

/** A response with its parsed body. */
export interface ReadAnswer extends Answer {
  /** Undefined if it is not JSON. */
  body: unknown;
}

/** Integers above 2^53 stay as they are written. */
export function readAnswer(answer: Answer): ReadAnswer {
  return { ...answer, body: parseJson(answer.text) };
}

function parseJson(text: string): unknown {
  const exact = (_: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? context?.source : value;
  try {
    return JSON.parse(text, exact);
  } catch {
    return undefined;
  }
}

/** First matching rule, or null. */
export function findRule({ answers }: Preset, answer: ReadAnswer): AnswerRule | null {
  return answers.find((rule) => isMatch(rule, answer)) ?? null;
}

export function isMatch({ status, body, given, has }: AnswerMatch, answer: ReadAnswer): boolean {
  if (status.length > 0 && !status.includes(answer.status)) return false;
  if (given !== null && readValue(answer.body, given) === undefined) return false;
  if (has !== null && !answer.text.toLowerCase().includes(has.toLowerCase())) return false;
  return Object.entries(body).every(([path, value]) => {
    const found = readValue(answer.body, path);
    return found !== undefined && String(found) === String(value);
  });
}

/** Quotes nothing of the response, which may echo the address and the secret in it. */
export function toPresetOutcome(preset: Preset, answer: ReadAnswer, rule: AnswerRule | null, now: number): Outcome {
  const { title, success, proves } = preset;
  const retryAfterMs = retryTime(preset.retryAfter, answer, now);
  const said = `${title} answered ${answer.status}`;
  if (rule !== null) {
    const { means, why, code } = rule;
    const reason = why === null ? said : `${said}: ${why}`;
    if (means === 'again') return { kind: 'transient', code: code ?? 'server', reason, retryAfterMs };
    if (means === 'never') return { kind: 'permanent', code: code ?? 'refused', reason };
    return { kind: 'delivered', detail: said, proof: means };
  }
  const outcome = toOutcome(title, answer, now);
  if (outcome.kind === 'transient') return { ...outcome, retryAfterMs };
  if (outcome.kind !== 'delivered') return outcome;
  if (!answer.text.trimStart().startsWith('<') && (success === null || isMatch(success, answer))) {
    return { ...outcome, proof: proves };
  }
  const reason = `${said}, and not as a success does; check the address`;
  return { kind: 'transient', code: 'other', reason, retryAfterMs };
}

/** Header `Retry-After` first, as the standard has it. */
function retryTime(fields: readonly RetryField[], answer: ReadAnswer, now: number): number | null {
  const at = { sent: answer.date, now, direction: 'sending' } as const;
  const values = fields.map(({ header, body, unit }) => {
    const value = header === null ? readValue(answer.body, body ?? '') : answer.headers[header.toLowerCase()];
    const text = typeof value === 'number' || typeof value === 'string' ? String(value) : null;
    return unit === 'ms' && text !== null ? String(Number(text) / 1000) : text;
  });
  for (const value of [answer.retryAfter, ...values]) {
    const ms = readRetryAfter({ value, ...at });
    if (ms !== null) return ms;
  }
  return null;
}
