/** The documents as a whole: short at the front, each link leads somewhere, each figure and each word is meant. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { LIMITS, PACE, REMEMBERED } from '../../src/core/observation/limits.ts';
import { sourceFiles } from '../house/source-files.ts';
import { documents, MEDIA_PAGES, PAGES, prose, ROOT, type Document } from './documents.ts';

const LONGEST_README = 6_000;

function textOf(path: string): string {
  return documents.find((page) => page.path === path)?.text ?? '';
}

/** As GitHub names a heading. */
function anchorsIn(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Links that lead nowhere: relative ones, with their anchors. */
function brokenLinks({ path, text }: Document): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^https?:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const full = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(ROOT, full))) return true;
      return anchor !== undefined && !anchorsIn(readFileSync(join(ROOT, full), 'utf8')).includes(anchor);
    });
}

describe('the documents', () => {
  it('begin with a page that is short', () => {
    expect(Buffer.byteLength(textOf('README.md'))).toBeLessThanOrEqual(LONGEST_README);
    expect(PAGES.filter((page) => !textOf('README.md').includes(`](${page})`))).toEqual([]);
  });

  it.each(documents.map((page) => [page.path, page] as const))('%s leads nowhere in vain', (_path, page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it('tell a link that leads nowhere', () => {
    const page = {
      path: 'docs/x.md',
      text: '[a](gone.md) [b](install.md#none) [c](install.md#install) [d](#x)',
      blocks: [],
    };
    expect(brokenLinks(page)).toEqual(['gone.md', 'install.md#none', '#x']);
  });

  it('have a page for each medium: its steps, what its success proves, its limits', () => {
    const presets = readdirSync(join(ROOT, 'config/media')).map((name) => name.replace('.yaml', ''));
    const pages = MEDIA_PAGES.map(textOf);
    expect(presets.filter((preset) => !pages.some((text) => text.includes(`preset: ${preset}`)))).toEqual([]);
    expect(MEDIA_PAGES.filter((page) => !textOf('docs/media.md').includes(`](${page.slice('docs/'.length)})`))).toEqual(
      [],
    );
    for (const text of pages) {
      expect(text).toMatch(
        /\n1\. [^]*```yaml[^]*linewatch notify test [^]*\n## What its success proves\n[^]*\n## Limits\n/,
      );
    }
  });

  it.each([...PAGES, ...MEDIA_PAGES])('%s begins with what its reader can do', (page) => {
    expect(textOf(page)).toMatch(/^# [^\n]+\n\nWith this page you/);
  });

  it('have the changes of this version first', () => {
    expect(/^## (\S+)/m.exec(textOf('CHANGELOG.md'))?.[1]).toBe(packageJson.version);
  });

  it('say it in the words of the field', () => {
    const PRIVATE = /\b(whoever|anew|is told|are told|hears? of|stands by itself)\b/;
    // What is quoted is the program's.
    const lines = documents.flatMap((page) =>
      prose({ ...page, text: page.text.replaceAll(/<!-- generated: [^]*?<!-- end -->/g, '') })
        .replaceAll(/"[^"]*"|`[^`]*`/g, '')
        .split('\n')
        .filter((line) => PRIVATE.test(line))
        .map((line) => `${page.path}: ${line}`),
    );
    expect(lines).toEqual([]);
  });
});

describe('troubleshoot.md', () => {
  const source = sourceFiles('src')
    .map(({ text }) => text)
    .join('\n');
  const quoted = [...textOf('docs/troubleshoot.md').matchAll(/"([^"`]{8,})"/g)].map(([, words = '']) => words);

  it('quotes messages', () => expect(quoted.length).toBeGreaterThan(10));

  it.each(quoted)('quotes a message that there is: %s', (words) => {
    // What stands for a name or a number is another each time.
    const parts = words.split(/…|\bN\b|\b10000\b|(?<=^Odd data) /).map((part) => part.replace(/^[\s:]+|[\s:]+$/g, ''));
    expect(parts.filter((part) => part !== '' && !source.includes(part))).toEqual([]);
  });
});

describe('limits.md', () => {
  const digits = (count: number): string => count.toLocaleString('en-US');
  const MB = 1024 * 1024;

  it.each([
    ['requests a second to a page', `${PACE.statusRequestsPerSecond} requests a second`],
    ['how seldom extensions are read', `every ${PACE.extensionsEveryMs / 60_000} minutes`],
    ['bytes of an answer', `an answer of an account: ${LIMITS.answerBytes / MB} MB`],
    ['bytes of an answer of a page', `of a page: ${LIMITS.statusAnswerBytes / MB} MB`],
    [
      'phones and toggles',
      `${digits(LIMITS.extensions)} extensions or registered phones, ${digits(LIMITS.toggles)} toggles`,
    ],
    [
      'a listing',
      `${LIMITS.pages} pages of answers, ${LIMITS.listingBytes / MB} MB, ${digits(LIMITS.components)} components, ${LIMITS.notices} notices`,
    ],
    [
      'any answer',
      `${digits(LIMITS.containers)} objects and lists, ${digits(LIMITS.values)} values, nested ${LIMITS.depth} deep`,
    ],
    ['contacts', `${LIMITS.contacts} contacts of an extension, ${LIMITS.levels} levels of components`],
    ['details', `${LIMITS.detailsOfASweep} notices whose details`],
    [
      'texts',
      `a text of ${digits(LIMITS.text)} characters, a notice's history of ${digits(LIMITS.history)}, a name of ${LIMITS.name}`,
    ],
    [
      'what is remembered of a page',
      `${REMEMBERED.openNotices} open and ${REMEMBERED.closedNotices} ended notices, ${digits(REMEMBERED.components)} components`,
    ],
    ['what is remembered of an account', `${digits(REMEMBERED.phones)} phones, ${digits(REMEMBERED.toggles)} toggles`],
  ])('has the figure of the source: %s', (_what, said) => {
    expect(textOf('docs/limits.md')).toContain(said);
  });
});
