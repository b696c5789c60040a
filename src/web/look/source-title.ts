/** The name of a source for people. */
import { findByName } from '../../core/transition/collections.ts';
import { toOneLine } from '../../core/text/plain.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';

/** Its configured name if the status lacks it. */
export function findSourceTitle({ sources }: Pick<SystemStatus, 'sources'>, source: string): string {
  return toOneLine(findByName(sources, source)?.called ?? (source === 'linewatch' ? 'Linewatch itself' : source));
}
