/** Requests to the running daemon over its control socket, with their answers. All values are JSON. */
import type { Config } from '../../config/config.ts';
import type { ControlRoutes } from '../../control/protocol.ts';
import { reportStatus, type StatusReport } from '../../core/view/status-report.ts';
import { acknowledging, type AlertContract, alertRoutes, type AlertWiring } from './alerts.ts';
import { type MuteContract, muteRoutes } from './mute-alert.ts';
import { type CallsContract, createCallsRoutes, FORGET_NUMBER, LIST_MISSED } from './calls-asks.ts';
import { partsOfNow, type Deeds } from '../status/daemons.ts';
import { type DeliveryContract, deliveryRoutes, DROP, RETRY } from './delivery-asks.ts';
import { memberRoutes, type KnownMembers, type MemberContract } from './member-routes.ts';
import { createTest, testReceiver, type TestContract } from './receiver-test.ts';
import { type SilenceContract, silenceRequests, silenceRoutes, type SilenceWiring } from './silence-asks.ts';

export interface DaemonContract
  extends CallsContract, AlertContract, MuteContract, SilenceContract, DeliveryContract, TestContract, MemberContract {
  status: { ask: Record<string, never>; answer: StatusReport };
  /** Writes pending records into the history, so that the next reader finds everything. */
  record: { ask: Record<string, never>; answer: Record<string, never> };
  /**
   * About the running configuration: absolute path of its file; time zone of its messages (IANA name); location of its
   * state.
   */
  whose: { ask: Record<string, never>; answer: { file: string; timezone: string; state: 'files' | 'database' } };
}

export interface ControlWiring extends AlertWiring, SilenceWiring {
  configuration(): Pick<Config, 'file' | 'timezone' | 'database'>;
  /** Resolves when all pending records are in the history. */
  record(): Promise<void>;
  /** Null or absent if the state is in files. */
  members?(): KnownMembers | null;
}

/** Routes reject with `ControlRefusal` and a sentence for people if a request cannot be performed. */
export function controlRoutes(wiring: ControlWiring): ControlRoutes<DaemonContract> {
  const silences = silenceRoutes(wiring);
  return {
    async status() {
      await partsOfNow(wiring.daemons);
      return reportStatus(wiring.picture());
    },
    async record() {
      await wiring.record();
      return {};
    },
    whose() {
      const { file, timezone, database } = wiring.configuration();
      return Promise.resolve({ file, timezone, state: database === null ? 'files' : 'database' });
    },
    ...alertRoutes(wiring),
    ...muteRoutes(wiring, silences['silence.add']),
    ...silences,
    ...deliveryRoutes(wiring.daemons),
    'deliveries.test': async (ask) => await testReceiver(wiring.daemons, createTest(wiring.now), ask),
    ...createCallsRoutes(wiring.daemons),
    ...memberRoutes(() => wiring.members?.() ?? null),
  };
}

/** Requests that a member performs for another one, because it leads the part. */
export function deedsOf(wiring: Pick<AlertWiring, 'picture' | 'alert'> & Pick<SilenceWiring, 'now'>): Deeds {
  const { add, expire } = silenceRequests(wiring.now);
  return new Map(
    [add, expire, acknowledging(wiring), RETRY, DROP, createTest(wiring.now), LIST_MISSED, FORGET_NUMBER].map(
      ({ name, deed }) => [name, deed],
    ),
  );
}
