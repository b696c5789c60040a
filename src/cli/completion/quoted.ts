/** A text as one word of a shell, between single quotes. */
export function quotedFor(shell: 'posix' | 'fish', text: string): string {
  if (shell === 'posix') return `'${text.replaceAll("'", "'\\''")}'`;
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
