/**
 * Writes down what an account answers, as it came but without its secrets: a step for each sweep, with what was asked
 * in it and was not as before.
 */
import { MASK } from '../provider/mask.ts';
import type { RecordedAnswer } from '../provider/recorded-answer.ts';
import { ACCOUNT_PARTS } from '../simulator/history.ts';
import { ACCOUNT_OPERATIONS } from './recorded-step.ts';
import { digestOf, type Recorder } from './recorder.ts';
import type { Recording } from './recording.ts';

export interface AccountRecorder extends Recorder {
  /** To be called with every answer, before the sweep that asked for it ends. */
  answered(operation: string, answer: RecordedAnswer): void;
}

export function createAccountRecorder(account: string, recording: Recording, now: () => number): AccountRecorder {
  const last = new Map<string, string>();
  let step: Record<string, unknown> = {};

  function answered(operation: string, answer: RecordedAnswer): void {
    const part = ACCOUNT_PARTS.find((each) => ACCOUNT_OPERATIONS[each] === operation);
    if (part === undefined) return;
    const told = 'error' in answer ? answer : withoutSecrets(answer.value);
    const digest = `${recording.begun} ${digestOf(told)}`;
    if (last.get(part) === digest) return;
    last.set(part, digest);
    step[part] = told;
  }

  async function sweepEnded(): Promise<void> {
    const answers = step;
    step = {};
    if (Object.keys(answers).length === 0) return;
    await recording.add({ at: new Date(now()).toISOString(), account, ...answers });
  }

  return { answered, sweepEnded };
}

/** By their names, in whatever frame they come: what breaks the contract is recorded, too. */
const SECRET = /password|passwd|secret|token|api_?key|(stream|recording)_url/i;

function withoutSecrets(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, entry: unknown) => (SECRET.test(key) ? MASK : entry)) ?? 'null');
}
