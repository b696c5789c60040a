/**
 * Shares equal texts and devices of phones that were read from a document: a thousand phones have a handful of each.
 * Phones from listings share them already.
 */
import { memoizeText } from '../text/memo.ts';
import type { Device } from './account-model.ts';
import type { AccountSnapshot, PhoneMemory } from './account-snapshot.ts';
import { formatDeviceName } from './device.ts';
import { toSharedList } from './phone.ts';

/** Values of one account. */
const VALUES = 10_000;

/** An equal snapshot. */
export function shareTexts(snapshot: AccountSnapshot): AccountSnapshot {
  const { phones } = snapshot;
  if (phones === null) return snapshot;
  const share = memoizeText((text) => text, VALUES);
  const shareList = (list: string[]): string[] => {
    const [only] = list;
    return list.length === 1 && only !== undefined ? toSharedList(only) : list.map(share);
  };
  const devices = new Map<string, Device>();
  const shareDevice = (device: Device): Device => {
    const name = formatDeviceName(device);
    const known = devices.get(name);
    if (known?.model === device.model && known.firmware === device.firmware) return known;
    devices.set(name, device);
    return device;
  };
  const shared = phones.map((phone): PhoneMemory => ({
    ...phone,
    address: phone.address === null ? null : share(phone.address),
    device: phone.device === null ? null : shareDevice(phone.device),
    devices: shareList(phone.devices),
    networks: shareList(phone.networks),
  }));
  return { ...snapshot, phones: shared };
}
