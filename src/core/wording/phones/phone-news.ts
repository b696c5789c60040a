/** Wording of news about registered phones: devices, networks, addresses of sites. */
import { toOneLine, formatCount } from '../../text/plain.ts';
import { listPhoneFacts, listPhones, formatPhoneName, formatPhonesIn } from './phone-words.ts';
import { ACCOUNT, createFact, cleanName, type WordingTable, createWording } from '../wording.ts';

export const newsWording: WordingTable<'registration.device' | 'registration.network' | 'registration.moved'> = {
  'registration.device'({ from, to, details }) {
    const thing = formatPhoneName(details);
    return createWording(`New device or firmware on extension ${thing}: ${toOneLine(to)}`, thing, {
      where: ACCOUNT,
      facts: [
        ...listPhoneFacts({ ...details, device: null }),
        ...createFact('Device', from === null ? toOneLine(to) : `${toOneLine(from)} → ${toOneLine(to)}`),
      ],
    });
  },

  'registration.network'({ to, details }) {
    const thing = formatPhoneName(details);
    return createWording(`Extension ${thing} registers from a new network: ${toOneLine(to)}`, thing, {
      where: ACCOUNT,
      sentences: ['If nobody has moved this phone, somebody else may be using its password: change it.'],
      facts: listPhoneFacts(details),
    });
  },

  'registration.moved'({ from, to, details }) {
    const { moved, of, domain, home, new: isNew } = details;
    const all = moved === of;
    const who = `${all ? 'All' : `${moved} of`} ${formatCount(of, 'phone')} of ${cleanName(domain.name)}`;
    const address = toOneLine(to);
    const line = `${all ? 'its' : 'a'} second line?`;
    const headline =
      home === true
        ? `${who} register from ${address} again, the address ${all ? 'it' : 'the site'} had before`
        : `${who} register from ${address} now (one ${isNew === true ? 'new ' : ''}address): ${line}`;
    return createWording(headline, formatPhonesIn(details), {
      where: ACCOUNT,
      sentences:
        home === true
          ? []
          : ['The site keeps its name. If it stays there, name the address under “sites” in the configuration.'],
      facts: createFact('Address', `${toOneLine(from)} → ${address}`),
      lists: listPhones(details),
    });
  },
};
