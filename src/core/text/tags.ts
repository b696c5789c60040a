/** Finds HTML tags and their attributes in linear time. */

export interface Tag {
  /** Lower case; empty for comments and text that only resembles a tag. */
  name: string;
  isEnd: boolean;
  /** Source text from `<` to `>`. */
  text: string;
  from: number;
  to: number;
}

export function* findTags(html: string): Generator<Tag> {
  for (const { 0: text, index } of html.matchAll(/<[^<>]*>/g)) {
    const [, slash = '', name = ''] = /^<(\/?)([a-z]+[1-6]?)[\s/>]/i.exec(text) ?? [];
    yield { name: name.toLowerCase(), isEnd: slash !== '', text, from: index, to: index + text.length };
  }
}

/** Quoted or unquoted value; null if the tag lacks the attribute. */
export function readAttribute(tag: string, name: string): string | null {
  const isBlank = (at: number): boolean => tag.charAt(at).trim() === '';
  const skip = (from: number, goesOn: (at: number) => boolean): number => {
    let at = from;
    while (at < tag.length && goesOn(at)) at += 1;
    return at;
  };
  let at = 0;
  while (at < tag.length) {
    const from = skip(at, (each) => isBlank(each) || tag[each] === '/' || tag[each] === '<');
    const end = skip(from, (each) => !isBlank(each) && tag[each] !== '=' && tag[each] !== '>');
    const sign = skip(end, isBlank);
    // Skip a `<` that starts no name.
    at = Math.max(sign, from + 1);
    if (tag[sign] !== '=') continue;
    const value = skip(sign + 1, isBlank);
    const quote = tag[value] === '"' || tag[value] === "'" ? tag[value] : null;
    const start = quote === null ? value : value + 1;
    const found =
      quote === null ? skip(start, (each) => !isBlank(each) && tag[each] !== '>') : tag.indexOf(quote, start);
    if (found === -1) return null;
    if (tag.slice(from, end).toLowerCase() === name) return tag.slice(start, found);
    at = quote === null ? found : found + 1;
  }
  return null;
}
