/** Names, places and phones of a fictional company. Addresses are from the documentation ranges (RFC 5737). */
import type { Random } from '../random.ts';

const GIVEN = [
  'Amelia',
  'Ben',
  'Chloe',
  'Dinh',
  'Ella',
  'Farah',
  'George',
  'Hana',
  'Isaac',
  'Jade',
  'Kiran',
  'Liam',
  'Mei',
  'Noah',
  'Olivia',
  'Priya',
  'Quentin',
  'Ruby',
  'Sam',
  'Tahlia',
  'Uma',
  'Vikram',
  'Wendy',
  'Xavier',
  'Yara',
  'Zoe',
] as const;
const FAMILY = [
  'Adams',
  'Baker',
  'Campbell',
  'Dwyer',
  'Evans',
  'Fitzgerald',
  'Gupta',
  'Hughes',
  'Ibrahim',
  'Jones',
  'Kelly',
  'Li',
  'Murphy',
  'Nguyen',
  "O'Brien",
  'Patel',
  'Quinn',
  'Roberts',
  'Singh',
  'Taylor',
  'Ueda',
  'Vella',
  'Walker',
  'Xu',
  'Young',
  'Zhang',
] as const;

export function pickPersonName(random: Random): string {
  return `${random.pick(GIVEN)} ${random.pick(FAMILY)}`;
}

/** Digits with country code, as in caller ids. */
export function pickMobileNumber(random: Random): string {
  return `614${random.digits(8)}`;
}

/** International form without a plus. */
export function pickLandlineNumber(random: Random): string {
  return `61${random.pick(['2', '3', '7', '8'])}${random.digits(8)}`;
}

export interface Site {
  name: string;
  externalAddress: string;
  /** First two octets of the phones' addresses. */
  network: string;
}

const SITES: readonly [Site, ...Site[]] = [
  { name: 'Richmond', externalAddress: '203.0.113.7', network: '10.1' },
  { name: 'Parramatta', externalAddress: '198.51.100.24', network: '10.2' },
  { name: 'Fremantle', externalAddress: '192.0.2.65', network: '10.3' },
  { name: 'Geelong', externalAddress: '203.0.113.90', network: '10.4' },
  { name: 'Hobart', externalAddress: '198.51.100.201', network: '10.5' },
];

/** One site for up to 9 extensions, all five from 200. */
export function createSites(extensions: number): readonly [Site, ...Site[]] {
  const count = extensions < 10 ? 1 : extensions < 40 ? 2 : extensions < 200 ? 3 : SITES.length;
  return [SITES[0], ...SITES.slice(1, count)];
}

export interface DeviceMake {
  /** Start of the user agent and name of the fault domain: `Yealink SIP-T46S`. */
  model: string;
  firmware: string;
  /** User agent with the placeholders `{firmware}` and `{mac}`. */
  format: string;
}

/** Models and firmware as seen by registrars; a company uses few kinds of desk phone. */
const DESK_PHONES: readonly [DeviceMake, ...DeviceMake[]] = [
  { model: 'Yealink SIP-T46S', firmware: '66.86.0.15', format: 'Yealink SIP-T46S {firmware} {mac}' },
  { model: 'Yealink SIP-T54W', firmware: '96.86.0.80', format: 'Yealink SIP-T54W {firmware}' },
  { model: 'Yealink W60B', firmware: '77.86.0.15', format: 'Yealink W60B {firmware}' },
  { model: 'Polycom VVX_501', firmware: '6.3.1.8427', format: 'Polycom/VVX-VVX_501-UA/{firmware}' },
  { model: 'Grandstream GXP2170', firmware: '1.0.11.23', format: 'Grandstream GXP2170 {firmware}' },
  { model: 'Cisco 7841', firmware: '11.3.7', format: 'Cisco/7841-3PCC-{firmware}' },
];
const SOFTPHONES: readonly [DeviceMake, ...DeviceMake[]] = [
  { model: 'Zoiper', firmware: '2.10.18.4', format: 'Zoiper rv{firmware}' },
  { model: 'MicroSIP', firmware: '3.21.3', format: 'MicroSIP/{firmware}' },
  { model: 'Linphone', firmware: '5.0.0', format: 'Linphone/{firmware}' },
];

/** The first models are the most frequent, as after a bulk purchase. */
export function pickDeskPhone(random: Random): DeviceMake {
  const [common, second] = DESK_PHONES;
  const draw = random.next();
  if (draw < 0.5) return common;
  return draw < 0.75 && second !== undefined ? second : random.pick(DESK_PHONES);
}

export function pickSoftphone(random: Random): DeviceMake {
  return random.pick(SOFTPHONES);
}

/** `mac`: twelve hexadecimal digits. */
export function formatUserAgent(device: DeviceMake, mac: string): string {
  return device.format.replace('{firmware}', device.firmware).replace('{mac}', mac);
}
