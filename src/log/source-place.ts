/** From a place in the bundle to the place in the source that it was made of. */
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';

const IN_BUNDLE = /(\/[^\s()]*\/program\.js):(\d+):(\d+)/;

/** Read with the first error that is reported: reading takes a tenth of a second and tens of megabytes. */
const maps = new Map<string, SourceMap | null>();

/** The frame of a stack as it is, where no map lies beside the bundle or the frame is elsewhere. */
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
    // The error that is being reported matters more.
    return null;
  }
}
