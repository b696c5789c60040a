/** Wording of an account whose key the provider refuses. */
import { ACCOUNT } from './registration.ts';
import { capital, oneLine } from './text.ts';
import type { Tellers } from './wording.ts';
import { fact, wording } from './wording.ts';

export const credentialsWording: Tellers<'source.credentials' | 'source.accepted'> = {
  'source.credentials'({ source, to, details }) {
    return wording(`The provider refuses the credentials of ${source}`, source, {
      where: ACCOUNT,
      standing: 'its credentials are refused',
      sentences: [
        `${capital(oneLine(to))}.`,
        'Until they are accepted nothing is known of this account: no phone counts as lost or as registered. They are ' +
          'tried again every 5 minutes, and at once after a reload.',
      ],
      facts: fact('Address', details.base_url),
    });
  },

  'source.accepted'({ source, details }) {
    return wording(`The provider accepts the credentials of ${source} again`, source, {
      where: ACCOUNT,
      standing: 'its credentials are accepted',
      sentences: ['We are watching again. What changed in the meantime is told separately.'],
      facts: fact('Address', details.base_url),
    });
  },
};
