/** Accounts as a provider lists them: complete rows, and phones of several makes at the account's own addresses. */
import { createAccounts, type AccountWorld } from '../../src/simulator/account/account-world.ts';
import { toExtensionRow } from '../../src/simulator/account/answers/extension-answers.ts';
import type { Site } from '../../src/simulator/account/random-values.ts';
import type { RegistrationRow } from '../../src/simulator/account/registered-phones.ts';
import { DEFAULT_ZONE } from '../../src/simulator/account/times.ts';
import { createRandom, type Random } from '../../src/simulator/random.ts';

const FIRST_EXTENSION = 1000;
const SITES_AN_ACCOUNT = 5;

/** User agents as registrars have listed them; `{mac}` is the phone's own address. */
const AGENTS = [
  'Yealink SIP-T46S 66.86.0.15',
  'Yealink SIP-T46S 66.85.0.5',
  'Yealink SIP-T46S 66.86.0.15 {mac}',
  'Yealink SIP-T33G 124.86.0.40 {mac}',
  'Yealink SIP-T46G 28.83.0.120',
  'Yealink SIP-T54W 96.86.0.80',
  'Yealink SIP-T58A 58.86.0.20',
  'Yealink W60B 77.86.0.15',
  'Grandstream GXP2170 1.0.11.23',
  'Grandstream GXP1625 1.0.4.128',
  'Grandstream GXV3370 1.0.1.58',
  'Grandstream HT802 1.0.29.8',
  'Polycom/VVX-VVX_501-UA/6.3.1.8427',
  'Polycom/SoundPoint-IP_550-UA/3.3.5.0247',
  'Polycom/VVX-VVX_411-UA/6.4.0.9774',
  'PolycomVVX-VVX_450-UA/6.4.0',
  'Cisco/7841-3PCC-11.3.7',
  'Cisco/8845-3PCC-12.0.1',
  'Fanvil X4',
  'AUDC-IPPhone-445HD_UC_3.4.8/1.0',
  'Zultys ZIP37G 47.85.0.140',
  'Zoiper rv2.10.6.2',
  'MicroSIP/3.21.3',
  'PortSIP UC Client  Android - v13.2.9',
  'Linphone-Desktop/5.0.17 (andres.okay.com.mx) mageia/9 Qt/5.15.7 LinphoneSDK/5.2.70',
] as const;

export interface BenchAccount {
  extensions(): object[];
  /** By extension. `countsDown`: with the time left of each registration, so that each second has another answer. */
  registrations(countsDown: boolean): [string, RegistrationRow[]][];
}

/** `index` determines its phones and addresses. */
export function createBenchAccount(phones: number, index: number): BenchAccount {
  const { world } = createAccounts({ now: () => Date.now() }, index).open({
    extensions: phones,
    firstExtension: FIRST_EXTENSION,
    sites: createSites(index),
    phoneShares: { without: 0, second: 0 },
    callDays: 0,
  });
  equip(world, createRandom(index));
  return {
    extensions: () => world.extensions.all().map(toExtensionRow),
    registrations(countsDown) {
      const listed = [...world.phones.registrations(DEFAULT_ZONE)];
      return countsDown ? listed : listed.map(([extension, rows]) => [extension, rows.map(stopCountdown)]);
    },
  };
}

/** From the addresses for measurements (RFC 2544): no two accounts share one. */
function createSites(index: number): readonly Site[] {
  return Array.from({ length: SITES_AN_ACCOUNT }, (_, site) => ({
    name: `Site ${site}`,
    externalAddress: `198.${18 + (index >> 13)}.${((index >> 8) % 32) * 8 + site}.${index % 256}`,
    network: `10.${site}`,
  }));
}

/** Half of an account's phones are of one model, as after a bulk purchase. */
function equip({ extensions, phones }: AccountWorld, random: Random): void {
  const [most, second, third] = [random.pick(AGENTS), random.pick(AGENTS), random.pick(AGENTS)];
  for (const { user_id: extension } of extensions.all()) {
    const agent = random.pick([most, most, second, third]);
    phones.setAgent({ extension }, agent.replace('{mac}', random.hex(12)));
  }
}

/** As a registrar lists it that states no times. */
function stopCountdown(row: RegistrationRow): RegistrationRow {
  return { ...row, expiry: '300', status: row.status.replace(/ EXP\(.*$/, '') };
}
