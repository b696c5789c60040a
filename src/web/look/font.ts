/**
 * The font of the pages: Inter, shipped with the program, and a local fallback of the same widths until it is loaded.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const PACKAGED = '../../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';

/** The build copies it beside the program. */
const FILE = new URL(import.meta.url.endsWith('.ts') ? PACKAGED : 'inter.woff2', import.meta.url);

export const FONT = readFileSync(FILE);

/** Path below the top: changed content has another address, so that it may be cached for ever. */
export const FONT_PATH = `inter-${createHash('sha256').update(FONT).digest('hex').slice(0, 12)}.woff2`;

/** The fallback is as wide as Inter, so that nothing moves when it is loaded. */
export const FONT_FACES = `
@font-face{font-family:Inter;src:url("${FONT_PATH}") format("woff2");font-weight:100 900;font-display:swap}
@font-face{font-family:"Inter Fallback";src:local("Arial"),local("Liberation Sans"),local("Roboto");size-adjust:107%;ascent-override:90%;descent-override:22.5%;line-gap-override:0%}
`;
