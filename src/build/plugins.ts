/**
 * What is loaded with the bundle. A third of a start was spent on modules of Node.js, most of them for what nobody asks
 * for, or asks for later.
 */
import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

/** Loaded when something of them is first used: they take longest, and a start uses nothing of theirs. */
const LATE = ['child_process', 'crypto', 'http2', 'https', 'perf_hooks', 'tls', 'zlib'];

/** What a package loads with itself and nobody here uses, and what stands in its place. */
const UNUSED: readonly { files: RegExp; contents: string }[] = [
  {
    // HTTP/2, metrics that are pushed, and those of Node.js.
    files:
      /\/(?:got\/dist\/source\/core\/utils\/http2-client|prom-client\/lib\/(?:pushgateway|cluster|defaultMetrics))\.js$/,
    contents: 'export default {};',
  },
  {
    // Got tells whoever listens of every request. Nobody does, and the id of each is a random one that takes all of
    // `node:crypto`.
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
 * Node.js's own modules are taken as the objects they are, and of each only what is imported. Imported by name they would
 * first be given every export they have, and one of those of `node:http` loads all of undici; to copy those of
 * `node:util` loads five modules more.
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

function taken(path: string): string {
  return `process.getBuiltinModule(${JSON.stringify(`node:${path}`)})`;
}

function namesOf(path: string): string[] {
  return Object.getOwnPropertyNames(builtin(path)).filter(
    (name) => /^[a-z_$][\w$]*$/i.test(name) && name !== 'default',
  );
}

/** Its functions, that are no classes: packages look whether they are there without calling them. */
function calledOf(path: string): string[] {
  const all = Object.getOwnPropertyDescriptors(builtin(path));
  return namesOf(path).filter((name) => /^[a-z]/.test(name) && typeof all[name]?.value === 'function');
}

function builtin(path: string): Readonly<Record<string, unknown>> {
  return process.getBuiltinModule(`node:${path}`) as unknown as Readonly<Record<string, unknown>>;
}
