/** Advice on sources that cannot be read: a refused key, or a provider that does not respond. */
import { formatList, toOneLine } from '../../text/plain.ts';
import type { SourceView } from '../system-status.ts';

const NAMED = 3;

/** A line for each cause. `sources`: unknown sources outside their first sweep. */
export function listUnreadTodos(sources: readonly SourceView[]): string[] {
  const refused = sources.filter(({ isRefused, type }) => isRefused === true && type === 'account');
  // Another vendor's page gives no evidence about calls.
  const silent = sources.filter(
    ({ unreachable, isRefused, vendor }) => unreachable && isRefused !== true && vendor !== true,
  );
  return [
    ...(refused.length === 0 ? [] : [`${listCalled(refused)}: enter a new API key, then reload the configuration.`]),
    ...(silent.length === 0
      ? []
      : [
          `${listCalled(selectNamed(silent))} cannot be reached: call your main number. If that rings, check the internet line of the machine that runs Linewatch.`,
        ]),
  ];
}

/** One account beside its provider's page is the reader's own: its name says nothing about who does not answer. */
function selectNamed(silent: readonly SourceView[]): readonly SourceView[] {
  const pages = silent.filter(({ type }) => type === 'status page');
  return pages.length > 0 && silent.length - pages.length === 1 ? pages : silent;
}

function listCalled(sources: readonly SourceView[]): string {
  return formatList([...new Set(sources.map(({ called }) => toOneLine(called)))], NAMED);
}
