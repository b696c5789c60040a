/**
 * Parses YAML into plain values with positions. The library's messages quote the text around an error, which may be a
 * password, so errors are worded here by code.
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

/** From 1. */
export type Position = ReturnType<LineCounter['linePos']>;

/** Positions of a value and its key, and the source of a scalar (`007` parses as the number 7). */
interface Located {
  key: Position;
  value: Position;
  written: string | null;
}

export type YamlReading = ReturnType<typeof readYaml>;

/** By JSON path, after resolving aliases. */
type PlacesByPath = Map<string, Located>;

/** Without a position the whole text is wrong. */
type Tell = (place: Position | null, path: Path, message: string) => void;

/** Limit of values that aliases bring beside those written, against YAML bombs. */
const MOST_VALUES = 20_000;
const MOST_ALIASES = 1_000;
/** Limit of depth: reading recurses. */
const DEEPEST = 60;

const TOP: Located = { key: { line: 1, col: 1 }, value: { line: 1, col: 1 }, written: null };

/** Never throws. Reads the first of several documents and reports the others as an error. */
export function readYaml(text: string, tell: Tell) {
  const counter = new LineCounter();
  // Not `logLevel: 'silent'`, which would also hide the error about a second document.
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
  return {
    /** Undefined if the text is too broken. */
    value,
    /** Position of the value at a path, or of its nearest existing ancestor. */
    at,
  };
}

function tellErrors(document: Document, text: string, counter: LineCounter, tell: Tell): void {
  const lines = new Set<number>();
  const written = text.split(/\r\n|\r|\n/);
  for (const { code, pos } of [...document.errors, ...document.warnings]) {
    const opened = code === 'MISSING_CHAR' ? openedAt(document, text, pos[0]) : null;
    const place = counter.linePos(opened ?? pos[0]);
    // One typo causes further errors on its line.
    if (lines.has(place.line) && code !== 'DUPLICATE_KEY') continue;
    lines.add(place.line);
    const slip = slipOf(code, written[place.line - 1] ?? '', text.slice(pos[0], pos[0] + 80));
    tell(place, [], slip ?? (opened === null ? (MEANINGS[code] ?? NOT_YAML) : 'a quote is opened and not closed'));
    // Errors after these are consequences.
    if (code === 'RESOURCE_EXHAUSTION' || opened !== null) return;
  }
}

/** Position of an unclosed quote; null if something else is missing. */
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

/** Probable cause by the line and the text from the error; null if unknown. */
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

/** As the library decides: a quoted "<<" is an ordinary key. */
function isMerge({ key }: Pair): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}

/** Target of each alias, the last preceding value with its anchor; and how many values are written at most. */
function targetsOf(document: Document): { targets: Map<unknown, Node | undefined>; written: number } {
  const anchored = new Map<string, Node>();
  const targets = new Map<unknown, Node | undefined>();
  let written = 0;
  visit(document, {
    // A key without a value has no node.
    Pair: () => void (written += 1),
    Node(_, node) {
      written += 1;
      if (isAlias(node)) targets.set(node, anchored.get(node.source));
      else if (node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  return { targets, written };
}

/** The value of a document; undefined for an unresolved alias, or beyond the limits. */
function unfold(
  document: Document,
  placed: (node: unknown) => Position | null,
  places: PlacesByPath,
  tell: Tell,
): unknown {
  const { targets, written } = targetsOf(document);
  const wrong = new Set<unknown>();
  let left = targets.size > MOST_ALIASES ? 0 : written + MOST_VALUES;

  /** `above`: the path of nodes to this one. */
  function read(node: unknown, key: unknown, path: Path, above: readonly unknown[]): unknown {
    left = above.length > DEEPEST ? -1 : left - 1;
    if (left < 0) return undefined;
    const target = targets.get(node) ?? node;
    const held = isAlias(node) ? above.indexOf(target) : -1;
    if (isAlias(target) || held >= 0) {
      // A recursive alias is reported where it would be expanded a second time.
      const at = [...path, ...(held < 0 ? [] : path.slice(held))];
      if (!wrong.has(node)) tell(placed(key), at, 'this alias (*) has no anchor (&) before it, or holds itself');
      wrong.add(node);
      return undefined;
    }
    const value = contentOf(target, path, [...above, target]);
    // Last, because merged values have the path of the surrounding mapping.
    const place = placed(key) ?? TOP.key;
    const source = isScalar(target) ? (target.source ?? null) : null;
    places.set(JSON.stringify(path), { key: place, value: placed(node) ?? place, written: source });
    return value;
  }

  function contentOf(node: unknown, path: Path, above: readonly unknown[]): unknown {
    if (isSeq(node)) return node.items.map((item, index) => read(item, item, [...path, index], above));
    if (!isMap(node)) return isScalar(node) ? node.value : null;
    const content: Record<string, unknown> = {};
    // Own keys win over merged ones, and earlier merges over later ones.
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
