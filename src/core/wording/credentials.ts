/** Wording of a source that refuses access: an account its key, a status page everybody. */
import type { SourceDetails } from '../transition/details.ts';
import { ACCOUNT } from './registration.ts';
import { partName, VIEW } from './source.ts';
import { listed, sentence } from '../text/plain.ts';
import { fact, wording, type Tellers, type Wording } from './wording.ts';

const AGAIN = 'tried again every 5 minutes, and at once after a reload';
const WATCHING = 'What changed in the meantime is told separately.';

export const credentialsWording: Tellers<'source.credentials' | 'source.accepted'> = {
  'source.credentials'({ source, to, details }) {
    if (details.parts !== undefined) return partsRefused(source, details.parts, details);
    if (details.keyless === true) return pageRefused(source, to, details);
    return wording(`The provider refuses the credentials of account “${source}”`, source, {
      where: ACCOUNT,
      standing: 'its credentials are refused',
      sentences: [
        sentence(to),
        'Until they are accepted nothing is known of this account: no phone counts as lost or as registered. They are ' +
          `${AGAIN}.`,
        'If the key was changed or withdrawn, give Linewatch the new one and reload it; a credential of systemd needs a restart.',
      ],
      facts: fact('Address', details.base_url),
    });
  },

  'source.accepted'({ source, details }) {
    const keyless = details.keyless === true;
    const headline = keyless
      ? `Status page “${source}” can be read again`
      : `The provider accepts the credentials of account “${source}” again`;
    return wording(headline, source, {
      where: keyless ? VIEW : ACCOUNT,
      standing: keyless ? 'it can be read again' : 'its credentials are accepted',
      sentences: [WATCHING],
      facts: fact('Address', details.base_url),
    });
  },
};

function partsRefused(source: string, parts: readonly string[], details: SourceDetails): Wording {
  const called = listed(
    parts.map((part) => partName(part)),
    3,
  );
  return wording(
    `The provider refuses the ${called} of ${details.keyless === true ? 'status page' : 'account'} “${source}”`,
    source,
    {
      where: details.keyless === true ? VIEW : ACCOUNT,
      standing: `its ${called} are refused`,
      sentences: [
        ...new Set(details.reasons.map(sentence)),
        `Until it lets us in nothing is known of the ${called}; everything else is watched as usual. They are ${AGAIN}.`,
      ],
      facts: fact('Address', details.base_url),
    },
  );
}

function pageRefused(source: string, to: string, details: SourceDetails): Wording {
  return wording(`Status page “${source}” refuses access`, source, {
    where: VIEW,
    standing: 'access is refused',
    sentences: [
      sentence(to),
      `Until it lets us in we do not know how things stand there. What was open stays open. It is ${AGAIN}.`,
    ],
    facts: fact('Address', details.base_url),
  });
}
