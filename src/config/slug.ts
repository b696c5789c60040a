/** Names for the configuration, from what people call things. */

/** As long as a name may be. */
const LONGEST = 63;

/** `Müller & Söhne GmbH` is `muller-sohne-gmbh`; empty where no letter of it can stand in a name. */
export function toSlug(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-+|-+$/g, '');
}
