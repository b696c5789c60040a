/** Wording of news about registered phones: devices, networks, addresses of sites. */
import { toOneLine, formatCount } from '../../text/plain.ts';
import { phoneFacts, phoneLists, phoneName, phonesIn } from './phone-words.ts';
import { ACCOUNT, fact, named, type Tellers, wording } from '../wording.ts';

export const newsWording: Tellers<'registration.device' | 'registration.network' | 'registration.moved'> = {
  'registration.device'({ from, to, details }) {
    const thing = phoneName(details);
    return wording(`New device or firmware on extension ${thing}: ${toOneLine(to)}`, thing, {
      where: ACCOUNT,
      facts: [
        ...phoneFacts({ ...details, device: null }),
        ...fact('Device', from === null ? toOneLine(to) : `${toOneLine(from)} → ${toOneLine(to)}`),
      ],
    });
  },

  'registration.network'({ to, details }) {
    const thing = phoneName(details);
    return wording(`Extension ${thing} registers from a new network: ${toOneLine(to)}`, thing, {
      where: ACCOUNT,
      sentences: ['If nobody has moved this phone, somebody else may be using its password: change it.'],
      facts: phoneFacts(details),
    });
  },

  'registration.moved'({ from, to, details }) {
    const { moved, of, domain, home, new: isNew } = details;
    const all = moved === of;
    const who = `${all ? 'All' : `${moved} of`} ${formatCount(of, 'phone')} of ${named(domain.name)}`;
    const address = toOneLine(to);
    const line = `${all ? 'its' : 'a'} second line?`;
    const headline =
      home === true
        ? `${who} register from ${address} again, the address ${all ? 'it' : 'the site'} had before`
        : `${who} register from ${address} now (one ${isNew === true ? 'new ' : ''}address): ${line}`;
    return wording(headline, phonesIn(details), {
      where: ACCOUNT,
      sentences:
        home === true
          ? []
          : ['The site keeps its name. If it stays there, name the address under “sites” in the configuration.'],
      facts: fact('Address', `${toOneLine(from)} → ${address}`),
      lists: phoneLists(details),
    });
  },
};
