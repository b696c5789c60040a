/**
 * What a web server says to people: the real interface answers a wrong path with some 35 kB of it, and a
 * client that parses, logs or quotes such a body shows its weakness.
 */
export function webPage(title: string): string {
  const style = Array.from(
    { length: 650 },
    (_, row) =>
      `.c-${row} { margin: ${row % 7}px; padding: ${row % 11}px; color: #${(row * 4097).toString(16).padStart(6, '0')}; }`,
  );
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title>
<style>
${style.join('\n')}
</style></head>
<body><main><h1>${title}</h1><p>The page you were looking for does not exist or has moved.</p></main></body>
</html>
`;
}
