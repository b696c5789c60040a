/** Requests about alerts, from the control socket and the page: list open ones, show one's history, acknowledge. */
import * as z from 'zod';
import { ControlRefusal, type ControlRoutes } from '../../control/protocol.ts';
import { ITSELF } from '../../core/engine/itself.ts';
import { toOneLine } from '../../core/text/plain.ts';
import { readStory, type StorySources } from '../../core/view/story/known-story.ts';
import type { OpenAlert, Picture } from '../../core/view/picture.ts';
import { reportAlert, type AlertReport } from '../../core/view/status-report.ts';
import { reportStory, type StoryReport } from '../../core/view/story/story-report.ts';
import type { AlertInPicture } from '../../core/view/picture-of.ts';
import { readAsk } from './asking.ts';
import type { Daemon } from '../loop/daemon.ts';
import { listCallers } from './calls-asks.ts';
import { doneIn, partsOfNow, type Daemons, type Part, type Request } from '../status/daemons.ts';

export interface AlertContract {
  'alert.list': { ask: Record<string, never>; answer: AlertReport[] };
  'alert.show': { ask: { number: number }; answer: StoryReport };
  /** The answer lists the receivers notified of it. */
  'alert.ack': { ask: z.infer<typeof ackAsk>; answer: { alert: AlertReport; told: string[] } };
}

const numberAsk = z.strictObject({ number: z.int().min(1) });
const ackAsk = z.strictObject({
  number: z.int().min(1),
  by: z.string().trim().min(1, { error: 'who has it?' }).max(100),
  comment: z.string().max(1000),
});

export interface AlertWiring {
  daemons: Daemons;
  picture(): Picture;
  alert(number: number): AlertInPicture;
  /** The history of an alert. */
  history: Pick<StorySources, 'past' | 'failed'>;
}

export type AlertRoutes = ControlRoutes<AlertContract>;

/**
 * All but the list reject with `ControlRefusal`: for an unknown or forgotten number, and, to acknowledge, for one that
 * is not open.
 */
export function alertRoutes(wiring: AlertWiring): AlertRoutes {
  const { daemons, picture, alert, history } = wiring;
  const request = acknowledging(wiring);
  return {
    async 'alert.list'() {
      await partsOfNow(daemons);
      return picture().open.map(reportAlert);
    },

    async 'alert.show'(ask) {
      const { number } = readAsk(numberAsk, ask);
      await partsOfNow(daemons);
      const { story, past, unread } = await readStory({ alert, ...history }, number);
      if (story === null) throw new ControlRefusal(unread ?? `There is no alert #${number}, or it is forgotten.`);
      const callers = await listCallers(daemons, number);
      return { ...reportStory(story, past, unread), ...(callers.length > 0 && { callers }) };
    },

    'alert.ack': async (ask) => {
      const { number } = readAsk(ackAsk, ask);
      const [first, ...others] = await partsWith(number, daemons, picture);
      const answer = await doneIn(first, request, ask);
      const told = new Set(answer.told);
      for (const part of others) for (const one of (await doneIn(part, request, ask)).told) told.add(one);
      return { ...answer, told: [...told] };
    },
  };
}

/** The parts that watch sources of the alert. Without such an alert it is the first part, which refuses. */
async function partsWith(
  number: number,
  daemons: Daemons,
  picture: () => Picture,
): Promise<readonly [Part, ...Part[]]> {
  const parts = daemons.parts();
  if (parts.length === 1) return parts;
  // An alert just opened by another member is not known here yet.
  if (openIn(picture(), number) === undefined) await daemons.refresh();
  const alert = openIn(picture(), number);
  const [found, ...others] = daemons
    .parts()
    .filter((part) => alert?.sources.some((source) => hasSource(part, source, alert.id)) === true);
  return found === undefined ? [parts[0]] : [found, ...others];
}

/** An alert about Linewatch itself belongs to the part that keeps it. */
function hasSource({ sources, kept }: Part, source: string, alert: string): boolean {
  if (source === ITSELF) return kept.own.alerts.some(({ id }) => id === alert);
  return sources === null || sources.includes(source);
}

const openIn = ({ open }: Picture, number: number): OpenAlert | undefined =>
  open.find((alert) => alert.number === number || alert.also.includes(number));

/** Throws `ControlRefusal` for an unknown or resolved alert; `toDo` names the requested action. */
export function requireOpen(
  { picture, alert: alertOf }: Pick<AlertWiring, 'picture' | 'alert'>,
  number: number,
  toDo: 'take' | 'mute',
): OpenAlert {
  const found = openIn(picture(), number);
  if (found !== undefined) return found;
  throw new ControlRefusal(
    alertOf(number).story === null
      ? `There is no alert #${number}.`
      : `Alert #${number} is not open: there is nothing to ${toDo}.`,
  );
}

/** Acknowledges an alert in the daemon that watches its source. */
export function acknowledging({
  picture,
  alert: alertOf,
}: Pick<AlertWiring, 'picture' | 'alert'>): Request<AlertContract['alert.ack']['answer']> {
  const openAlert = (number: number): OpenAlert => requireOpen({ picture, alert: alertOf }, number, 'take');
  return {
    name: 'alert.ack',
    async deed(daemon, ask) {
      const { number, by, comment } = readAsk(ackAsk, ask);
      const alert = openAlert(number);
      const takers = alert.sources.flatMap((source) => takerOf(daemon, source) ?? []);
      if (takers.length === 0) throw new ControlRefusal(`#${number} changes hands just now; ask again in a moment.`);
      const taking = { alert: alert.id, by: toOneLine(by), comment: toOneLine(comment) };
      const heard = new Set<string>();
      // The first source with a route to a receiver notifies it; the others skip it.
      for (const taker of takers) for (const told of await taker.acknowledge({ ...taking, heard })) heard.add(told);
      return { alert: reportAlert(openAlert(number)), told: [...heard] };
    },
  };
}

function takerOf({ named, itself }: Daemon, name: string): Pick<Daemon['itself'], 'acknowledge'> | undefined {
  return name === ITSELF ? itself : named(name);
}
