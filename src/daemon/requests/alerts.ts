/** Requests about alerts: list open ones, show the story of one, acknowledge one. */
import * as z from 'zod';
import { ControlRefusal } from '../../control/protocol.ts';
import { SELF_NAME } from '../../core/engine/self-source.ts';
import { toOneLine } from '../../core/text/plain.ts';
import { readStory } from '../../core/view/story/known-story.ts';
import type { OpenAlert, SystemStatus } from '../../core/view/system-status.ts';
import type { MissedReport } from '../../core/view/standing/calls-view.ts';
import { reportAlert } from '../../core/view/status-report.ts';
import type { AlertReport } from '../../core/view/story/alert-schema.ts';
import { reportStory } from '../../core/view/story/story-report.ts';
import type { StoryReport } from '../../core/view/story/story-schema.ts';
import type { Daemon } from '../loop/daemon.ts';
import { LIST_MISSED } from './calls-asks.ts';
import { MARK_SEEN } from './mark-seen.ts';
import { fetchParts, type Daemons, type DaemonPart } from '../status/daemons.ts';
import { answerOrRefusal, answerRequest, defineRequest, type AnswerContext, type PerformContext } from './request.ts';

export const LIST_ALERTS = defineRequest({
  name: 'alert.list',
  asks: z.strictObject({}),
  changes: false,
  async answer({ daemons, status }) {
    await fetchParts(daemons);
    return status().open.map(reportAlert);
  },
});

/** Refuses a number that is unknown or forgotten. */
export const SHOW_ALERT = defineRequest({
  name: 'alert.show',
  asks: z.strictObject({ number: z.int().min(1) }),
  changes: false,
  async answer(context, { number }): Promise<StoryReport> {
    await fetchParts(context.daemons);
    const { alert, stories } = context;
    const { story, history, unread } = await readStory({ alert, ...stories }, number);
    if (story === null) throw new ControlRefusal(unread ?? `There is no alert #${number}, or it is forgotten.`);
    const callers = await answerOrRefusal(answerRequest(LIST_MISSED, context, { alert: number, since: null }));
    return { ...reportStory(story, history, unread), ...reportCallers(callers) };
  },
});

function reportCallers(callers: readonly MissedReport[] | string): Pick<StoryReport, 'callers' | 'callers_unread'> {
  if (typeof callers === 'string') return { callers_unread: callers };
  return callers.length === 0 ? {} : { callers: [...callers] };
}

/** Acknowledges it in each daemon that watches a source of the alert. The answer lists the notified receivers. */
export const ACKNOWLEDGE = defineRequest({
  name: 'alert.ack',
  asks: z.strictObject({
    number: z.int().min(1),
    by: z.string().trim().min(1, { error: 'who has it?' }).max(100),
    comment: z.string().max(1000),
  }),
  changes: true,
  perform: (daemon, ask, context): Promise<Acknowledged> => acknowledgeHere(daemon, ask, context),
  async answer(context, ask) {
    const answer = await answerAcknowledged(context, ask);
    // The alert is acknowledged even if its receivers cannot be marked as seen now.
    await answerOrRefusal(answerRequest(MARK_SEEN, context, { receivers: answer.told }));
    return answer;
  },
});

/** Ends the acknowledgement of any person: reminders go on. The answer lists the notified receivers. */
export const RELEASE = defineRequest({
  name: 'alert.release',
  asks: z.strictObject({
    number: z.int().min(1),
    by: z.string().trim().min(1, { error: 'who releases it?' }).max(100),
  }),
  changes: true,
  perform: (daemon, { number, by }, context): Promise<Acknowledged> =>
    acknowledgeHere(daemon, { number, by, comment: '', isRelease: true }, context),
  async answer(context, ask) {
    await fetchParts(context.daemons);
    // Checked once: after the first of several parts it is no longer acknowledged.
    if (requireOpen(context, ask.number, 'release').acknowledged === null) {
      throw new ControlRefusal(`Alert #${ask.number} is not acknowledged: there is nothing to release.`);
    }
    return await answerAcknowledged(context, ask);
  },
});

interface Acknowledged {
  alert: AlertReport;
  told: string[];
}

async function acknowledgeHere(
  daemon: Daemon,
  { number, by, comment, isRelease = false }: { number: number; by: string; comment: string; isRelease?: boolean },
  context: PerformContext,
): Promise<Acknowledged> {
  const alert = requireOpen(context, number, 'take');
  const takers = alert.sources.flatMap((source) => takerOf(daemon, source) ?? []);
  if (takers.length === 0) throw new ControlRefusal(`#${number} changes hands just now; ask again in a moment.`);
  const taking = { alert: alert.id, by: toOneLine(by), comment: toOneLine(comment), isRelease };
  const heard = new Set<string>();
  // The first source with a route to a receiver notifies it; the others skip it.
  for (const taker of takers) for (const receiver of await taker.acknowledge({ ...taking, heard })) heard.add(receiver);
  return { alert: reportAlert(requireOpen(context, number, 'take')), told: [...heard] };
}

async function answerAcknowledged(
  { daemons, status, performIn }: AnswerContext<Acknowledged>,
  { number }: { number: number },
): Promise<Acknowledged> {
  const [first, ...others] = await partsWith(number, daemons, status);
  const answer = await performIn(first);
  const notified = new Set(answer.told);
  for (const part of others) for (const one of (await performIn(part)).told) notified.add(one);
  return { ...answer, told: [...notified] };
}

/** The parts that watch sources of the alert. Without such an alert it is the first part, which refuses. */
async function partsWith(
  number: number,
  daemons: Daemons,
  status: () => SystemStatus,
): Promise<readonly [DaemonPart, ...DaemonPart[]]> {
  const parts = daemons.parts();
  if (parts.length === 1) return parts;
  // An alert just opened by another member is not known here yet.
  if (openIn(status(), number) === undefined) await daemons.refresh();
  const alert = openIn(status(), number);
  const [found, ...others] = daemons
    .parts()
    .filter((part) => alert?.sources.some((source) => hasSource(part, source, alert.id)) === true);
  return found === undefined ? [parts[0]] : [found, ...others];
}

/** An alert about Linewatch itself belongs to the part that keeps it. */
function hasSource({ sources, kept }: DaemonPart, source: string, alert: string): boolean {
  if (source === SELF_NAME) return kept.own.alerts.some(({ id }) => id === alert);
  return sources === null || sources.includes(source);
}

const openIn = ({ open }: SystemStatus, number: number): OpenAlert | undefined =>
  open.find((alert) => alert.number === number || alert.also.includes(number));

/** Throws `ControlRefusal` for an unknown or resolved alert. */
export function requireOpen(
  { status, alert: alertOf }: Pick<PerformContext, 'status' | 'alert'>,
  number: number,
  toDo: 'take' | 'release' | 'mute',
): OpenAlert {
  const found = openIn(status(), number);
  if (found !== undefined) return found;
  throw new ControlRefusal(
    alertOf(number).story === null
      ? `There is no alert #${number}.`
      : `Alert #${number} is not open: there is nothing to ${toDo}.`,
  );
}

function takerOf({ named, own }: Daemon, name: string): Pick<Daemon['own'], 'acknowledge'> | undefined {
  return name === SELF_NAME ? own : named(name);
}
