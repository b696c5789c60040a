/** Texts of one piece over and over, which a pattern that tries again and again never gets through. */
import type { VendorAnswer } from '../../src/simulator/vendors/vendor-world.ts';

/** Characters and pieces of which readers have patterns. */
export const PIECES: readonly string[] = [
  ' ',
  '\n',
  '\t',
  '<',
  '&',
  '[',
  '-',
  '/',
  '=',
  '<!---->',
  '<?',
  '<p>',
  '</p> ',
  '<br>',
  '<b>',
  '<small>',
  '<small>Mar 2, 11:50 UTC</small>',
  '<a href="',
  '<link ',
  '<![CDATA[',
  'Status: ',
  'resolved ',
  'Resolved - ',
];

export function repeated(piece: string, size: number): string {
  return piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Text of a notice, which is replaced by a body. */
export const TEXT = 'Calls fail in Europe.';

/** A vendor's answer with the body in place of the text of its notice. */
export function withText(answer: VendorAnswer, body: string): VendorAnswer {
  if ('json' in answer) {
    const json = JSON.stringify(answer.json).replaceAll(TEXT, () => JSON.stringify(body).slice(1, -1));
    return { ...answer, json: JSON.parse(json) as object };
  }
  if (typeof answer.body === 'string') {
    return { ...answer, body: answer.body.replaceAll(TEXT, () => escapeXml(escapeXml(body))) };
  }
  return withText({ json: JSON.parse(new TextDecoder('utf-16be').decode(answer.body)) as object }, body);
}
