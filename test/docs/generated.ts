/** Parts of the documents that are made from the source: see `generated.test.ts`. */
import { listConfigKeys, type ConfigKey } from '../../src/config/key-list.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { createMetrics } from '../../src/web/data/metrics.ts';
import { statusWith } from '../support/system-status.ts';
import { openWeb } from '../web/open-web.ts';

const END = '<!-- end -->\n';

/** The document with this part in the place of the one of this name that it has. */
export function withPart(document: string, name: string, part: string): string {
  const mark = `<!-- generated: ${name} -->\n`;
  const begin = document.indexOf(mark);
  if (begin === -1) throw new Error(`the document has no place for ${name}: ${mark}`);
  const end = document.indexOf(END, begin);
  if (end === -1) throw new Error(`the document has no end of ${name}: ${END}`);
  return `${document.slice(0, begin)}${mark}\n${part}\n${document.slice(end)}`;
}

/** Every command, as `--help` lists them. */
export function commandTable(): string {
  return table(
    ['command', 'what it does'],
    COMMANDS.map(({ name, summary }) => [`\`linewatch ${name}\``, summary]),
  );
}

/** A heading for each section, and a table of its keys. */
export function keyTables(): string {
  const all = listConfigKeys();
  const first = (path: string): string => path.replace(/[.[].*/, '');
  const sections = new Set(all.filter(({ path }) => first(path) !== path).map(({ path }) => first(path)));
  const parts = Map.groupBy(all, ({ path }) => (sections.has(first(path)) ? `\`${first(path)}\`` : 'At the top'));
  return [...parts].map(([name, keys]) => `### ${name}\n\n${keyTable(keys)}`).join('\n');
}

function keyTable(keys: readonly ConfigKey[]): string {
  return table(
    ['key', 'value', 'meaning'],
    keys.map(({ path, type, required, choices, meaning, default: otherwise, example }) => [
      `\`${path}\``,
      required ? `${type}, required` : type,
      [
        meaning,
        ...(choices.length === 0 || meaning.startsWith('One of ')
          ? []
          : [`One of ${choices.map((one) => `\`${one}\``).join(', ')}.`]),
        ...(otherwise === null ? [] : [`Default \`${otherwise}\`.`]),
        ...(example === null ? [] : [`For example \`${example}\`.`]),
      ]
        .filter((one) => one !== '')
        .join(' '),
    ]),
  );
}

/** Every series of `/metrics`, as the page itself describes it. */
export async function metricTable(): Promise<string> {
  const text = await createMetrics('1.2.3').text(statusWith({ now: 0, sources: {} }));
  const described = [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm)];
  return table(
    ['metric', 'type', 'meaning'],
    described.map(([, name = '', meaning = '', type = '']) => [`\`${name}\``, type, meaning]),
  );
}

interface ApiDocument {
  paths: Readonly<Record<string, { get: { summary: string; parameters: { name: string; in: string }[] } }>>;
}

/** Every address of the interface for programs, as its own description has it. */
export async function apiTable(): Promise<string> {
  await using web = await openWeb();
  const { paths } = JSON.parse((await web.ask('/api/openapi.json')).body) as ApiDocument;
  return table(
    ['address', 'answer', 'parameters'],
    Object.entries(paths).map(([path, { get }]) => [
      `\`${path}\``,
      get.summary,
      get.parameters
        .filter(({ in: place }) => place === 'query')
        .map(({ name }) => `\`${name}\``)
        .join(', '),
    ]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return `${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}`;
}
