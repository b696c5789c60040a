/** Requests about calls over the control socket: list missed callers, and erase a number. */
import * as z from 'zod';
import { ControlRefusal, type ControlRoutes } from '../../control/protocol.ts';
import type { AccountState } from '../../core/engine/account-kind.ts';
import { toMissedDetails, isOfOutage } from '../../core/calls/judge-calls.ts';
import { findMissedCallers } from '../../core/calls/missed-callers.ts';
import { SECOND } from '../../core/text/duration.ts';
import { isSameNumber, toNumberKey } from '../../core/text/phone-number.ts';
import type { MissedDetails } from '../../core/transition/call-details.ts';
import { formatUnreadReports, type MissedReport } from '../../core/view/standing/calls-view.ts';
import { deleteNumber } from '../../core/transition/mask-transition.ts';
import { readAsk } from './asking.ts';
import type { Daemon } from '../loop/daemon.ts';
import { doneIn, partsOfNow, type Daemons, type Request } from '../status/daemons.ts';
import type { CallsLoop } from '../calls/calls-loop.ts';
import { toCallBook, isOutage, toOutage } from '../calls/phones-and-calls.ts';

export interface CallsContract {
  'calls.missed': { ask: z.infer<typeof missedAsk>; answer: MissedReport[] };
  'calls.forget': { ask: z.infer<typeof forgetAsk>; answer: { erased: number } };
}

const missedAsk = z.strictObject({ alert: z.int().min(1).nullable(), since: z.int().min(0).nullable() });
const forgetAsk = z.strictObject({ number: z.string().max(100) });

export const LIST_MISSED: Request<MissedReport[]> = {
  name: 'calls.missed',
  deed(daemon, ask) {
    const wanted = readAsk(missedAsk, ask);
    return Promise.resolve(
      [...daemon.calls].flatMap(([source, loop]) => {
        const missed = findMissedIn(loop, loop.state, wanted);
        return missed === null ? [] : [{ source, missed, unread: unreadOf(loop) }];
      }),
    );
  },
};

export const FORGET_NUMBER: Request<{ erased: number }> = {
  name: 'calls.forget',
  async deed(daemon, ask) {
    const { number } = readAsk(forgetAsk, ask);
    if (toNumberKey(number) === null) throw new ControlRefusal(`“${number}” is no telephone number.`);
    let erased = 0;
    for (const [source, loop] of daemon.calls) erased += await forgetIn(daemon, source, loop, number);
    return { erased };
  },
};

/** Rejects with `ControlRefusal` if no account's calls are watched, or none has such an alert. */
export function createCallsRoutes(daemons: Daemons): ControlRoutes<CallsContract> {
  return {
    async 'calls.missed'(ask) {
      const { alert } = readAsk(missedAsk, ask);
      const reports = await askAll(daemons, LIST_MISSED, ask);
      const all = reports.flat();
      if (all.length === 0 && alert !== null) {
        throw new ControlRefusal(`There is no alert #${alert} of lost phones or a switch whose calls are watched.`);
      }
      return all;
    },
    async 'calls.forget'(ask) {
      readAsk(forgetAsk, ask);
      const erased = await askAll(daemons, FORGET_NUMBER, ask);
      return { erased: erased.reduce((sum, one) => sum + one.erased, 0) };
    },
  };
}

/** Missed callers of this alert by account; empty for an alert without calls. */
export async function listCallers(daemons: Daemons, alert: number): Promise<MissedReport[]> {
  return (await askAll(daemons, LIST_MISSED, { alert, since: null })).flat();
}

async function askAll<A>(daemons: Daemons, request: Request<A>, ask: unknown): Promise<A[]> {
  const answers: A[] = [];
  for (const part of await partsOfNow(daemons)) answers.push(await doneIn(part, request, ask));
  return answers;
}

/** Null if the account has no part in the alert. Times are epoch milliseconds; default: the last two hours. */
export function findMissedIn(
  loop: CallsLoop,
  state: AccountState,
  { alert: number, since }: z.infer<typeof missedAsk>,
): MissedDetails | null {
  const { ledger, settings, pace } = loop;
  const now = loop.now();
  const alert = number === null ? null : state.alerts.find((one) => one.number === number && isOutage(one));
  if (alert === undefined) return null;
  const outage = alert === null ? null : toOutage(alert, pace, alert.resolvedAt ?? now);
  const from = outage?.from ?? since ?? now - 7_200 * SECOND;
  const span = { from: Math.floor(from / SECOND), to: Math.ceil((outage?.to ?? now) / SECOND) };
  const book = toCallBook(ledger);
  const missed = findMissedCallers(book, span, (call) => outage === null || isOfOutage(call, outage));
  const details = toMissedDetails(missed, { book, span, settings }, Infinity);
  return outage === null || outage.toggle === null ? details : { ...details, toggle: outage.toggle };
}

function unreadOf(loop: CallsLoop): string[] {
  return formatUnreadReports(loop.view(), loop.settings.timezone, loop.now());
}

async function forgetIn(daemon: Daemon, source: string, loop: CallsLoop, number: string): Promise<number> {
  const erased = await loop.ledger.forget(number, loop.now());
  const account = daemon.accounts.find(({ name }) => name === source);
  const isMeant = (written: string): boolean => isSameNumber(written, number);
  // Only another commit replaces the backup copy from before this commit.
  const erase = (state: AccountState): AccountState => withoutNumber(state, isMeant);
  await account?.keep(erase, true);
  await account?.keep(erase, true);
  return erased;
}

function withoutNumber(state: AccountState, isMeant: (number: string) => boolean): AccountState {
  const { calls } = state.snapshot;
  const told = Object.entries(calls?.told ?? {}).map(([subject, one]) => {
    const { details } = deleteNumber({ ...one } as unknown as Parameters<typeof deleteNumber>[0], isMeant);
    return [subject, { ...one, details }] as const;
  });
  return {
    ...state,
    snapshot:
      calls === undefined
        ? state.snapshot
        : { ...state.snapshot, calls: { ...calls, told: Object.fromEntries(told) as typeof calls.told } },
    alerts: state.alerts.map((alert) =>
      alert.lastChange === null
        ? alert
        : {
            ...alert,
            lastChange: { ...alert.lastChange, transition: deleteNumber(alert.lastChange.transition, isMeant) },
          },
    ),
    outbox: state.outbox.map((entry) => ({
      ...entry,
      changes: entry.changes.map((change) => ({ ...change, transition: deleteNumber(change.transition, isMeant) })),
    })),
  };
}
