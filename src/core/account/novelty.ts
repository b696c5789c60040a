/**
 * What is new about a phone, and whether people read of it at once. Another device, or a network that nobody expects,
 * may be somebody else with its password: that is told at once. Another firmware of the same device, and one more network
 * of a phone that moves, are told once a day.
 */
import { readDevice } from './device.ts';
import type { PhoneMemory } from './snapshot.ts';

/** A desk phone is moved once, and back; what was seen in three networks moves. */
const MOVES_FROM = 3;
/** Programs on mobile phones and computers, by how their user agents begin or what they contain. */
const SOFTPHONE =
  /^(zoiper|z ?\d|bria|x-?lite|eyebeam|counterpath|linphone|microsip|groundwire|acrobits|cloud ?softphone|jitsi|telephone|phonerlite|phoner|blink|twinkle|sessiontalk|media5|portsip|ringotel|gs ?wave|grandstream ?wave|3cxphone|csipsimple|sipdroid|baresip|jssip|sip\.js|mizudroid|ninjalite|nextiva|antisip)|softphone|webrtc|mobile|android|iphone|\bios\b/i;

/** `added`: the name of a device that was not known of the phone. */
export function isOtherFirmware({ devices }: PhoneMemory, added: string): boolean {
  const model = modelOf(added);
  return devices.some((name) => modelOf(name) === model);
}

export function isOnTheMove({ device, networks }: PhoneMemory): boolean {
  return networks.length >= MOVES_FROM || (device !== null && SOFTPHONE.test(device.model));
}

function modelOf(name: string): string {
  return readDevice(name)?.model ?? name;
}
