/** The table of requests to the running daemon, and the control socket's routes made from it. All values are JSON. */
import type { input, ZodType } from 'zod';
import * as z from 'zod';
import type { ControlRoutes } from '../../control/protocol.ts';
import { reportStatus } from '../../core/view/status-report.ts';
import { fetchParts, type Performers } from '../status/daemons.ts';
import { ACKNOWLEDGE, LIST_ALERTS, RELEASE, SHOW_ALERT } from './alerts.ts';
import { FORGET_NUMBER, LIST_MISSED } from './calls-asks.ts';
import { DROP, LIST_WAITING, RETRY } from './delivery-asks.ts';
import { FORGET_MEMBER } from './member-routes.ts';
import { MARK_SEEN } from './mark-seen.ts';
import { MUTE_ALERT } from './mute-alert.ts';
import { TEST_RECEIVER } from './receiver-test.ts';
import {
  answerRequest,
  defineRequest,
  type PerformContext,
  performRequest,
  type RequestContext,
  type RequestRow,
} from './request.ts';
import { ADD_SILENCE, EXPIRE_SILENCE, LIST_SILENCES } from './silence-asks.ts';

const nothing = z.strictObject({});

const STATUS = defineRequest({
  name: 'status',
  asks: nothing,
  changes: false,
  async answer({ daemons, status }) {
    await fetchParts(daemons);
    return reportStatus(status());
  },
});

/** Writes pending records into the history, so that the next report is complete. */
const RECORD = defineRequest({
  name: 'record',
  asks: nothing,
  changes: false,
  async answer({ record }) {
    await record();
    return {};
  },
});

/** The running configuration: absolute path of its file, time zone (IANA name), location of its state. */
const WHOSE = defineRequest({
  name: 'whose',
  asks: nothing,
  changes: false,
  answer({ configuration }) {
    const { file, timezone, database } = configuration();
    return Promise.resolve({ file, timezone, state: database === null ? ('files' as const) : ('database' as const) });
  },
});

const REQUESTS = [
  STATUS,
  RECORD,
  WHOSE,
  LIST_ALERTS,
  SHOW_ALERT,
  ACKNOWLEDGE,
  RELEASE,
  MUTE_ALERT,
  ADD_SILENCE,
  LIST_SILENCES,
  EXPIRE_SILENCE,
  LIST_WAITING,
  RETRY,
  DROP,
  TEST_RECEIVER,
  MARK_SEEN,
  LIST_MISSED,
  FORGET_NUMBER,
  FORGET_MEMBER,
] as const;

type RequestsRow = (typeof REQUESTS)[number];

/** Question and answer of each request by its name. */
export type DaemonContract = {
  [R in RequestsRow as R['name']]: { ask: input<R['asks']>; answer: Awaited<ReturnType<R['answer']>> };
};

type AnyRow = RequestRow<string, ZodType, unknown, unknown>;

/** Routes reject with `ControlRefusal` for a request that cannot be performed. */
export function createControlRoutes(context: RequestContext): ControlRoutes<DaemonContract> {
  const routes = (REQUESTS as readonly AnyRow[]).map(
    (row) => [row.name, (ask: unknown) => answerRequest(row, context, ask)] as const,
  );
  return Object.fromEntries(routes) as unknown as ControlRoutes<DaemonContract>;
}

/** Requests that this member performs for another one, on the sources that it leads. */
export function listPerformers(context: PerformContext): Performers {
  const rows = (REQUESTS as readonly AnyRow[]).filter(({ perform }) => perform !== undefined);
  return new Map(rows.map((row) => [row.name, (daemon, ask) => performRequest(row, daemon, ask, context)]));
}
