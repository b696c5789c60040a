/** What can be asked to mute an alert by its number: the silences follow from what it is about. */
import * as z from 'zod';
import type { ControlRoutes } from '../../control/protocol.ts';
import type { SilenceAsk } from '../../core/alert/silence.ts';
import { truncate, toOneLine } from '../../core/text/plain.ts';
import { muteAlert } from '../../core/view/muting.ts';
import { requireOpen, type AlertWiring } from './alerts.ts';
import { readAsk } from './asking.ts';
import { partsOfNow } from '../status/daemons.ts';
import type { SilenceReport, SilenceRoutes } from './silence-asks.ts';

const muteAsk = z.strictObject({
  number: z.int().min(1),
  from: z.number(),
  until: z.number(),
  /** Empty for the title of the alert. */
  comment: z.string().max(1000),
});

/** As much of a title as says what was muted. */
const LONGEST_TITLE = 200;

export interface MuteContract {
  /** Answers with the silences that were made, one for each part of the alert that needs its own. */
  'alert.mute': { ask: Omit<SilenceAsk, 'matchers'> & { number: number }; answer: SilenceReport[] };
}

/** Rejects with `ControlRefusal`: for a number that is unknown, for an alert that is over, and as `silence.add` does. */
export function muteRoutes(wiring: AlertWiring, add: SilenceRoutes['silence.add']): ControlRoutes<MuteContract> {
  return {
    async 'alert.mute'(ask) {
      const { number, comment, ...times } = readAsk(muteAsk, ask);
      await partsOfNow(wiring.daemons);
      const alert = requireOpen(wiring, number, 'mute');
      const why = comment === '' ? truncate(toOneLine(alert.title), LONGEST_TITLE) : comment;
      const made: SilenceReport[] = [];
      for (const matchers of muteAlert(wiring.picture(), alert)) {
        made.push(await add({ ...times, matchers, comment: why }));
      }
      return made;
    },
  };
}
