/** Request to mute an alert by its number: the silences follow from its subjects. */
import * as z from 'zod';
import { truncate, toOneLine } from '../../core/text/plain.ts';
import { muteAlert } from '../../core/view/muting.ts';
import { fetchParts } from '../status/daemons.ts';
import { requireOpen } from './alerts.ts';
import { answerRequest, defineRequest } from './request.ts';
import { ADD_SILENCE, type SilenceReport, wantedSilence } from './silence-asks.ts';

/** Length of a title in a comment. */
const LONGEST_TITLE = 200;

/** Answers with the new silences, one for each part of the alert that needs its own. */
export const MUTE_ALERT = defineRequest({
  name: 'alert.mute',
  /** With an empty `comment` the title of the alert is used. */
  asks: wantedSilence.omit({ matchers: true }).extend({ number: z.int().min(1) }),
  changes: true,
  async answer(context, { number, comment, ...times }) {
    await fetchParts(context.daemons);
    const alert = requireOpen(context, number, 'mute');
    const why = comment === '' ? truncate(toOneLine(alert.title), LONGEST_TITLE) : comment;
    const made: SilenceReport[] = [];
    for (const matchers of muteAlert(context.status(), alert)) {
      made.push(await answerRequest(ADD_SILENCE, context, { ...times, matchers, comment: why }));
    }
    return made;
  },
});
