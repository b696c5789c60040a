/** Derives names for the configuration from display names. */

/** Longest name. */
const LONGEST = 63;

/** `Müller & Söhne GmbH` → `muller-sohne-gmbh`; empty if no character is usable. */
export function toSlug(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-+|-+$/g, '');
}
