/** The documents as their reader has them: each file with its fenced blocks, its commands between backticks, its links. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
export const DOCS = join(ROOT, 'docs');

export interface Block {
  /** As in `docs/install.md:41`. */
  readonly at: string;
  readonly language: string;
  readonly text: string;
}

export interface Document {
  /** From the root of the project. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

export const PAGES: readonly string[] = readdirSync(DOCS)
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

/** A page for each medium, which docs/media.md leads to. */
export const MEDIA_PAGES: readonly string[] = readdirSync(join(DOCS, 'receivers')).map(
  (name) => `docs/receivers/${name}`,
);

export const documents: readonly Document[] = ['README.md', 'CHANGELOG.md', ...PAGES, ...MEDIA_PAGES].map((path) => {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return { path, text, blocks: blocksOf(path, text) };
});

export function blocksIn(language: string): Block[] {
  return documents.flatMap(({ blocks }) => blocks.filter((block) => block.language === language));
}

function blocksOf(path: string, text: string): Block[] {
  return [...text.matchAll(/^```(\S*)\n([^]*?)^```$/gm)].map(({ 1: language = '', 2: content = '', index }) => ({
    at: `${path}:${text.slice(0, index).split('\n').length + 1}`,
    language,
    text: content,
  }));
}

/** The text without fenced blocks. */
export function prose({ text }: Document): string {
  return text.replaceAll(/^```[^]*?^```$/gm, '');
}

/** Lines of a shell as the shell reads them: one that ends with a backslash goes on, a comment is none. */
export function shellLines({ text }: Block): string[] {
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(^|\s+)#.*$/, '').trim())
    .filter((line) => line !== '');
}
