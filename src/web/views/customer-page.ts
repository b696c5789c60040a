/** One customer at an address that a firm may give to it: its phones, alerts and pages, and no data of others. */
import { raw } from 'hono/html';
import { toOneLine } from '../../core/text/plain.ts';
import { toCustomerKey } from '../../core/view/customers.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import { NO_FILTER } from './customer-filter.ts';
import { renderDocument, createPageTitle, type PageContext } from '../look/layout.ts';
import { renderNowContent, type RecentHistory } from './now-page.ts';
import type { Fragment } from '../look/icons.ts';

/** `context`: with the status of this customer alone. Null for an unknown customer. */
export async function renderCustomerPage(
  context: PageContext,
  key: string,
  history: RecentHistory,
): Promise<Fragment | null> {
  const own = context.status.sources.find((source) => source.type === 'account' && toCustomerKey(source) === key);
  if (own === undefined) return null;
  const status: SystemStatus = { ...context.status, instance: toOneLine(own.called) };
  const content = String(await renderNowContent({ ...context, status }, NO_FILTER, history));
  return renderDocument(
    { ...context, status },
    { here: null, path: `customers/${encodeURIComponent(key)}`, ...createPageTitle(status), depth: 1 },
    raw(oneFolderDown(content)),
  );
}

/** Adapts links of the top page to a folder below it. Text has no quotation marks, as they are escaped. */
function oneFolderDown(content: string): string {
  return content.replaceAll(/ (href|action)="(?:\.\/)?(?=[a-z?]|")(?!https?:)/g, ' $1="../');
}
