/** Asks the account interface of a simulator without a socket. */
import { createSimulator, type Simulator, type SimulatorOptions } from '../../../src/simulator/simulator.ts';
import { type ManualTime, manualTime } from './manual-time.ts';

export interface Said {
  status: number;
  body: unknown;
  headers: Headers;
}

export interface AccountClient extends ManualTime {
  provider: Simulator;
  /** Below `/api/v1`; a body is sent as JSON. */
  ask: (verb: string, path: string, body?: unknown) => Promise<Said>;
  /** A GET that must succeed. */
  get: <T>(path: string) => Promise<T>;
}

export function accountClient(options: SimulatorOptions = {}): AccountClient {
  const time = manualTime();
  const provider = createSimulator({ ...time, ...options });
  async function ask(verb: string, path: string, body?: unknown): Promise<Said> {
    const response = await provider.app.request(`/api/v1${path}`, {
      method: verb,
      headers: { authorization: `Bearer ${provider.accounts.account().token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = (response.headers.get('content-type') ?? '').includes('json');
    return { status: response.status, body: json ? (JSON.parse(text) as unknown) : text, headers: response.headers };
  }
  return {
    ...time,
    provider,
    ask,
    async get<T>(path: string) {
      const said = await ask('GET', path);
      if (said.status !== 200) throw new Error(`${path} answered ${said.status}: ${JSON.stringify(said.body)}`);
      return said.body as T;
    },
  };
}
