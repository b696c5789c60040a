/** What can be asked about alerts, over the control socket and from the page: what is open, one's story, "I have it". */
import * as z from 'zod';
import { ControlRefusal, type ControlRoutes } from '../control/protocol.ts';
import { ITSELF } from '../core/engine/itself.ts';
import { oneLine } from '../core/text/plain.ts';
import type { OpenAlert, Picture } from '../core/view/picture.ts';
import { reportAlert, type AlertReport } from '../core/view/status-report.ts';
import { reportStory, type StoryReport } from '../core/view/story-report.ts';
import type { AlertInPicture } from '../core/view/picture-of.ts';
import { readAsk } from './asking.ts';
import type { Daemon } from './daemon.ts';
import type { Daemons } from './daemons.ts';

export interface AlertContract {
  'alert.list': { ask: Record<string, never>; answer: AlertReport[] };
  'alert.show': { ask: { number: number }; answer: StoryReport };
  /** Answers with who hears of it. */
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
}

export type AlertRoutes = ControlRoutes<AlertContract>;

export function alertRoutes({ daemons, picture, alert: alertOf }: AlertWiring): AlertRoutes {
  const openAlert = (number: number): OpenAlert => {
    const found = picture().open.find((alert) => alert.number === number || alert.also.includes(number));
    if (found !== undefined) return found;
    throw new ControlRefusal(
      alertOf(number).story === null
        ? `There is no alert #${number}.`
        : `Alert #${number} is not open: there is nothing to take.`,
    );
  };
  return {
    'alert.list': () => Promise.resolve(picture().open.map(reportAlert)),

    'alert.show': (ask) => {
      const { number } = readAsk(numberAsk, ask);
      const told = alertOf(number).story;
      if (told === null) return Promise.reject(new ControlRefusal(`There is no alert #${number}, or it is forgotten.`));
      return Promise.resolve(reportStory(told));
    },

    'alert.ack': async (ask) => {
      const { number, by, comment } = readAsk(ackAsk, ask);
      const alert = openAlert(number);
      const taking = { alert: alert.id, by: oneLine(by), comment: oneLine(comment) };
      const heard = new Set<string>();
      // The first source whose word reaches a receiver tells it; the others say nothing to it.
      for (const source of alert.sources) {
        const told = await takerOf(daemons.of(source, alert.id), source)?.acknowledge({ ...taking, heard });
        for (const receiver of told ?? []) heard.add(receiver);
      }
      return { alert: reportAlert(openAlert(number)), told: [...heard] };
    },
  };
}

function takerOf(
  { sources, accounts, itself }: Daemon,
  name: string,
): Pick<Daemon['itself'], 'acknowledge'> | undefined {
  return name === ITSELF ? itself : [...sources, ...accounts].find((source) => source.name === name);
}
