/** The name of a source for people. */
import { toOneLine } from '../../core/text/plain.ts';
import type { Picture } from '../../core/view/picture.ts';

/** Its configured name if the status lacks it. */
export function findSourceTitle({ sources }: Pick<Picture, 'sources'>, source: string): string {
  return toOneLine(
    sources.find(({ name }) => name === source)?.called ?? (source === 'linewatch' ? 'Linewatch itself' : source),
  );
}
