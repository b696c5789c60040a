/** A document that is made: compared with the one that stands there, or written over it with UPDATE_GOLDEN=1. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { DOCS } from './documents.ts';

const updating = process.env['UPDATE_GOLDEN'] === '1';

/** `command` makes it anew. */
export function expectCurrent(file: string, make: (present: string) => string, command = 'npm run docs'): void {
  const path = join(DOCS, file);
  const present = (): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  const made = make(present());
  if (updating) writeFileSync(path, made);
  // Not toBe: of two long texts that differ, a first difference is worth more than both.
  expect(firstDifference(present(), made), command).toBeNull();
}

/** Null for equal texts. */
export function firstDifference(present: string, made: string): string | null {
  const [old, now] = [present.split('\n'), made.split('\n')];
  const at = now.findIndex((line, index) => line !== old[index]);
  if (at !== -1) return `line ${at + 1} would be: ${now[at]}`;
  return old.length === now.length ? null : `${old.length - now.length} lines too many`;
}
