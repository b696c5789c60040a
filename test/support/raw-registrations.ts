/** Registrations as the account interface answers them, in the provider's own shape. */

export interface RawPhone {
  extension: string;
  address: string;
  agent: string;
}

export const YEALINK = 'Yealink SIP-T46S 66.86.0.15 805ec0123456';

/** `site` phones from extension `first` on. */
export function phonesAt(address: string, first: number, count: number, agent = YEALINK): RawPhone[] {
  return Array.from({ length: count }, (_, index) => ({ extension: String(first + index), address, agent }));
}

/** Answer of the registrar with these phones, each with this many seconds left. */
export function rawRegistrations(phones: readonly RawPhone[], secondsLeft = 300): Record<string, object[]> {
  return Object.fromEntries(
    phones.map(({ extension, address, agent }) => [
      extension,
      [rawContact({ extension, address, agent }, secondsLeft)],
    ]),
  );
}

function rawContact({ extension, address, agent }: RawPhone, secondsLeft: number): object {
  return {
    user_id: extension,
    expiry: '2026-03-02 20:00:00',
    protocol: 'UDP',
    external_ipaddress: address,
    external_port: '5060',
    internal_ipaddress: '10.0.0.2',
    internal_port: '5060',
    contact_short: `sip:${extension}@10.0.0.2`,
    contact: `sip:${extension}@10.0.0.2:5060`,
    status: `Registered(UDP-NAT)(unknown) EXP(2026-03-02 20:00:00) EXPSECS(${secondsLeft})`,
    user_agent: agent,
  };
}
