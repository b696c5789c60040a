/**
 * Identifies a telephone by its user agent: free text by its maker, with or without firmware and MAC address. Also
 * classifies news about a phone. Another device or an unusual network may be an intruder with its password: reported at
 * once. Other firmware of the same device, and one more network of a mobile phone, are reported in the daily digest.
 */
import type { Device } from './account-model.ts';
import type { PhoneMemory } from './account-snapshot.ts';

/** A desk phone is moved once, and back; a phone seen in three networks is mobile. */
const MOVES_FROM = 3;
/** Softphones on mobile phones and computers, by the start or content of their user agents. */
const SOFTPHONE =
  /^(zoiper|z ?\d|bria|x-?lite|eyebeam|counterpath|linphone|microsip|groundwire|acrobits|cloud ?softphone|jitsi|telephone|phonerlite|phoner|blink|twinkle|sessiontalk|media5|portsip|ringotel|gs ?wave|grandstream ?wave|3cxphone|csipsimple|sipdroid|baresip|jssip|sip\.js|mizudroid|ninjalite|nextiva|antisip)|softphone|webrtc|mobile|android|iphone|\bios\b/i;

/** A longer text is not the name of a telephone. */
const LONGEST = 200;
/** Twelve hex digits, or six pairs of them: the telephone's own address, which does not identify its model. */
const MAC = /(?<![0-9a-z])(?:[0-9a-f]{12}|[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2}){4})(?![0-9a-z])/gi;
/** `66.86.0.15`, `rv2.10.6.2`, `v13.2.9`: numbers with at least one dot. */
const VERSION = /(?<![0-9.])(?:rv|v)?\d+(?:\.\d+)+/i;
const MEANS_NOTHING = /^(unknown|none|null|n\/a)?$/i;

/** Null for an empty or meaningless user agent. */
export function readDevice(userAgent: string): Device | null {
  const text = userAgent
    .slice(0, LONGEST * 4)
    // oxlint-disable-next-line no-control-regex -- what telephones send has held control characters
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
    .replaceAll(MAC, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST);
  if (MEANS_NOTHING.test(text)) return null;
  const found = VERSION.exec(text);
  if (found === null || found.index === 0) return { model: text, firmware: null };
  const model = text
    .slice(0, found.index)
    .replace(/[\s/_,(-]+$/, '')
    .replace(/(?<=.)[\s/_-]+(?:release|version|ver|fw)$/i, '');
  return model === '' ? { model: text, firmware: null } : { model, firmware: found[0] };
}

/** Memoised: phones of a listing share their devices, and each is named in every step. */
const names = new WeakMap<Device, string>();

export function formatDeviceName(device: Device): string {
  const known = names.get(device);
  if (known !== undefined) return known;
  const { model, firmware } = device;
  const name = firmware === null ? model : `${model} ${firmware}`;
  names.set(device, name);
  return name;
}

/** `added`: name of a device that is new for the phone. */
export function isOtherFirmware({ devices }: PhoneMemory, added: string): boolean {
  const model = modelOf(added);
  return devices.some((name) => modelOf(name) === model);
}

/** A softphone, or a phone seen in many networks: one more network is not news. */
export function isOnTheMove({ device, networks }: PhoneMemory): boolean {
  return networks.length >= MOVES_FROM || (device !== null && SOFTPHONE.test(device.model));
}

function modelOf(name: string): string {
  return readDevice(name)?.model ?? name;
}
