/** Request to mute an alert by its number: the silences follow from its subject. */
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
  /** Empty: the title of the alert is used. */
  comment: z.string().max(1000),
});

/** Length of a title in a comment. */
const LONGEST_TITLE = 200;

export interface MuteContract {
  /** Answers with the new silences, one for each part of the alert that needs its own. */
  'alert.mute': { ask: Omit<SilenceAsk, 'matchers'> & { number: number }; answer: SilenceReport[] };
}

/** Rejects with `ControlRefusal`: for an unknown number, for a resolved alert, and as `silence.add` does. */
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
