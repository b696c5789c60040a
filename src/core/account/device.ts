/**
 * What a telephone is, from its user agent: free text by its maker, with or without firmware and MAC address. And what is
 * new about a phone, and whether people read of it at once. Another device, or a network that nobody expects, may be
 * somebody else with its password: that is told at once. Another firmware of the same device, and one more network of a
 * phone that moves, are told once a day.
 */
import type { Device } from './account-model.ts';
import type { PhoneMemory } from './account-snapshot.ts';

/** A desk phone is moved once, and back; what was seen in three networks moves. */
const MOVES_FROM = 3;
/** Programs on mobile phones and computers, by how their user agents begin or what they contain. */
const SOFTPHONE =
  /^(zoiper|z ?\d|bria|x-?lite|eyebeam|counterpath|linphone|microsip|groundwire|acrobits|cloud ?softphone|jitsi|telephone|phonerlite|phoner|blink|twinkle|sessiontalk|media5|portsip|ringotel|gs ?wave|grandstream ?wave|3cxphone|csipsimple|sipdroid|baresip|jssip|sip\.js|mizudroid|ninjalite|nextiva|antisip)|softphone|webrtc|mobile|android|iphone|\bios\b/i;

/** More is no name of a telephone. */
const LONGEST = 200;
/** Twelve hex digits, or six pairs of them: the telephone's own address, which says nothing about its kind. */
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

export function deviceName({ model, firmware }: Device): string {
  return firmware === null ? model : `${model} ${firmware}`;
}

/** `added`: the name of a device that was not known of the phone. */
export function isOtherFirmware({ devices }: PhoneMemory, added: string): boolean {
  const model = modelOf(added);
  return devices.some((name) => modelOf(name) === model);
}

/** A softphone, or a phone that was seen in many networks: one more network is no news. */
export function isOnTheMove({ device, networks }: PhoneMemory): boolean {
  return networks.length >= MOVES_FROM || (device !== null && SOFTPHONE.test(device.model));
}

function modelOf(name: string): string {
  return readDevice(name)?.model ?? name;
}
