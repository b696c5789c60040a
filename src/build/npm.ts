/**
 * The command npm, and what goes before its arguments. Under a script of npm it is the npm of that script under its own
 * Node.js: Debian's finds its parts under Debian's Node.js only, and `node` here is the project's.
 */
export function findNpm(env: NodeJS.ProcessEnv = process.env): { command: string; args: string[] } {
  const { npm_node_execpath: node, npm_execpath: npm } = env;
  return node === undefined || npm === undefined ? { command: 'npm', args: [] } : { command: node, args: [npm] };
}
