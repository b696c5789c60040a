/** A pool of the driver whose connections are limited by `waitForAnswer`, not by timers that a busy process runs late. */
import { Socket } from 'node:net';
import type { default as Driver, PoolClient, PoolConfig } from 'pg';
import { readErrorCode } from '../../net/failure.ts';
import { waitForAnswer } from '../patience.ts';

export type PatientPool = ReturnType<typeof openPool>;

/** The driver gives up what waits in its own queue after the limit times this. */
const DRIVER_GIVES_UP_AT = 4;

export interface PoolLimits {
  /** For a connection. */
  limitMs: number;
  /** Called with the code of an error or a notice of the server that belongs to no statement. */
  said(code: string | null): void;
}

export function openPool({ Pool }: Pick<typeof Driver, 'Pool'>, settings: PoolConfig, { limitMs, said }: PoolLimits) {
  /** Socket of the connection that was begun last. */
  let begun: Socket | null = null;
  const pool = new Pool({
    ...settings,
    connectionTimeoutMillis: DRIVER_GIVES_UP_AT * limitMs,
    stream: () => (begun = new Socket()),
  });
  // A connection that breaks while idle is replaced; the next statement finds out the state of the database.
  pool.on('error', (error) => said(readErrorCode(error)));
  pool.on('connect', (client) => client.on('notice', ({ code }) => said(code ?? null)));

  /** The driver begins a connection at once, if no idle one is left. */
  function begin(): { connecting: Promise<PoolClient>; socket: Socket | null } {
    begun = null;
    const connecting = pool.connect();
    return { connecting, socket: begun };
  }

  return {
    /** Rejects if there is no connection in time. */
    async connect() {
      const { connecting, socket } = begin();
      try {
        return await waitForAnswer(limitMs, connecting);
      } catch (error) {
        socket?.destroy();
        connecting.then((late) => late.release(true)).catch(() => undefined);
        throw error;
      }
    },
    end: () => pool.end(),
  };
}
