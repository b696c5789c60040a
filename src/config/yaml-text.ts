/**
 * From YAML text to plain values that still know where they stand. The library's own messages quote the text
 * around a mistake, which may be a password, so every mistake is said in our words by its code.
 */
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type ErrorCode,
  type Node,
  type Pair,
} from 'yaml';
import { isObject } from '../core/text/plain-object.ts';
import type { Path } from './problem.ts';

/** Counted from 1. */
export type Position = ReturnType<LineCounter['linePos']>;

/** Where a value and its key stand, and how a scalar was written (`007` is the number 7 to YAML). */
interface Located {
  key: Position;
  value: Position;
  written: string | null;
}

export interface YamlReading {
  /** Undefined where the text was not understood well enough to look at what it says. */
  value: unknown;
  /** Where the value at a path stands; for a path that is not there, the nearest that is. */
  at(path: Path): Located;
}

/** By paths (as JSON), once the aliases are unfolded. */
type PlacesByPath = Map<string, Located>;

/** Without a place it is the whole text that is wrong. */
type Tell = (place: Position | null, path: Path, message: string) => void;

/** Anchors save typing; a file that unfolds to more than this is a bomb. */
const MOST_VALUES = 20_000;
const MOST_ALIASES = 1_000;
/** No configuration is nearly as deep, and whoever walks one recurses into it. */
const DEEPEST = 60;

const TOP: Located = { key: { line: 1, col: 1 }, value: { line: 1, col: 1 }, written: null };

/** Never throws. Of a text with several documents the first is read, and the others are a mistake. */
export function readYaml(text: string, tell: Tell): YamlReading {
  const counter = new LineCounter();
  // Not `logLevel: 'silent'`: that would also silence the error about a second document.
  const options = { lineCounter: counter, prettyErrors: false, stringKeys: true, merge: true } as const;
  const document = parseDocument(text, options);
  const isRead = [...document.errors, ...document.warnings].every(({ code }) => code === 'DUPLICATE_KEY');
  tellErrors(document, text, counter, tell);
  const placed = (node: unknown): Position | null =>
    isNode(node) && node.range ? counter.linePos(node.range[0]) : null;
  const places: PlacesByPath = new Map();
  const value = isRead ? unfold(document, placed, places, tell) : undefined;
  const at = (path: Path): Located =>
    path.length === 0 ? TOP : (places.get(JSON.stringify(path)) ?? at(path.slice(0, -1)));
  return { value, at };
}

function tellErrors(document: Document, text: string, counter: LineCounter, tell: Tell): void {
  const lines = new Set<number>();
  const written = text.split(/\r\n|\r|\n/);
  for (const { code, pos } of [...document.errors, ...document.warnings]) {
    const opened = code === 'MISSING_CHAR' ? openedAt(document, text, pos[0]) : null;
    const place = counter.linePos(opened ?? pos[0]);
    // One slip of the pen makes the library stumble over the rest of its line, too.
    if (lines.has(place.line) && code !== 'DUPLICATE_KEY') continue;
    lines.add(place.line);
    const slip = slipOf(code, written[place.line - 1] ?? '', text.slice(pos[0], pos[0] + 80));
    tell(place, [], slip ?? (opened === null ? (MEANINGS[code] ?? NOT_YAML) : 'a quote is opened and not closed'));
    // Nothing that comes after one of these says anything about the text itself.
    if (code === 'RESOURCE_EXHAUSTION' || opened !== null) return;
  }
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

function keyOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : '';
}

/** As the library sees it: a quoted "<<" is a key like any other. */
function isMerge({ key }: Pair): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}

/** What each alias stands for: the last value before it with its anchor. */
function targetsOf(document: Document): Map<unknown, Node | undefined> {
  const anchored = new Map<string, Node>();
  const targets = new Map<unknown, Node | undefined>();
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) targets.set(node, anchored.get(node.source));
      else if (node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  return targets;
}

/** What a document says; undefined where an alias stands for nothing, or where it is too much. */
function unfold(
  document: Document,
  placed: (node: unknown) => Position | null,
  places: PlacesByPath,
  tell: Tell,
): unknown {
  const targets = targetsOf(document);
  const wrong = new Set<unknown>();
  let left = targets.size > MOST_ALIASES ? 0 : MOST_VALUES;

  /** `above` are the nodes that lead to this one. */
  function read(node: unknown, key: unknown, path: Path, above: readonly unknown[]): unknown {
    left = above.length > DEEPEST ? -1 : left - 1;
    if (left < 0) return undefined;
    const target = targets.get(node) ?? node;
    const held = isAlias(node) ? above.indexOf(target) : -1;
    if (isAlias(target) || held >= 0) {
      // One that holds itself is at fault where it would be unfolded for the second time.
      const at = [...path, ...(held < 0 ? [] : path.slice(held))];
      if (!wrong.has(node)) tell(placed(key), at, 'this alias (*) has no anchor (&) before it, or holds itself');
      wrong.add(node);
      return undefined;
    }
    const value = contentOf(target, path, [...above, target]);
    // Last, since what `<<` brings goes by the path of the mapping around it.
    const place = placed(key) ?? TOP.key;
    const written = isScalar(target) ? (target.source ?? null) : null;
    places.set(JSON.stringify(path), { key: place, value: placed(node) ?? place, written });
    return value;
  }

  function contentOf(node: unknown, path: Path, above: readonly unknown[]): unknown {
    if (isSeq(node)) return node.items.map((item, index) => read(item, item, [...path, index], above));
    if (!isMap(node)) return isScalar(node) ? node.value : null;
    const content: Record<string, unknown> = {};
    // What is written out wins over what `<<` brings, wherever it stands; of that, what comes first.
    for (const { key, value } of node.items.filter(isMerge).toReversed()) {
      const from = targets.get(value) ?? value;
      for (const one of isSeq(from) && !above.includes(from) ? from.items.toReversed() : [value]) {
        const brought = read(one, key, path, above);
        if (isObject(brought)) Object.assign(content, brought);
        else if (brought !== undefined) tell(placed(key), path, '"<<" takes an alias (*) of a mapping');
      }
    }
    const pairs = node.items.filter((pair) => !isMerge(pair)).map((pair) => [keyOf(pair), pair] as const);
    for (const [name, { key, value }] of new Map(pairs)) {
      if (name === '__proto__') tell(placed(key), [...path, name], 'unknown key');
      else content[name] = read(value, key, [...path, name], above);
    }
    return content;
  }

  const value = read(document.contents, null, [], []);
  if (targets.size > MOST_ALIASES) {
    tell(null, [], `it uses ${targets.size} aliases (*), more than ${MOST_ALIASES}; write the values out`);
  } else if (left < 0) {
    const most = `${MOST_VALUES} values or ${DEEPEST} levels`;
    tell(null, [], `it unfolds to more than ${most}; use fewer anchors (&) and aliases (*)`);
  }
  return left < 0 || wrong.size > 0 ? undefined : value;
}
