/** Addresses as they are configured: `Name <address>` or bare. */

/** The bare address. */
export function addressOf(text: string): string {
  const inside = /<([^<>]+)>\s*$/.exec(text)?.[1];
  return (inside ?? text).trim();
}
