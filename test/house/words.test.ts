/** Plain words: comments begin with a noun or a verb, a thing is no person, and a function is named by what it does. */
import { describe, expect, it } from 'vitest';
import { sourceFiles, type SourceFile } from './source-files.ts';

/** Functions that build a schema are named by what they describe, as those of zod are. */
const SCHEMA_BUILDERS = [
  'cli/command.ts',
  'config/address.ts',
  'core/text/word-schema.ts',
  'config/schema/fields.ts',
  'provider/field-kinds.ts',
  'provider/catalogue/common.ts',
];

const VERBS: ReadonlySet<string> = new Set(
  `acknowledge add adopt alter announce answer append apply ask assert assign backdate begin build capitalize catch
  chain check choose classify clean clip close collect combine compare compile compose compress compute confirm convert copy correct
  count create decide decode define defuse delete derive describe detect digest draft draw drop duplicate edit emit
  encode end endow enqueue ensure erase escape estimate evict exclude explain export extend fail fetch fill filter
  find finish fit fold forget format gather give group guess handle hash hide hold identify ignore import infer
  insert join judge keep label lay limit link list listen load locate lock log look make map mark mask match measure memoize
  merge migrate mute name note observe omit open parse perform pick place plan play post prepare print propose prune
  publish push put quote read rebuild recognize reconcile record redact refuse register release relocate remember remind
  remove rename render renew replace replay report request require reserve reset reshard resolve restore retry
  return revoke round run save schedule seal search seed select send serve set settle share shorten show sign simulate
  skip sleep sort split start stop store strip subtract suggest sum summarize take tally toggle trace track
  translate trim truncate undo unlink unseal update validate verify wait walk warn watch wrap write
  can from has is to with without`.split(/\s+/),
);

type Count = (file: SourceFile) => string[];

/** Each comment as one line: a block, or line comments that follow one another. */
function commentsOf(text: string): string[] {
  const blocks = [...text.matchAll(/\/\*\*?([\s\S]*?)\*\//g)].map(([, inner = '']) =>
    inner.replaceAll(/\n\s*\*/g, ' '),
  );
  const lines: string[] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    const [, comment] = /(?:^|\s)\/\/ (.*)$/.exec(line) ?? [];
    if (comment !== undefined) lines.push(isOpen ? `${lines.pop()} ${comment}` : comment);
    isOpen = comment !== undefined && /^\s*\/\//.test(line);
  }
  return [...blocks, ...lines].map((each) => each.replaceAll(/\s+/g, ' ').trim()).filter((each) => each !== '');
}

const FIRST_WORD = /^(?:What|Who|Whoever|Whom|Of|Where|That|So)\b/;
const PERSON = /\b(?:he|his|him|whoever|nobody|somebody)\b/i;

const firstWords: Count = ({ text }) => commentsOf(text).filter((comment) => FIRST_WORD.test(comment));

const persons: Count = ({ text }) => commentsOf(text).filter((comment) => PERSON.test(comment));

const functions: Count = ({ path, code }) =>
  SCHEMA_BUILDERS.includes(path)
    ? []
    : [...code.matchAll(/^export (?:async )?function\*? (\w+)/gm)]
        .map(([, name = '']) => name)
        .filter((name) => !VERBS.has(/^[a-z]+/.exec(name)?.[0] ?? ''));

describe('plain words', () => {
  it.each([
    ['firstWords', firstWords],
    ['persons', persons],
    ['functions', functions],
  ] as const)('%s: none in the source', (_, count) => {
    const found = sourceFiles('src').flatMap((file) => count(file).map((text) => `${file.path}: ${text}`));
    expect(found).toEqual([]);
  });

  it.each([
    ['firstWords', firstWords],
    ['persons', persons],
  ] as const)('%s: none in benchmarks and shared test code', (_, count) => {
    const shared = sourceFiles('test').filter(({ path }) => /^(?:bench|support)\//.test(path));
    expect(shared.length).toBeGreaterThan(80);
    expect(shared.flatMap((file) => count(file).map((text) => `${file.path}: ${text}`))).toEqual([]);
  });

  it.each([
    ['/** What a look brought back. */', 'firstWords'],
    ['// Of the disk.\nconst a = 1;', 'firstWords'],
    ['/**\n * Reads it.\n * Whoever waits is woken.\n */', 'persons'],
    ['export function asPromised(): void {\n}', 'functions'],
  ] as const)('%j breaks %s', (text, rule) => {
    const file: SourceFile = { path: 'room/a.ts', room: 'room', text, code: text, imports: [] };
    const found = { firstWords: firstWords(file), persons: persons(file), functions: functions(file) };
    expect(
      Object.entries(found)
        .filter(([, each]) => each.length > 0)
        .map(([name]) => name),
    ).toEqual([rule]);
  });

  it.each([
    '/** Result of a sweep. */',
    '// Reads it.\n// What follows is a second sentence.',
    'export const a = 1; // x',
  ])('%j breaks none', (text) => {
    const file: SourceFile = { path: 'room/a.ts', room: 'room', text, code: text, imports: [] };
    expect([...firstWords(file), ...persons(file), ...functions(file)]).toEqual([]);
  });

  it('a function of two words begins with its verb', () => {
    const code =
      'export function readPage(): void {}\nexport async function* listPages() {}\nexport function isOpen() {}';
    expect(functions({ path: 'a.ts', room: 'a', text: code, code, imports: [] })).toEqual([]);
  });
});
