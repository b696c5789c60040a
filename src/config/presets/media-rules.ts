/** Loads presets of http receivers and validates the receivers' values. */
import type { Preset, PresetKey } from '../../receivers/http/preset.ts';
import { append } from '../../core/transition/collections.ts';
import { explainAddress } from '../address.ts';
import { addProblemAt, type Merged, type PlacedEntry } from '../merged.ts';
import { suggestName } from '../nearest.ts';
import { formatValue, type Problem } from '../problem.ts';
import { findPlaceholders } from '../../receivers/http/template.ts';
import { HTTP_KEYS, listPresetKeys, type HttpEntry, type ReceiverEntry } from '../schema/receiver-schema.ts';
import { hasReference } from '../references.ts';
import type { Secrets } from '../secrets.ts';
import { listNames } from '../text-file.ts';

export interface Media {
  /** By receiver entry. */
  presets: ReadonlyMap<ReceiverEntry, Preset>;
  /** Problems of the presets themselves. */
  problems: Problem[];
}

/** `media`: folder of bundled presets; null without one. Values that a preset marks secret are kept as secrets. */
export async function checkMedia(merged: Merged, media: string | null, secrets: Secrets): Promise<Media> {
  const presets = new Map<ReceiverEntry, Preset>();
  const problems: Problem[] = [];
  if (!merged.receivers.some(({ entry }) => isHttp(entry))) return { presets, problems };
  // Loaded on demand: other configurations need no preset schema.
  const { locatePreset: placeOfPreset, readPreset } = await import('./preset-file.ts');
  const read = new Map<string, ReturnType<typeof readPreset>>();
  for (const placed of merged.receivers) {
    const { entry } = placed;
    if (!isHttp(entry)) continue;
    if (hasReference(entry.preset)) {
      addProblemAt(placed, ['preset'], 'a preset is named as it is, without ${…}');
      continue;
    }
    const place = placeOfPreset(entry.preset, media, placed.file.path);
    const known = read.get(place?.path ?? '');
    const reading = known ?? (place === null ? null : readPreset(place.path, place.shown));
    if (place !== null && reading !== null) read.set(place.path, reading);
    const file = await reading;
    if (file === null || file.unreadable !== null) {
      await tellUnknown(placed, entry.preset, media, file?.unreadable ?? null);
      continue;
    }
    if (known === undefined) append(problems, file.problems);
    if (file.preset === null) continue;
    presets.set(entry, file.preset);
    checkKeys({ ...placed, entry }, file.preset, secrets);
    checkCustomers({ ...placed, entry }, file.preset);
    if (entry.prove !== undefined && file.preset.requests.send === null) {
      addProblemAt(placed, ['prove'], `${file.preset.title} opens no link; leave prove out`);
    }
  }
  return { presets, problems };
}

function isHttp(entry: ReceiverEntry): entry is HttpEntry {
  return entry.type === 'http';
}

async function tellUnknown(
  where: PlacedEntry<ReceiverEntry>,
  written: string,
  media: string | null,
  why: string | null,
): Promise<void> {
  if (written.includes('/') || written.includes('.')) {
    addProblemAt(where, ['preset'], `${formatValue(written)}: ${why ?? 'it cannot be read'}`);
    return;
  }
  const names = await listPresetNames(media);
  addProblemAt(
    where,
    ['preset'],
    `there is no preset ${formatValue(written)}${suggestName(written, names) || '.'} There are: ${names.join(', ')}; or a file, as in ./my-desk.yaml`,
  );
}

/** Names of the bundled presets. */
export async function listPresetNames(media: string | null): Promise<string[]> {
  const files = media === null ? [] : await listNames(media);
  return files
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .toSorted();
}

function checkKeys({ entry, ...where }: PlacedEntry<HttpEntry>, preset: Preset, secrets: Secrets): void {
  const names = Object.keys(preset.keys);
  for (const [name, value] of listPresetKeys(entry)) {
    const about = Object.hasOwn(preset.keys, name) ? preset.keys[name] : undefined;
    if (about === undefined) {
      const message = `unknown key${suggestName(name, [...names, ...HTTP_KEYS]) || '.'} The preset ${preset.name} takes: ${names.join(', ')}`;
      addProblemAt(where, [name], message, 'error', 'key');
      continue;
    }
    if (typeof value !== 'string') {
      addProblemAt(where, [name], 'it has to be a text, and is a mapping');
      continue;
    }
    if (about.secret && !hasReference(value)) secrets.add(value);
    const advice = hasReference(value) ? null : adviceOn(value, about);
    if (advice !== null) addProblemAt(where, [name], advice);
  }
  for (const [name, about] of Object.entries(preset.keys)) {
    if (Object.hasOwn(entry, name) || about.optional || about.default !== null) continue;
    addProblemAt(where, [], `${name} is required by the preset ${preset.name} and missing: ${about.description}`);
  }
}

/** The preset's placeholders determine whether customer names are required. */
function checkCustomers({ entry, ...where }: PlacedEntry<HttpEntry>, preset: Preset): void {
  const asked = findPlaceholders(JSON.stringify(preset.requests)).filter((name) => name.startsWith('customer.'));
  const names = [...new Set(asked.map((name) => name.slice('customer.'.length)))];
  for (const [customer, facts] of Object.entries(entry.customers ?? {})) {
    for (const name of Object.keys(facts).filter((fact) => !names.includes(fact))) {
      const allowed =
        names.length === 0
          ? `. The preset ${preset.name} asks for nothing about customers`
          : `${suggestName(name, names) || '.'} The preset ${preset.name} asks for: ${names.join(', ')}`;
      addProblemAt(where, ['customers', customer, name], `unknown key${allowed}`, 'error', 'key');
    }
  }
}

/** The error without the value. */
function adviceOn(value: string, { is, secret, pattern, advice, refuse }: PresetKey): string | null {
  const refused = Object.entries(refuse).find(([part]) => value.includes(part));
  if (refused !== undefined) return refused[1];
  if (is === 'number' && !/^\d{1,15}$/.test(value)) return 'it has to be a whole number';
  if (is === 'base' || is === 'address') {
    const demands = { base: is === 'base', confidential: 'it carries secrets' };
    const wrong = explainAddress(value, demands);
    if (wrong !== null) return wrong;
  }
  if (pattern === null || new RegExp(pattern, 'u').test(value)) return null;
  return advice ?? `${secret ? 'it' : formatValue(value)} has not the form that is asked for`;
}
