/** The account interface answered from worlds, one answer for each operation of its catalogue. */
import type { AccountCatalogue } from '../../provider/catalogue/account.ts';
import type { Answers } from '../reply.ts';
import { callAnswers } from './answers/calls.ts';
import { extensionAnswers } from './answers/extensions.ts';
import { numberAnswers } from './answers/numbers.ts';
import { phonebookAnswers } from './answers/phonebooks.ts';
import { registrationAnswers } from './answers/registrations.ts';
import { skillsetAnswers } from './answers/skillsets.ts';
import { toggleAnswers } from './answers/toggles.ts';
import { voicemailAnswers } from './answers/voicemail.ts';
import type { WorldOf } from './answers/world-of.ts';

export function accountAnswers(worldOf: WorldOf): Answers<AccountCatalogue> {
  return {
    ...callAnswers(worldOf),
    ...extensionAnswers(worldOf),
    ...numberAnswers(worldOf),
    ...phonebookAnswers(worldOf),
    ...registrationAnswers(worldOf),
    ...skillsetAnswers(worldOf),
    ...toggleAnswers(worldOf),
    ...voicemailAnswers(worldOf),
  };
}
