/** Every source being watched, by name: filled as the daemon is put together, and read by whoever needs the others. */
import type { AccountState } from '../core/engine/account-kind.ts';
import type { SourceState } from '../core/engine/page-kind.ts';
import { seenAlert, type SeenAlert, type SharedAlert } from '../core/alert/shared-alert.ts';
import { type SourceOutage, sourceOutage } from '../core/alert/source-outage.ts';
import type { Message } from '../core/outbox/message.ts';
import { pickVendor } from '../core/transition/transition.ts';
import type { WatchedAccount } from './options.ts';
import type { SourceLoop } from './source-loop.ts';

export type PageSource = SourceLoop<SourceState>;
export type AccountSource = SourceLoop<AccountState>;

export interface Sources {
  readonly pages: Map<string, PageSource>;
  readonly accounts: Map<string, AccountSource>;
  all(): (PageSource | AccountSource)[];
  named(name: string): PageSource | AccountSource | undefined;
  /** The accounts whose trouble that of this page explains. */
  accountsOf(page: string): AccountSource[];
  /** The alert of a message as its receiver may know it now. */
  seen(message: Message): SeenAlert;
  /** All sources that cannot be read by the alert of a message, as far as its receiver reads of them; null for fewer than two. */
  outage(message: Message): SourceOutage | null;
}

/** `accounts`: which page belongs to each. */
export function createSources(
  accounts: readonly Pick<WatchedAccount, 'name' | 'page' | 'pages' | 'sitePages'>[],
): Sources {
  const pages = new Map<string, PageSource>();
  const ofAccounts = new Map<string, AccountSource>();
  const all = (): (PageSource | AccountSource)[] => [...pages.values(), ...ofAccounts.values()];
  return {
    pages,
    accounts: ofAccounts,
    all,
    named: (name) => pages.get(name) ?? ofAccounts.get(name),
    accountsOf: (page) =>
      accounts.flatMap((account) => (isExplainedBy(account, page) ? (ofAccounts.get(account.name) ?? []) : [])),
    seen({ receiver, alert: { id: alert }, changes }) {
      const reading = { alert, receiver, sources: new Set(changes.map(({ transition }) => transition.source)) };
      const accountsNow = [...ofAccounts.values()].map(({ name, state: { alerts } }) => ({ name, alerts }));
      return seenAlert(reading, accountsNow, noticesOf(pages.values()));
    },
    outage({ receiver, alert: { id }, changes }) {
      const said = new Set(changes.map(({ transition }) => transition.source));
      const parts = all().flatMap(({ state }) => state.alerts.filter((alert) => alert.id === id));
      return sourceOutage(
        parts,
        ({ source, told }) => said.has(source) || told.some((one) => one.receiver === receiver),
      );
    },
  };
}

/** The notices that have an alert, by its id, as their pages have them now. */
function noticesOf(pages: Iterable<PageSource>): Map<string, SharedAlert['notice']> {
  const notices = new Map<string, SharedAlert['notice']>();
  for (const { name, state } of pages) {
    const known = new Map(state.snapshot.notices?.map((notice) => [notice.id, notice]));
    for (const { id, family, notice, lastChange } of state.alerts) {
      const now = family === 'notice' ? known.get(notice ?? '') : undefined;
      if (now === undefined) continue;
      notices.set(id, { state: now.state, by: { source: name, ...pickVendor(lastChange?.transition ?? {}) } });
    }
  }
  return notices;
}

function isExplainedBy(
  { page: own, pages = [], sitePages = {} }: Pick<WatchedAccount, 'page' | 'pages' | 'sitePages'>,
  page: string,
): boolean {
  return own === page || pages.includes(page) || Object.values(sitePages).some((names) => names.includes(page));
}
