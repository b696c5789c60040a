/** Requests about calls: list missed callers, and erase a number. */
import * as z from 'zod';
import { ControlRefusal } from '../../control/protocol.ts';
import type { AccountState } from '../../core/engine/account-kind.ts';
import { toMissedDetails, isOfOutage } from '../../core/calls/judge-calls.ts';
import { findMissedCallers } from '../../core/calls/missed-callers.ts';
import { SECOND } from '../../core/text/duration.ts';
import { isSameNumber, toNumberKey } from '../../core/text/phone-number.ts';
import type { MissedDetails } from '../../core/transition/call-details.ts';
import { formatUnreadReports, type MissedReport } from '../../core/view/standing/calls-view.ts';
import { deleteNumber } from '../../core/transition/mask-transition.ts';
import type { Daemon } from '../loop/daemon.ts';
import { fetchParts, type Daemons, type DaemonPart } from '../status/daemons.ts';
import { defineRequest } from './request.ts';
import type { CallsLoop } from '../calls/calls-loop.ts';
import { LeaseLost } from '../../store/postgres/lease.ts';
import { toCallBook, isOutage, toOutage } from '../calls/phones-and-calls.ts';

const missedAsk = z.strictObject({ alert: z.int().min(1).nullable(), since: z.int().min(0).nullable() });

/** By account; empty for an alert of another kind, or one of accounts whose calls are not watched. */
export const LIST_MISSED = defineRequest({
  name: 'calls.missed',
  asks: missedAsk,
  changes: false,
  perform(daemon, wanted): Promise<MissedReport[]> {
    return Promise.resolve(
      [...daemon.calls].flatMap(([source, loop]) => {
        const missed = findMissedIn(loop, loop.state, wanted);
        return missed === null ? [] : [{ source, missed, unread: unreadOf(loop) }];
      }),
    );
  },
  answer: async ({ daemons, performIn }) => (await performInEach(daemons, performIn)).flat(),
});

const NOT_ON_DISK =
  'The number is erased in memory only, as nothing can be saved; “linewatch status” says what. Repeat this when it can be saved again.';

/** Erases a number from all stored data. */
export const FORGET_NUMBER = defineRequest({
  name: 'calls.forget',
  asks: z.strictObject({ number: z.string().max(100) }),
  changes: true,
  async perform(daemon, { number }) {
    if (toNumberKey(number) === null) throw new ControlRefusal(`“${number}” is no telephone number.`);
    let [erased, isSaved] = [0, true];
    for (const [source, loop] of daemon.calls) {
      erased += await loop.ledger.forget(number, loop.now());
      isSaved = (await saveErased(daemon, source, loop, number)) && isSaved;
    }
    if (!isSaved) throw new ControlRefusal(NOT_ON_DISK);
    return { erased };
  },
  async answer({ daemons, performIn }) {
    const erased = await performInEach(daemons, performIn);
    return { erased: erased.reduce((sum, one) => sum + one.erased, 0) };
  },
});

/** One after the other. */
async function performInEach<P>(daemons: Daemons, performIn: (part: DaemonPart) => Promise<P>): Promise<P[]> {
  const answers: P[] = [];
  for (const part of await fetchParts(daemons)) answers.push(await performIn(part));
  return answers;
}

/** Null if the account has no part in the alert. Times are epoch milliseconds; default: the last two hours. */
function findMissedIn(
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

/** Resolves to false if the disk refuses it. */
async function saveErased(daemon: Daemon, source: string, loop: CallsLoop, number: string): Promise<boolean> {
  const isSaved = await loop.ledger.save(loop.now()).then(
    () => true,
    (error: unknown) => {
      if (error instanceof LeaseLost) throw error;
      return false;
    },
  );
  const account = daemon.accounts.find(({ name }) => name === source);
  const isMeant = (written: string): boolean => isSameNumber(written, number);
  // Only another commit replaces the backup copy from before this commit.
  const erase = (state: AccountState): AccountState => withoutNumber(state, isMeant);
  await account?.keep(erase, true);
  await account?.keep(erase, true);
  return isSaved && !daemon.unsaved().includes(source);
}

function withoutNumber(state: AccountState, isMeant: (number: string) => boolean): AccountState {
  const { calls } = state.snapshot;
  const findings = Object.entries(calls?.told ?? {}).map(([subject, one]) => {
    const { details } = deleteNumber({ ...one } as unknown as Parameters<typeof deleteNumber>[0], isMeant);
    return [subject, { ...one, details }] as const;
  });
  return {
    ...state,
    snapshot:
      calls === undefined
        ? state.snapshot
        : { ...state.snapshot, calls: { ...calls, told: Object.fromEntries(findings) as typeof calls.told } },
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
