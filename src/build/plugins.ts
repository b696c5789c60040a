/**
 * esbuild plugins that delay or drop modules. A third of the start time went into modules of Node.js, most of them
 * unused or used much later.
 */
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

/** Slow modules, loaded on first use; a start uses none of them. */
const LATE = ['child_process', 'crypto', 'http2', 'https', 'perf_hooks', 'tls', 'zlib'];

/** Unused modules of packages, and their replacements. */
const UNUSED: readonly { files: RegExp; contents: string }[] = [
  {
    // The messages of zod in other languages than English, which it imports by itself.
    files: /\/zod\/v4\/locales\/index\.js$/,
    contents: 'export {};',
  },
  {
    // Schemas compiled to functions.
    files: /\/zod\/v4\/core\/compile\.js$/,
    contents: ['INVALID', 'compile', 'withParser', 'ZodCompileAsyncError', 'ZodCompileUnsupportedError']
      .map((name) => `export const ${name} = undefined;`)
      .join('\n'),
  },
  {
    // Limiters in Redis.
    files: /\/bottleneck\/lib\/(?:RedisDatastore|RedisConnection|IORedisConnection|Scripts)\.js$/,
    contents: 'module.exports = class {};',
  },
  {
    // Spinners other than the one of ora, and the one for terminals without Unicode.
    files: /\/cli-spinners\/index\.js$/,
    contents: `export default ${JSON.stringify({
      dots: { interval: 80, frames: [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'] },
      line: { interval: 130, frames: [...'-\\|/'] },
    })};`,
  },
  {
    // Media types by the ends of file names: every attachment states its own.
    files: /\/nodemailer\/dist\/esm\/mime-funcs\/mime-types\.js$/,
    contents: "export const detectMimeType = () => 'application/octet-stream', detectExtension = () => 'bin';",
  },
  {
    // HTTP/2, the push gateway, and default metrics of Node.js.
    files:
      /\/(?:got\/dist\/source\/core\/utils\/http2-client|prom-client\/lib\/(?:pushgateway|cluster|defaultMetrics))\.js$/,
    contents: 'export default {};',
  },
  {
    // Got publishes every request to diagnostics channels. Without subscribers this only costs a random id, which loads
    // all of `node:crypto`.
    files: /\/got\/dist\/source\/core\/diagnostics-channel\.js$/,
    contents: [
      "export const generateRequestId = () => '';",
      ...['RequestCreate', 'RequestStart', 'ResponseStart', 'ResponseEnd', 'Retry', 'Error', 'Redirect'].map(
        (what) => `export function publish${what}() {}`,
      ),
    ].join('\n'),
  },
];

/**
 * Imports modules of Node.js as objects and reads only the properties that are used. A namespace import would evaluate
 * every export first: one of `node:http` loads undici, and those of `node:util` load five more modules.
 */
export const builtins: Plugin = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind }) => {
      if (!isBuiltin(path)) return null;
      const name = path.replace(/^node:/, '');
      if (LATE.includes(name)) return { path: name, namespace: 'late' };
      return { path: name, namespace: kind === 'require-call' ? 'required' : 'imported' };
    });
    onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({ contents: `module.exports = ${taken(path)};` }));
    onLoad({ filter: /./, namespace: 'imported' }, ({ path }) => ({
      contents: [
        `const taken = /* @__PURE__ */ (() => ${taken(path)})();`,
        'export default taken;',
        ...namesOf(path).map((name) => `export const ${name} = /* @__PURE__ */ (() => taken.${name})();`),
      ].join('\n'),
    }));
    onLoad({ filter: /./, namespace: 'late' }, ({ path }) => ({
      contents: `
        let loaded;
        const taken = () => (loaded ??= ${taken(path)});
        for (const name of ${JSON.stringify(calledOf(path))}) {
          exports[name] = (...given) => taken()[name](...given);
        }
        for (const name of ${JSON.stringify(namesOf(path).filter((name) => !calledOf(path).includes(name)))}) {
          Object.defineProperty(exports, name, { enumerable: true, get: () => taken()[name] });
        }`,
    }));
  },
};

export const withoutUnused: Plugin = {
  name: 'without-unused',
  setup({ onLoad }) {
    for (const { files, contents } of UNUSED) onLoad({ filter: files }, () => ({ contents }));
  },
};

/**
 * `@sindresorhus/is` makes two formatters when it is loaded, for messages of assertions. The first formatter of a
 * process loads the data of its locale, which took a tenth of a start; so they are made when they format.
 */
export const lateFormatters: Plugin = {
  name: 'late-formatters',
  setup({ onLoad }) {
    onLoad({ filter: /\/@sindresorhus\/is\/distribution\/index\.js$/ }, async ({ path }) => ({
      contents: toLateFormatters(await readFile(path, 'utf8')),
    }));
  },
};

/** Throws for a text without such formatters. */
export function toLateFormatters(text: string): string {
  const late = text.replaceAll(
    /^(const \w+Formatter = )(new Intl\.ListFormat\(.+\));$/gm,
    '$1{ format: (list) => $2.format(list) };',
  );
  if (late === text) throw new Error('@sindresorhus/is has changed: check whether it loads a locale at a start');
  return late;
}

function taken(path: string): string {
  return `process.getBuiltinModule(${JSON.stringify(`node:${path}`)})`;
}

function namesOf(path: string): string[] {
  return Object.getOwnPropertyNames(builtin(path)).filter(
    (name) => /^[a-z_$][\w$]*$/i.test(name) && name !== 'default',
  );
}

/** Names of functions that are no classes: packages test for them without calling them. */
function calledOf(path: string): string[] {
  const all = Object.getOwnPropertyDescriptors(builtin(path));
  return namesOf(path).filter((name) => /^[a-z]/.test(name) && typeof all[name]?.value === 'function');
}

function builtin(path: string): Readonly<Record<string, unknown>> {
  return process.getBuiltinModule(`node:${path}`) as unknown as Readonly<Record<string, unknown>>;
}
