/**
 * From YAML text to plain values that still know where they stand. The library's own messages quote the text
 * around a mistake, which may be a password, so every mistake is said in our words by its code.
 */
import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import type { Alias, Document, Node, Pair, YAMLMap } from 'yaml';
import type { Path } from './problem.ts';

export interface Place {
  line: number;
  column: number;
}

/** Where a value and its key stand, and how a scalar was written (`007` is the number 7 to YAML). */
export interface Standing {
  key: Place;
  value: Place;
  written: string | null;
}

export interface YamlMistake {
  place: Place | null;
  path: Path;
  message: string;
}

export interface YamlReading {
  value: unknown;
  mistakes: YamlMistake[];
  /** Whether the text was understood well enough to look at what it says. */
  readable: boolean;
  /** Where the value at a path stands; for a path that is not there, the nearest that is. */
  at(path: Path): Standing;
}

/** Anchors save typing; a file that unfolds to more than this is a bomb. */
const MOST_VALUES = 20_000;
const MOST_ALIASES = 1_000;
const DEEPEST = 60;

export function readYaml(text: string): YamlReading {
  const counter = new LineCounter();
  const places = new Map<string, Standing>();
  const top: Standing = { key: { line: 1, column: 1 }, value: { line: 1, column: 1 }, written: null };
  const reading: YamlReading = {
    value: null,
    mistakes: [],
    readable: true,
    at(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const found = places.get(JSON.stringify(path.slice(0, length)));
        if (found !== undefined) return found;
      }
      return top;
    },
  };
  // Not `logLevel: 'silent'`: that would also silence the error about a second document.
  const options = { lineCounter: counter, prettyErrors: false, stringKeys: true, merge: true } as const;
  const document = parseDocument(text, options);
  const lines = new Set<number>();
  const written = text.split(/\r\n|\r|\n/);
  for (const { code, pos, message } of [...document.errors, ...document.warnings]) {
    const place = placeOf(counter, openedAt(document, code, message, pos[0]));
    if (code !== 'DUPLICATE_KEY') reading.readable = false;
    // One slip of the pen makes the library stumble over the rest of its line, too.
    if (lines.has(place.line) && code !== 'DUPLICATE_KEY') continue;
    lines.add(place.line);
    const lineText = written[place.line - 1] ?? '';
    reading.mistakes.push({
      place,
      path: [],
      message: explainYaml(code, message, lineText, text.slice(pos[0], pos[0] + 80)),
    });
    // Nothing that comes after one of these says anything about the text itself.
    if (code === 'RESOURCE_EXHAUSTION' || isOpenQuote(code, message)) break;
  }
  if (reading.readable) unfold(document, counter, places, reading);
  return reading;
}

