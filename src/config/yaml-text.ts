/**
 * From YAML text to plain values that still know where they stand. The library's own messages quote the text
 * around a mistake, which may be a password, so every mistake is said in our words by its code.
 */
import {
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type ErrorCode,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import type { Path } from './problem.ts';

/** Counted from 1. */
export interface Position {
  line: number;
  column: number;
}

/** Where a value and its key stand, and how a scalar was written (`007` is the number 7 to YAML). */
interface Located {
  key: Position;
  value: Position;
  written: string | null;
}

interface YamlMistake {
  place: Position | null;
  path: Path;
  message: string;
}

export interface YamlReading {
  /** Null where the text was not understood well enough to look at what it says. */
  value: unknown;
  mistakes: YamlMistake[];
  readable: boolean;
  /** Where the value at a path stands; for a path that is not there, the nearest that is. */
  at(path: Path): Located;
}

/** Anchors save typing; a file that unfolds to more than this is a bomb. */
const MOST_VALUES = 20_000;
const MOST_ALIASES = 1_000;
const DEEPEST = 60;

const START: Position = { line: 1, column: 1 };

export function readYaml(text: string): YamlReading {
  const counter = new LineCounter();
  // Not `logLevel: 'silent'`: that would also silence the error about a second document.
  const options = { lineCounter: counter, prettyErrors: false, stringKeys: true, merge: true } as const;
  const document = parseDocument(text, options);
  const mistakes = mistakesOf(document, text, counter);
  const problems = [...document.errors, ...document.warnings];
  const readable =
    problems.every(({ code }) => code === 'DUPLICATE_KEY') &&
    unfold(document, (node, path, message) => {
      mistakes.push({ place: node === null ? null : placeOf(counter, startOf(node) ?? 0), path, message });
    });
  const value: unknown = readable ? document.toJS() : null;
  return { value, mistakes, readable, at: (path) => standing(document, counter, path) };
}

function mistakesOf(document: Document, text: string, counter: LineCounter): YamlMistake[] {
  const mistakes: YamlMistake[] = [];
  const lines = new Set<number>();
  const written = text.split(/\r\n|\r|\n/);
  for (const { code, pos } of [...document.errors, ...document.warnings]) {
    const opened = code === 'MISSING_CHAR' ? openedAt(document, text, pos[0]) : null;
    const place = placeOf(counter, opened ?? pos[0]);
    // One slip of the pen makes the library stumble over the rest of its line, too.
    if (lines.has(place.line) && code !== 'DUPLICATE_KEY') continue;
    lines.add(place.line);
    const slip = slipOf(code, written[place.line - 1] ?? '', text.slice(pos[0], pos[0] + 80));
    const message = slip ?? (opened === null ? (MEANINGS[code] ?? NOT_YAML) : 'a quote is opened and not closed');
    mistakes.push({ place, path: [], message });
    // Nothing that comes after one of these says anything about the text itself.
    if (code === 'RESOURCE_EXHAUSTION' || opened !== null) break;
  }
  return mistakes;
}

/** Where the quote opens that should close here; null where something else is missing here. */
function openedAt(document: Document, text: string, here: number): number | null {
  let opened: number | null = null;
  visit(document, {
    Scalar: (_, { type, range }) => {
      const [start, end] = type?.startsWith('QUOTE') === true && range ? range : [0, 0];
      const closed = end - start > 1 && text[end - 1] === text[start];
      if (end === here && !closed) opened = start;
    },
  });
  return opened;
}

/** What is probably behind a mistake, by the line it is on and the text from there; null where its code has to do. */
function slipOf(code: ErrorCode, line: string, rest: string): string | null {
  if (code === 'DUPLICATE_KEY') {
    const key = /^["']?([A-Za-z0-9_.-]+)/.exec(rest)?.[1];
    return `the key ${key === undefined ? '' : `"${key}" `}is written twice in one mapping; keep one of them`;
  }
  if (code === 'TAB_AS_INDENT' || code === 'MULTIPLE_DOCS') return null;
  const bare = line.replaceAll(/"[^"]*"|'[^']*'/g, '');
  if (bare.includes('${')) {
    return /\$\{[^}]*\s/.test(bare)
      ? 'a ${…} with a blank in it has to stand in quotes: "${credential:NAME}"'
      : 'inside { } or [ ] a value with ${…} has to stand in quotes: "${credential:NAME}"';
  }
  if (/^\s*- /.test(line) && MEANINGS[code] === INDENTATION) {
    return 'this "-" is not below the "-" of the entry before it; the entries of a list stand in one column';
  }
  return /^\s*(- )?[A-Za-z_]+:[^\s]/.test(line) ? 'a space is missing after the colon of a key' : null;
}

const INDENTATION =
  'the indentation is wrong (keys of one entry stand in one column), a bracket is not closed, or a value that contains ": " is not quoted';
const ALIAS = 'an anchor (&) or alias (*) is wrong here; quote the value if it starts with one of these characters';
const NOT_YAML = 'this is not valid YAML; a quote, bracket, colon or comma is missing, or one too many';

const MEANINGS: Readonly<Partial<Record<ErrorCode, string>>> = {
  TAB_AS_INDENT: 'a tab is used to indent; YAML wants spaces',
  MULTIPLE_DOCS: 'a second document starts here (---); a configuration is one document',
  RESOURCE_EXHAUSTION: 'the text is nested too deeply to be a configuration',
  TAG_RESOLVE_FAILED: 'a tag (!…) is used; tags mean nothing here, quote the value if it starts with "!"',
  BAD_ALIAS: ALIAS,
  ALIAS_PROPS: ALIAS,
  MULTIPLE_ANCHORS: ALIAS,
  BAD_SCALAR_START: 'a value may not start with @, ` or % unless it is quoted',
  BAD_DQ_ESCAPE:
    'a backslash in double quotes starts an escape, and this is none; use single quotes or double the backslash',
  BLOCK_AS_IMPLICIT_KEY: INDENTATION,
  MULTILINE_IMPLICIT_KEY: INDENTATION,
  BAD_INDENT: INDENTATION,
  MISSING_CHAR:
    'a character is missing: a colon and a space after a key, a quote or a bracket; or a key does not stand in one column with the others of its entry',
  NON_STRING_KEY: 'a key has to be plain text',
};

function placeOf(counter: LineCounter, offset: number): Position {
  const { line, col } = counter.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

function keyOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : '';
}

/** As the library sees it: a quoted "<<" is a key like any other. */
function isMerge({ key }: Pair): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

function standing(document: Document, counter: LineCounter, path: Path): Located {
  const length = path.findLastIndex((_, index) => document.hasIn(path.slice(0, index + 1))) + 1;
  const node = length === 0 ? undefined : document.getIn(path.slice(0, length), true);
  const around = length === 1 ? document.contents : document.getIn(path.slice(0, Math.max(length - 1, 0)), true);
  const pair = isMap(around) ? around.items.find((one) => keyOf(one) === path[length - 1]) : undefined;
  const key = length === 0 ? START : placeOf(counter, startOf(pair?.key ?? node) ?? 0);
  const start = startOf(node);
  const value = start === undefined ? key : placeOf(counter, start);
  return { key, value, written: isScalar(node) ? (node.source ?? null) : null };
}

type Tell = (node: unknown, path: Path, message: string) => void;

/**
 * Puts in the place of each alias what it stands for and in the place of `<<` what it brings, so that the library
 * finds every value by its path; a value keeps the place it was written at. False where the text cannot be used.
 */
function unfold(document: Document, tell: Tell): boolean {
  const targets = new Map<unknown, Node>();
  if (!findTargets(document, targets, tell)) return false;
  const aliases = targets.size;
  if (aliases > MOST_ALIASES) {
    tell(null, [], `it uses ${aliases} aliases (*), more than ${MOST_ALIASES}; write the values out`);
    return false;
  }
  let left = MOST_VALUES;
  visit(document, (key, node, above) => {
    if (isPair(node)) return undefined;
    if (isAlias(node)) return copyOf(targets.get(node), node);
    if (key !== 'key') left -= 1;
    if (above.filter((one) => isPair(one) || isSeq(one)).length > DEEPEST) left = -1;
    if (left < 0) return visit.BREAK;
    if (isMap(node)) node.items = withMerges(node, targets, above, tell);
    return undefined;
  });
  if (left >= 0) return true;
  const most = `${MOST_VALUES} values or ${DEEPEST} levels`;
  tell(null, [], `it unfolds to more than ${most}; use fewer anchors (&) and aliases (*)`);
  return false;
}

/** An alias stands for the last value before it with its anchor. */
function findTargets(document: Document, targets: Map<unknown, Node>, tell: Tell): boolean {
  const anchored = new Map<string, Node>();
  let sound = true;
  visit(document, {
    Node(_, node, above) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchored.set(node.anchor, node);
        return;
      }
      const target = anchored.get(node.source);
      const held = above.findIndex((one) => one === target);
      if (target !== undefined) targets.set(node, target);
      if (target !== undefined && held < 0) return;
      const around = above.at(-1);
      // One that holds itself is at fault where it would be unfolded for the second time.
      const again = held < 0 ? [] : pathOf([...above.slice(held), node]);
      const path = [...pathOf([...above, node]), ...again];
      tell(isPair(around) ? around.key : node, path, 'this alias (*) has no anchor (&) before it, or holds itself');
      sound = false;
    },
  });
  return sound;
}

