/** Reads the calendar of a rota from a file or an address. */
import { isAddress } from '../../config/config.ts';
import { readTextFile } from '../../config/text-file.ts';
import { MINUTE } from '../../core/text/duration.ts';
import { createAgents, type ProxyEnvironment } from '../../net/agents.ts';
import { sendRequest } from '../../net/exchange.ts';
import { classifyNetworkFailure } from '../../net/failure.ts';
import type { ReadCalendar } from './rotas.ts';

/** A year of shifts takes some hundred kilobytes. */
const MOST_BYTES = 1_000_000;
const TIMEOUT_MS = MINUTE / 6;

/** Reasons contain neither address nor response: both may hold a secret. */
export function createCalendarReader(proxy: ProxyEnvironment): ReadCalendar {
  const agents = createAgents(proxy);
  return async (calendar, signal) => {
    if (!isAddress(calendar)) return await readTextFile(calendar);
    const url = calendar.replace(/^webcal:/i, 'https:');
    try {
      const request = { method: 'GET', url, timeoutMs: TIMEOUT_MS, signal, agents, mostBytes: MOST_BYTES } as const;
      const { status, text } = await sendRequest(request);
      if (status !== 200) return { why: `its address answered ${status}` };
      return Buffer.byteLength(text) >= MOST_BYTES ? { why: 'it is larger than 1 MB' } : { text };
    } catch (error) {
      return { why: classifyNetworkFailure(error)?.words ?? 'the connection failed' };
    }
  };
}