function placeOf(counter: LineCounter, offset: number): Place {
  const { line, col } = counter.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

/** A quote that is not closed is noticed at the end of the text, and has to be mended where it opens. */
function openedAt(document: Document, code: string, message: string, noticed: number): number {
  let opened = noticed;
  if (!isOpenQuote(code, message)) return opened;
  visit(document, {
    Scalar(_, { type, range }) {
      if (type?.startsWith('QUOTE') === true && range !== null && range !== undefined && range[1] >= noticed)
        opened = range[0];
    },
  });
  return opened;
}

function isOpenQuote(code: string, message: string): boolean {
  return code === 'MISSING_CHAR' && message.includes('quote');
}

const INDENTATION: ReadonlySet<string> = new Set(['BLOCK_AS_IMPLICIT_KEY', 'MULTILINE_IMPLICIT_KEY', 'BAD_INDENT']);

function explainYaml(code: string, message: string, line: string, rest: string): string {
  if (code === 'TAB_AS_INDENT') return 'a tab is used to indent; YAML wants spaces';
  if (code === 'DUPLICATE_KEY') {
    const key = /^["']?([A-Za-z0-9_.-]+)/.exec(rest)?.[1];
    return `the key ${key === undefined ? '' : `"${key}" `}is written twice in one mapping; keep one of them`;
  }
  const bare = line.replaceAll(/"[^"]*"|'[^']*'/g, '');
  if (code !== 'MULTIPLE_DOCS' && bare.includes('${')) {
    return /\$\{[^}]*\s/.test(bare)
      ? 'a ${…} with a blank in it has to stand in quotes: "${credential:NAME}"'
      : 'inside { } or [ ] a value with ${…} has to stand in quotes: "${credential:NAME}"';
  }
  if (/^\s*- /.test(line) && INDENTATION.has(code))
    return 'this "-" is not below the "-" of the entry before it; the entries of a list stand in one column';
  if (/^\s*(- )?[A-Za-z_]+:[^\s]/.test(line) && code !== 'MULTIPLE_DOCS')
    return 'a space is missing after the colon of a key';
  switch (code) {
    case 'MULTIPLE_DOCS':
      return 'a second document starts here (---); a configuration is one document';
    case 'RESOURCE_EXHAUSTION':
      return 'the text is nested too deeply to be a configuration';
    case 'TAG_RESOLVE_FAILED':
      return 'a tag (!…) is used; tags mean nothing here, quote the value if it starts with "!"';
    case 'BAD_ALIAS':
    case 'ALIAS_PROPS':
    case 'MULTIPLE_ANCHORS':
      return 'an anchor (&) or alias (*) is wrong here; quote the value if it starts with one of these characters';
    case 'BAD_SCALAR_START':
      return 'a value may not start with @, ` or % unless it is quoted';
    case 'BAD_DQ_ESCAPE':
      return 'a backslash in double quotes starts an escape, and this is none; use single quotes or double the backslash';
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY':
    case 'BAD_INDENT':
      return 'the indentation is wrong (keys of one entry stand in one column), a bracket is not closed, or a value that contains ": " is not quoted';
    case 'MISSING_CHAR':
      return /quote/.test(message)
        ? 'a quote is opened and not closed'
        : 'a character is missing: a colon and a space after a key, a quote or a bracket; or a key does not stand in one column with the others of its entry';
    case 'NON_STRING_KEY':
      return 'a key has to be plain text';
    default:
      return 'this is not valid YAML; a quote, bracket, colon or comma is missing, or one too many';
  }
}

interface Walk {
  counter: LineCounter;
  places: Map<string, Standing>;
  reading: YamlReading;
  left: number;
  /** What each alias stands for: the library would look through the whole text for each of them. */
  targets: ReadonlyMap<Alias, Node | undefined>;
  /** Anchored values being unfolded right now: one that holds itself never ends. */
  open: Set<unknown>;
}

function unfold(document: Document, counter: LineCounter, places: Map<string, Standing>, reading: YamlReading): void {
  const targets = targetsOf(document);
  if (targets.size > MOST_ALIASES) {
    const message = `it uses ${targets.size} aliases (*), more than ${MOST_ALIASES}; write the values out`;
    reading.readable = false;
    reading.mistakes.push({ place: null, path: [], message });
    return;
  }
  const walk: Walk = { counter, places, reading, left: MOST_VALUES, targets, open: new Set() };
  reading.value = valueOf(walk, document.contents, [], { line: 1, column: 1 });
  if (walk.left < 0) {
    reading.readable = false;
    reading.mistakes.push({
      place: null,
      path: [],
      message: `it unfolds to more than ${MOST_VALUES} values or ${DEEPEST} levels; use fewer anchors (&) and aliases (*)`,
    });
  }
}

/** An alias stands for the last value before it with its anchor. */
function targetsOf(document: Document): Map<Alias, Node | undefined> {
  const anchored = new Map<string, Node>();
  const targets = new Map<Alias, Node | undefined>();
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) targets.set(node, anchored.get(node.source));
      else if (node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  return targets;
}

function valueOf(walk: Walk, node: unknown, path: Path, key: Place): unknown {
  walk.left -= 1;
  if (path.length > DEEPEST) walk.left = -1;
  if (walk.left < 0) return null;
  const value = isAlias(node) ? aliasPlace(walk, node) : nodePlace(walk, node, key);
  const written = isScalar(node) && typeof node.source === 'string' ? node.source : null;
  const stands = JSON.stringify(path);
  if (!walk.places.has(stands)) walk.places.set(stands, { key, value, written });
  if (isAlias(node)) return unalias(walk, node, path, key);
  if (isMap(node)) return mapOf(walk, node, path);
  if (isSeq(node)) {
    return node.items.map((item, index) => valueOf(walk, item, [...path, index], nodePlace(walk, item, value)));
  }
  return isScalar(node) ? node.value : null;
}

function mapOf(walk: Walk, node: YAMLMap, path: Path): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const merges: { from: unknown; place: Place }[] = [];
  for (const pair of node.items) {
    if (!isPair(pair)) continue;
    const { name, place } = keyOf(walk, pair);
    if (name === '__proto__') {
      walk.reading.mistakes.push({ place, path: [...path, name], message: 'unknown key' });
      continue;
    }
    if (name === '<<') {
      merges.push({ from: pair.value, place });
      continue;
    }
    result[name] = valueOf(walk, pair.value, [...path, name], place);
  }
  // What is written out wins over what is merged, in value and in place, wherever it stands.
  for (const { from, place } of merges) merge(walk, from, path, place, result);
  return result;
}

function keyOf(walk: Walk, pair: Pair): { name: string; place: Place } {
  const place = nodePlace(walk, pair.key, { line: 1, column: 1 });
  return { name: isScalar(pair.key) ? String(pair.key.value) : '', place };
}

/** `<<: *anchor` brings the keys of another mapping; those written out win. */
function merge(walk: Walk, from: unknown, path: Path, place: Place, into: Record<string, unknown>): void {
  const sources = isSeq(from) ? from.items : [from];
  for (const source of sources) {
    const brought = isAlias(source) ? unalias(walk, source, path, place) : valueOf(walk, source, path, place);
    if (typeof brought !== 'object' || brought === null || Array.isArray(brought)) {
      walk.reading.mistakes.push({ place, path, message: '"<<" takes an alias (*) of a mapping' });
      continue;
    }
    for (const [name, value] of Object.entries(brought)) if (!Object.hasOwn(into, name)) into[name] = value;
  }
}

function unalias(walk: Walk, alias: Alias, path: Path, key: Place): unknown {
  const target = walk.targets.get(alias);
  if (target === undefined || walk.open.has(target)) {
    walk.reading.readable = false;
    walk.reading.mistakes.push({
      place: key,
      path,
      message: 'this alias (*) has no anchor (&) before it, or holds itself',
    });
    return null;
  }
  walk.open.add(target);
  const value = valueOf(walk, target, path, key);
  walk.open.delete(target);
  return value;
}

function aliasPlace(walk: Walk, node: Alias): Place {
  return nodePlace(walk, node, { line: 1, column: 1 });
}

function nodePlace(walk: Walk, node: unknown, otherwise: Place): Place {
  const range = isAlias(node) || isScalar(node) || isMap(node) || isSeq(node) ? node.range : null;
  return range === null || range === undefined ? otherwise : placeOf(walk.counter, range[0]);
}
