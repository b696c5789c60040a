/**
 * Transport faults: delayed, dripping, truncated, reset or hanging responses. They write to the connection directly.
 */
import type { ServerResponse } from 'node:http';
import type { Timers } from '../simulator-clock.ts';
import type { FaultyAnswer } from './alter-response.ts';
import type { Fault } from './fault.ts';

type Disturbance = Extract<Fault, { kind: 'drip' | 'truncate' | 'reset' | 'hang' }>;

/** True if the fault needs the connection; other faults only change the response. */
export function isDisturbance(fault: Fault): fault is Disturbance {
  return fault.kind === 'drip' || fault.kind === 'truncate' || fault.kind === 'reset' || fault.kind === 'hang';
}

/** Resolves when the response is sent or the client has disconnected. */
export async function sendDisturbed(
  outgoing: ServerResponse,
  answer: FaultyAnswer,
  disturbance: Disturbance,
  timers: Timers,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    outgoing.once('close', resolve);
  });
  switch (disturbance.kind) {
    case 'reset':
      outgoing.socket?.resetAndDestroy();
      break;
    case 'hang':
      break;
    case 'truncate':
      truncate(outgoing, answer, disturbance.clean ?? false);
      break;
    case 'drip':
      drip(outgoing, answer, disturbance.every_ms ?? 1000, timers);
      break;
  }
  await closed;
}

function writeHead(outgoing: ServerResponse, answer: FaultyAnswer, length: number): void {
  outgoing.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'content-length': length });
}

function truncate(outgoing: ServerResponse, answer: FaultyAnswer, clean: boolean): void {
  const half = answer.body.subarray(0, Math.floor(answer.body.length / 2));
  if (clean) {
    writeHead(outgoing, answer, half.length);
    outgoing.end(half);
    return;
  }
  writeHead(outgoing, answer, answer.body.length);
  outgoing.write(half, () => {
    outgoing.socket?.destroy();
  });
}

function drip(outgoing: ServerResponse, answer: FaultyAnswer, everyMs: number, timers: Timers): void {
  writeHead(outgoing, answer, answer.body.length);
  outgoing.flushHeaders();
  let sent = 0;
  let cancel = timers.after(0, drop);
  function drop(): void {
    if (sent >= answer.body.length) {
      outgoing.end();
      return;
    }
    outgoing.write(answer.body.subarray(sent, sent + 1));
    sent += 1;
    cancel = timers.after(everyMs, drop);
  }
  outgoing.once('close', () => {
    cancel();
  });
}
