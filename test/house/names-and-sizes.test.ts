/** A reader finds a thing by its noun, in a file of a size that can be read. */
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';

/** Words that name no thing. */
const EMPTY_WORDS = ['handler', 'manager', 'service', 'util', 'utils', 'helper', 'helpers'];

/** Words that mean another thing here: each with the word to use. */
const OTHER_WORDS: Readonly<Record<string, string>> = { notifier: 'receiver', incident: 'notice' };

/** A file of 300 lines is asked what its noun is, and is not cut in two for a few lines more. */
const LONGEST_SOURCE = 400;
const LONGEST_TEST = 600;
const LONGEST_FUNCTION = 120;
const LARGEST_FOLDER = 25;

const files = [...sourceFiles('src'), ...sourceFiles('test')];
const DECLARED = /^(?:export )?(?:async )?(?:function|const|let|class|interface|type)\s+([A-Za-z_$][\w$]*)/gm;

/** `startPollLoop`, `start-poll-loop`, `START_POLL_LOOP` → start, poll, loop */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

const FUNCTION =
  /^( *)(?:export )?(?:async )?(?:function\*? (\w+)|(?:static |async |get |set )*(#?\w+)\([^;]*\).* \{$|const (\w+) = .*=> \{$)/;

/** Functions and methods with their lines, as the formatter indents them. */
function functionsOf(text: string): { name: string; lines: number }[] {
  const lines = text.split('\n');
  return lines.flatMap((line, begin) => {
    const [, indent = '', ...names] = FUNCTION.exec(line) ?? [];
    const name = names.find((each) => each !== undefined);
    if (name === undefined || ['if', 'for', 'while', 'switch', 'catch'].includes(name)) return [];
    const isEnd = new RegExp(`^${indent}\\}[,;)]*$`);
    const last = lines.findIndex((each, at) => at > begin && isEnd.test(each));
    return last === -1 ? [] : [{ name, lines: last - begin + 1 }];
  });
}

describe('names', () => {
  it('takes names apart into words', () => {
    expect(wordsOf('alert/startPollLoop.test.ts')).toEqual(['alert', 'start', 'poll', 'loop', 'test', 'ts']);
  });

  it('of files and of what they declare are nouns of the field', () => {
    const names = files.flatMap(({ path, code }) => [
      path,
      ...[...code.matchAll(DECLARED)].map(([, name = '']) => `${path}: ${name}`),
    ]);
    expect(names.length).toBeGreaterThan(300);
    const empty = names.filter((name) => wordsOf(name).some((word) => EMPTY_WORDS.includes(word)));
    expect(empty).toEqual([]);
    const other = names.filter(
      (name) => !/incident_|during/i.test(name) && wordsOf(name).some((word) => word in OTHER_WORDS),
    );
    expect(other.filter((name) => name.startsWith('src/'))).toEqual([]);
  });

  it('of files are in kebab case', () => {
    expect(
      files
        .map(({ path }) => path)
        .filter(
          (path) =>
            !/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*(\.(test|bench|config|system))?\.ts$/.test(path),
        ),
    ).toEqual([]);
  });
});

describe('sizes', () => {
  it.each([
    ['src', LONGEST_SOURCE],
    ['test', LONGEST_TEST],
  ])('in %s stay below %d lines a file', (folder, longest) => {
    const long = sourceFiles(folder)
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > longest);
    expect(long).toEqual([]);
  });

  it(`of folders in src stay at ${LARGEST_FOLDER} files`, () => {
    const folders = Object.entries(Object.groupBy(sourceFiles('src'), ({ path }) => dirname(path)));
    expect(folders.length).toBeGreaterThan(50);
    const large = folders.filter(([, inside = []]) => inside.length > LARGEST_FOLDER);
    expect(large.map(([folder, inside = []]) => `${folder}: ${inside.length}`)).toEqual([]);
  });

  it(`of functions in src stay below ${LONGEST_FUNCTION} lines`, () => {
    const functions = sourceFiles('src').flatMap(({ path, text }) =>
      functionsOf(text).map(({ name, lines }) => ({ name: `${path}: ${name}`, lines })),
    );
    expect(functions.length).toBeGreaterThan(1_000);
    expect(functions.filter(({ lines }) => lines > LONGEST_FUNCTION)).toEqual([]);
  });

  it('of functions are counted from the first line to the last, those of methods too', () => {
    const text = 'export async function one(\n  a: A,\n): B {\n  two();\n}\n\nclass C {\n  #two(): void {\n  }\n}\n';
    expect(functionsOf(text)).toEqual([
      { name: 'one', lines: 5 },
      { name: '#two', lines: 2 },
    ]);
  });

  it('exports are named', () => {
    const unnamed = files.filter(
      ({ path, code }) =>
        /^export default/m.test(code) && !path.endsWith('vitest.config.ts') && path !== 'house/lint-rules.ts',
    );
    expect(unnamed.map(({ path }) => path)).toEqual([]);
  });
});