/** The path that leads along these nodes; what `<<` brings stands in the mapping around it. */
function pathOf(nodes: readonly unknown[]): Path {
  return nodes.flatMap((node, index): Path => {
    if (isPair(node)) return isMerge(node) ? [] : [keyOf(node)];
    return isSeq(node) && index < nodes.length - 1 ? [node.items.indexOf(nodes[index + 1])] : [];
  });
}

function copyOf(target: Node | undefined, { range = null }: Alias): Node | undefined {
  return target === undefined ? undefined : Object.assign(target.clone() as Node, { range });
}

/** What is written out wins over what `<<` brings, wherever it stands. */
function withMerges(map: YAMLMap, targets: ReadonlyMap<unknown, Node>, above: readonly unknown[], tell: Tell): Pair[] {
  const proto = map.items.find((pair) => keyOf(pair) === '__proto__');
  if (proto !== undefined) tell(proto.key, pathOf([...above, map, proto]), 'unknown key');
  const written = map.items.filter((pair) => pair !== proto && !isMerge(pair));
  const byKey = new Map(written.map((pair) => [keyOf(pair), pair]));
  for (const merge of map.items.filter(isMerge)) {
    const from = targets.get(merge.value) ?? merge.value;
    for (const one of isSeq(from) ? from.items : [from]) {
      const source = targets.get(one) ?? one;
      if (!isMap(source)) tell(merge.key, pathOf([...above, map]), '"<<" takes an alias (*) of a mapping');
      else for (const pair of source.items) byKey.set(keyOf(pair), byKey.get(keyOf(pair)) ?? pair);
    }
  }
  return [...byKey.values()];
}
