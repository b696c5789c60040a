/** Texts of one piece over and over, which a pattern that tries again and again never gets through. */

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
