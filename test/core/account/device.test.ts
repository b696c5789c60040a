/** Telephones by what they say they are, and addresses by where they are. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatDeviceName, readDevice } from '../../../src/core/account/device.ts';
import { toNetworkName, toSiteAddress } from '../../../src/core/account/domain.ts';

const samples = JSON.parse(
  readFileSync(new URL('../../fixtures/samples/registrations/user_agents.json', import.meta.url), 'utf8'),
) as { desk_phones: string[]; softphones: string[] };

describe('a user agent', () => {
  it.each([
    ['Yealink SIP-T46S 66.86.0.15', 'Yealink SIP-T46S', '66.86.0.15'],
    ['Yealink SIP-T46S 66.86.0.15 805ec0123456', 'Yealink SIP-T46S', '66.86.0.15'],
    ['Yealink SIP-T33G 124.86.0.40 00:15:65:AB:CD:EF', 'Yealink SIP-T33G', '124.86.0.40'],
    ['Polycom/VVX-VVX_501-UA/6.3.1.8427', 'Polycom/VVX-VVX_501-UA', '6.3.1.8427'],
    ['Cisco/7841-3PCC-11.3.7', 'Cisco/7841-3PCC', '11.3.7'],
    ['AUDC-IPPhone-445HD_UC_3.4.8/1.0', 'AUDC-IPPhone-445HD_UC', '3.4.8'],
    ['Fanvil X4', 'Fanvil X4', null],
    ['Zoiper rv2.10.6.2', 'Zoiper', 'rv2.10.6.2'],
    ['X-Lite release 5.2.0 stamp 90534', 'X-Lite', '5.2.0'],
    ['PortSIP UC Client  Android - v13.2.9', 'PortSIP UC Client Android', 'v13.2.9'],
    [
      'Linphone-Desktop/5.0.17 (andres.okay.com.mx) mageia/9 Qt/5.15.7 LinphoneSDK/5.2.70',
      'Linphone-Desktop',
      '5.0.17',
    ],
    ['RTC', 'RTC', null],
    ['1.2.3', '1.2.3', null],
    ['Snom\u0000D785\u001b 10.1.54.13', 'Snom D785', '10.1.54.13'],
  ])('%j is a %s', (text, model, firmware) => {
    expect(readDevice(text)).toEqual({ model, firmware });
  });

  it.each(['', '  ', 'unknown', '805ec0123456', '\u0000'])('%j says nothing', (text) => {
    expect(readDevice(text)).toBeNull();
  });

  it('of real telephones always has a model, without a MAC address', () => {
    const names = [...samples.desk_phones, ...samples.softphones].map((text) => readDevice(text));
    expect(names.filter((device) => device === null || device.model.length < 3)).toEqual([]);
    expect(
      names.filter((device) => device !== null && /[0-9a-f]{12}|(:[0-9a-f]{2}){3}/i.test(formatDeviceName(device))),
    ).toEqual([]);
  });
});

describe('an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.0/24', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.0/24', '::ffff:203.0.113.7'],
    ['2001:db8:1:2::10', '2001:db8:1::/48', '2001:db8:1::/48'],
    ['2001:0DB8:0001:2:3:4:5:6', '2001:db8:1::/48', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48', '2001:db8:0::/48'],
    ['300.1.1.1', null, '300.1.1.1'],
    ['1::2::3', null, '1::2::3'],
    ['', null, ''],
    ['unknown', null, 'unknown'],
  ])('%j is in the network %j and of the site %j', (address, network, site) => {
    expect([toNetworkName(address), toSiteAddress(address)]).toEqual([network, site]);
  });
});
