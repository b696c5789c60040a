/**
 * Finds npm and its leading arguments. Inside an npm script this is that script's npm under its own Node.js: Debian's
 * npm only works with Debian's Node.js, while `node` here is the project's.
 */
export function findNpm(): { command: string; args: string[] } {
  const { npm_node_execpath: node, npm_execpath: npm } = process.env;
  return node === undefined || npm === undefined ? { command: 'npm', args: [] } : { command: node, args: [npm] };
}
