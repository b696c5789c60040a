/** Maps stack frames of the bundle back to the source files. */
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';

const IN_BUNDLE = /(\/[^\s()]*\/program\.js):(\d+):(\d+)/;

/** Loaded on the first reported error: reading takes 0.1 s and tens of megabytes. */
const maps = new Map<string, SourceMap | null>();

/** Returns the frame unchanged if there is no source map, or if the frame is outside the bundle. */
export function toSourceFrame(frame: string): string {
  const [place, file, line, column] = IN_BUNDLE.exec(frame) ?? [];
  if (place === undefined || file === undefined) return frame;
  const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
  if (entry === undefined || !('originalSource' in entry)) return frame;
  const source = entry.originalSource.replace(/^(\.\.\/)+/, '');
  return frame.replace(place, `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`);
}

function mapOf(file: string): SourceMap | null {
  let map = maps.get(file);
  if (map === undefined) {
    map = read(`${file}.map`);
    maps.set(file, map);
  }
  return map;
}

function read(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload);
  } catch {
    // A broken source map must not hide the error being reported.
    return null;
  }
}
