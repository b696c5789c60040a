/** Reads a preset: its form, then the placeholders of its requests. */
import { basename, dirname, join, resolve } from 'node:path';
import { FACT_NAMES } from '../../receivers/http/facts.ts';
import type { Json, Preset, PresetRequest } from '../../receivers/http/preset.ts';
import { findPlaceholders } from '../../receivers/http/template.ts';
import { isObject } from '../../core/text/plain-object.ts';
import { suggestName } from '../nearest.ts';
import { presetSchema } from '../schema/preset-schema.ts';
import { formatPath, formatValue, type Path, type Problem } from '../problem.ts';
import { validate } from '../validate.ts';
import { readTextFile } from '../text-file.ts';
import { readYaml } from '../yaml-text.ts';

export interface PresetFile {
  /** Null if invalid. */
  preset: Preset | null;
  problems: Problem[];
  /** Reason if unreadable, else null. */
  unreadable: string | null;
}

const ENDING = '.yaml';

/** A plain name is a bundled preset. A slash or a file extension means a file relative to the folder of `beside`. */
export function locatePreset(
  written: string,
  media: string | null,
  beside: string,
): { path: string; shown: string } | null {
  if (written.includes('/') || /\.ya?ml$/.test(written)) {
    return { path: resolve(dirname(beside), written), shown: written };
  }
  if (media === null) return null;
  const path = join(media, `${written}${ENDING}`);
  return { path, shown: path };
}

export async function readPreset(path: string, shown: string): Promise<PresetFile> {
  const content = await readTextFile(path);
  if ('why' in content) return { preset: null, problems: [], unreadable: content.why };
  const problems: Problem[] = [];
  const add = (place: { line: number; col: number } | null, inside: Path, message: string): void => {
    problems.push({
      level: 'error',
      file: shown,
      line: place?.line ?? null,
      column: place?.col ?? null,
      path: formatPath(inside),
      message,
    });
  };
  const { value, at } = readYaml(content.text, add);
  if (problems.length > 0) return { preset: null, problems, unreadable: null };
  if (!isObject(value)) {
    add(null, [], 'it is no mapping; a preset begins with "title: …"');
    return { preset: null, problems, unreadable: null };
  }
  const { draft, mistakes } = validate(presetSchema, value, (inside) => at(inside).written);
  for (const { path: inside, key, message } of mistakes) add(at(inside)[key ? 'key' : 'value'], inside, message);
  if (draft === null || problems.length > 0) return { preset: null, problems, unreadable: null };
  const preset: Preset = { ...presetSchema.parse(draft), name: basename(path).replace(/\.ya?ml$/, '') };
  for (const { inside, message } of mistakesIn(preset)) add(at(inside).value, inside, message);
  return { preset: problems.length === 0 ? preset : null, problems, unreadable: null };
}

interface PresetMistake {
  inside: Path;
  message: string;
}

function mistakesIn(preset: Preset): PresetMistake[] {
  const { send, reply, edit, cancel, ...ticket } = preset.requests;
  const { receipt } = preset;
  const { open, close, find } = ticket;
  const isThread = reply !== null || edit !== null;
  const mixed = send !== null && Object.values(ticket).some((request) => request !== null);
  const kept = Object.values(preset.keep);
  const known = [
    ...FACT_NAMES,
    ...Object.keys(preset.keys).map((name) => `key.${name}`),
    ...(preset.oauth === null ? [] : ['key.access_token']),
    ...Object.keys(preset.levels).map((name) => `level.${name}`),
    ...Object.keys(preset.keep).map((name) => `kept.${name}`),
  ];
  return [
    ...(send === null && (open === null || close === null)
      ? [{ inside: ['requests'], message: 'a request is missing: send, or open and close' }]
      : []),
    ...((find === null && !isThread && receipt === null) === kept.length > 0
      ? [{ inside: ['requests'], message: 'keep goes with find, reply and edit, or receipt: it is what they need' }]
      : []),
    ...(find !== null && kept.some(({ found }) => found === null)
      ? [{ inside: ['keep'], message: 'found is missing: with find, what is kept can be lost, and is then found' }]
      : []),
    ...((isThread || cancel !== null || receipt !== null) && send === null
      ? [
          {
            inside: ['requests'],
            message: 'reply, edit, cancel and receipt go with send, which makes the first message',
          },
        ]
      : []),
    ...(isThread && receipt !== null
      ? [{ inside: ['receipt'], message: 'receipt is for messages without a thread; leave out reply and edit' }]
      : []),
    ...(mixed
      ? [{ inside: ['requests', 'send'], message: 'send is for every message; leave it out, or open and the others' }]
      : []),
    ...requestsOf(preset).flatMap(([inside, request]) => {
      const { url, headers, basic, json, form, text } = request;
      const bodies = [json, form, text].filter((body) => body !== null);
      return [
        ...(bodies.length > 1
          ? [{ inside, message: 'it has more than one body; keep one of json, form and text' }]
          : []),
        ...(typeof json === 'string' && !/^\{\{[^{}]*\}\}$/.test(json)
          ? [{ inside: [...inside, 'json'], message: 'a text is no JSON; write a mapping or a list' }]
          : []),
        ...unknownIn(
          { url, headers: { ...headers }, basic, json, form: form === null ? null : { ...form }, text },
          inside,
          known,
        ),
      ];
    }),
    ...unknownIn({ ...preset.oauth }, ['oauth'], known),
    ...preset.answers.flatMap(({ learn }, index) =>
      Object.keys(learn)
        .filter((name) => !Object.hasOwn(preset.keys, name))
        .map((name) => ({
          inside: ['answers', index, 'learn', name],
          message: `there is no key ${formatValue(name)}${suggestName(name, Object.keys(preset.keys))}`,
        })),
    ),
  ];
}

/** All requests of the preset, each with its place. */
function requestsOf({ requests, receipt }: Preset): (readonly [Path, PresetRequest])[] {
  const written = Object.entries(requests).map(([name, request]) => [['requests', name], request] as const);
  const all = [...written, [['receipt', 'request'], receipt?.request ?? null] as const];
  return all.flatMap(([inside, request]) => (request === null ? [] : [[inside, request] as const]));
}

/** Unknown placeholders. */
function unknownIn(value: Json, inside: Path, known: readonly string[]): PresetMistake[] {
  if (typeof value === 'string') {
    return (
      findPlaceholders(value)
        // Customer names are defined by the user.
        .filter((name) => !known.includes(name) && !name.startsWith('customer.'))
        .map((name) => {
          const meant = suggestName(name, known);
          return {
            inside,
            message: `unknown placeholder ${formatValue(`{{${name}}}`)}${meant || `. Allowed: ${known.join(', ')}`}`,
          };
        })
    );
  }
  if (typeof value !== 'object' || value === null) return [];
  const entries: (readonly [string | number, Json])[] = Array.isArray(value)
    ? (value as Json[]).map((item, index) => [index, item] as const)
    : Object.entries(value as Record<string, Json>);
  return entries.flatMap(([name, inner]) => unknownIn(inner, [...inside, name], known));
}
