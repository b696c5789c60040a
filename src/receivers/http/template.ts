/** Placeholders such as `{{title}}`, the only part of a preset that is not taken literally. */
import type { Json } from './preset.ts';

/** Undefined if the placeholder has no value. */
export type Lookup = (name: string) => Json | undefined;

const PLACEHOLDER = /\{\{\s*([a-z][a-z0-9_.]*)\s*\}\}/g;
const ONLY = /^\{\{\s*([a-z][a-z0-9_.]*)\s*\}\}$/;

export function findPlaceholders(template: string): string[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/** `write` converts a value to text at its position. */
export function fillText(template: string, lookup: Lookup, write: (value: string, at: number) => string): string {
  return template.replaceAll(PLACEHOLDER, (_, name: string, at: number) => write(toTemplateText(lookup(name)), at));
}

/** A single placeholder becomes its value, of any type. A key, mapping or list without any value is omitted. */
export function fillJson(template: Json, lookup: Lookup): Json | undefined {
  if (typeof template === 'string') {
    const [, only] = ONLY.exec(template) ?? [];
    return only === undefined ? fillText(template, lookup, (value) => value) : lookup(only);
  }
  if (typeof template !== 'object' || template === null) return template;
  const entries = Object.entries(template).flatMap(([key, value]): [string, Json][] => {
    const filled = fillJson(value, lookup);
    return filled === undefined ? [] : [[key, filled]];
  });
  if (entries.length === 0 && Object.keys(template).length > 0) return undefined;
  return Array.isArray(template) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

export function toTemplateText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
