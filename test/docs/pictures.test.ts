/**
 * Pictures of the README and the documents show the present page: its elements, words and style sheet. `npm run pictures`
 * draws them anew; then look at them.
 */
import { XMLValidator } from 'fast-xml-parser';
import { expect, it } from 'vitest';
import { expectCurrent } from './current.ts';
import { asSvg, firmPicture, pagePicture } from './page-picture.ts';

it.each([
  ['page.svg', pagePicture, ['Inbound calls failing in Melbourne', 'Richmond', 'Customer Portal database upgrade']],
  ['firm.svg', firmPicture, ['120 of 371 phones offline', 'Bayside Dental Group', 'All registered: 7 customers']],
] as const)('%s', async (file, draw, shown) => {
  const picture = await draw();
  expect(XMLValidator.validate(picture)).toBe(true);
  for (const text of shown) expect(picture).toContain(text);
  expectCurrent(file, () => picture, 'npm run pictures');
});

it('a page as a picture is XML, without scripts and links', () => {
  const svg = asSvg(
    '<html><body><script src="x" defer></script><a href="./days">Days</a><input disabled><br></body></html>',
    100,
  );
  expect(XMLValidator.validate(svg)).toBe(true);
  expect(svg).toContain('height="100"');
  expect(svg).toContain('<a>Days</a><input disabled=""/><br/>');
  expect(svg).not.toContain('<script');
});
