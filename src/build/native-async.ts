/**
 * Bottleneck as native async functions. Its package ships generators driven by promises, which cost every job a dozen
 * closures. The text is rewritten only where it is exactly the known one.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Plugin } from 'esbuild';

/** SHA-256 of each file that a limiter without Redis runs, in version 2.19.5. */
const KNOWN: Readonly<Record<string, string>> = {
  'Bottleneck.js': 'de8237be93f5410e8519df631f10503d3be476625e1ddb66ee16d2424863b0fe',
  'Events.js': '0aa58ea73ad3cb06ba43c126f3f4d4f28298a1a4a3510a364bdff19183ab39f4',
  'Job.js': '74551429dbb056fa8b4341ea16006cd8a2a475330c4bfdbde8549e46daf18681',
  'LocalDatastore.js': '20ede7b6b9e0fda828a7974364bbc99f3ec409463ee4567218c75dec1924c20d',
  'Sync.js': 'b5566ba0e56b7d9ef8bad08239600ed2d1c14cbcc1a4ee4d7caea5bc1f74df9a',
};

export const nativeAsync: Plugin = {
  name: 'native-async',
  setup({ onLoad }) {
    onLoad({ filter: /\/bottleneck\/lib\/(?:Bottleneck|Events|Job|LocalDatastore|Sync)\.js$/ }, async ({ path }) => ({
      contents: toNativeAsync(basename(path), await readFile(path, 'utf8')),
    }));
  },
};

/** Throws for a text that is not the known one. */
export function toNativeAsync(name: string, text: string): string {
  if (createHash('sha256').update(text).digest('hex') !== KNOWN[name]) {
    throw new Error(`bottleneck/lib/${name} has changed: check what the build rewrites in it`);
  }
  return (
    text
      // Removes the helpers as well, which only drive generators.
      .replaceAll(/^function (?:asyncGeneratorStep|_asyncToGenerator)\(.*\n/gm, '')
      .replaceAll('_asyncToGenerator(function* (', '(async function (')
      .replaceAll('(yield Promise.all(promises))', '(await (Promise.all(promises)))')
      .replaceAll('yield (async function', 'await (async function')
      // `yield` takes the whole expression to its right, `await` only the next operand.
      .replaceAll(/\byield (.+);$/gm, 'await ($1);')
  );
}
