/**
 * A step without an observation: a person acknowledges an alert. It is saved, enqueued and delivered like any other
 * step.
 */
import { type Acknowledgement, type Alert, toAlertView } from '../alert/alert.ts';
import { releaseAlert, takeInHand } from '../alert/acknowledgement.ts';
import { listNotifyDecisions } from '../correlation/notify-decision.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { withoutSettled } from '../outbox/message.ts';
import { findAddressees } from '../outbox/routing.ts';
import { hashIdentity, type TransitionOf } from '../transition/transition.ts';
import { collectUnrecorded, type KeptState, type StepContext, type StepResult } from './step.ts';

export interface AcknowledgeRequest extends Pick<Acknowledgement, 'by' | 'comment'> {
  /** Ends the acknowledgement of any person: reminders go on. */
  isRelease?: boolean;
  /** Id of the alert. */
  alert: string;
  /** Receivers that are notified through another source with a part of the alert. */
  heard: ReadonlySet<string>;
}

/** Context of the step, with the name of the source. */
export type AcknowledgeContext = StepContext & { source: string };

/**
 * Stops reminders of the alert in this source, or lets them go on after a release, and notifies its receivers and all
 * programs. Repeating the same acknowledgement by the same person changes nothing, nor does a release without one.
 */
export function acknowledge<S extends KeptState>(
  state: S,
  taking: AcknowledgeRequest,
  context: AcknowledgeContext,
): StepResult<S> {
  const { now, nextNumber } = context;
  const alerts =
    taking.isRelease === true ? releaseAlert(state.alerts, taking.alert) : takeInHand(state.alerts, taking, now);
  const taken = alerts.filter((alert, index) => alert !== state.alerts[index]);
  const [lead] = taken;
  const before = state.alerts.find(({ id }) => id === lead?.id)?.acknowledged;
  if (lead === undefined) return { state, entered: [], decisions: [], changed: false, nextNumber };
  const notified = new Map(taken.flatMap((alert) => alert.told).map((one) => [one.receiver, one]));
  const transition = createTransition(lead, before?.by ?? null, taking, context);
  const known = { ...lead, told: [...notified.values()] };
  const receivers = findAddressees(
    context.routing,
    toAlertView(known),
    [{ transition, status: 'update' }],
    [...notified.keys()],
  ).flatMap(({ receiver, audience }) =>
    !taking.heard.has(receiver) && (audience === 'programs' || notified.has(receiver)) ? [receiver] : [],
  );
  const entered = [{ transition, status: 'update' as const, alert: known, receivers }];
  const promised = enqueue(entered, taken, context);
  const unsettled = withoutSettled(state.outbox, ({ id }) => context.settled.has(id));
  return {
    state: { ...state, alerts, outbox: [...unsettled, ...promised], ...collectUnrecorded(state, entered, context) },
    entered,
    decisions: listNotifyDecisions(entered),
    changed: true,
    nextNumber,
  };
}

function createTransition(
  { id, number, title }: Alert,
  before: string | null,
  { by, comment, isRelease = false }: AcknowledgeRequest,
  { source, now }: AcknowledgeContext,
): TransitionOf<'alert.acknowledged'> {
  return {
    // Alert and time identify the acknowledgement: the same person cannot acknowledge twice in the same millisecond.
    id: hashIdentity(isRelease ? 'released' : 'acknowledged', source, id, by, comment, now),
    source,
    subject: `alert/${number}`,
    kind: 'alert.acknowledged',
    at: now,
    from: isRelease ? before : null,
    to: isRelease ? null : by,
    details: { number, title, comment, ...(isRelease && { releasedBy: by }) },
  };
}
