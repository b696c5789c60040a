/** How well one colour can be read on another, as the Web Content Accessibility Guidelines measure it (WCAG 2.2, 1.4.3). */

/** Required for text of ordinary size. */
export const READABLE = 4.5;

/** Both as `#rrggbb` or `#rgb`; from 1 for the same to 21 for black on white. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const digits = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(colour)?.[1];
  if (digits === undefined) throw new RangeError(`${colour} is no colour`);
  const size = digits.length / 3;
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((index) => {
    const value = Number.parseInt(digits.slice(index * size, (index + 1) * size).repeat(3 - size), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
