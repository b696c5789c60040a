/** All watched sources by name: filled as the daemon is assembled, and read by everything that needs other sources. */
import type { AccountObservation } from '../../core/account/account-model.ts';
import { findAcknowledgement } from '../../core/alert/acknowledgement.ts';
import type { AccountState } from '../../core/engine/account-kind.ts';
import { isPartRefused } from '../../core/observation/health.ts';
import type { SourceState } from '../../core/engine/page-kind.ts';
import { collectAlertFacts } from '../../core/correlation/alert-facts.ts';
import type { Part, PartsById } from '../../core/correlation/other-parts.ts';
import { createSeenAlert, type NoticeOfAlert, type SeenAlert } from '../../core/alert/shared-alert.ts';
import { findSourceOutage } from '../../core/alert/source-outage.ts';
import type { Message } from '../../core/outbox/message.ts';
import { pickVendor } from '../../core/transition/transition.ts';
import type { WatchedAccount } from './options.ts';
import type { SourceLoop } from './source-loop.ts';
import { isNotified } from '../../core/alert/notified.ts';

export type PageSource = SourceLoop<SourceState>;
export type AccountSource = SourceLoop<AccountState, AccountObservation>;

/** Number of sources in one event to a program: an outage may have thousands. */
const MOST_PARTS = 50;

/** `accounts`: the page of each; `parts`: alerts of all sources. */
export function createSources(
  accounts: readonly Pick<WatchedAccount, 'name' | 'page' | 'pages' | 'sitePages' | 'settings'>[],
  parts: PartsById,
) {
  const pages = new Map<string, PageSource>();
  const ofAccounts = new Map<string, AccountSource>();
  const customers = new Map(accounts.map(({ name, settings }) => [name, settings.customer]));
  const customerOf = (source: string): string | null => customers.get(source) ?? null;
  const explained = groupByPage(accounts);
  const all = (): (PageSource | AccountSource)[] => [...pages.values(), ...ofAccounts.values()];
  const named = (name: string): PageSource | AccountSource | undefined => pages.get(name) ?? ofAccounts.get(name);
  return {
    pages,
    accounts: ofAccounts,
    all,
    named,
    /** Accounts whose losses this page may explain. */
    accountsOf: (page: string) => (explained.get(page) ?? []).flatMap(({ name }) => ofAccounts.get(name) ?? []),
    /** The current alert of a message, as its receiver may know it. */
    seen({ receiver, alert: { id: alert }, changes }: Message): SeenAlert {
      const reading = { alert, receiver, sources: new Set(changes.map(({ transition }) => transition.source)) };
      const accountsNow = [...ofAccounts.values()].map(({ name, state: { alerts, snapshot } }) => {
        const { health, refused } = snapshot;
        const isBlind = health.unreachable || health.blind['registrations'] !== undefined;
        return { name, alerts, unread: isBlind || isPartRefused(refused, 'registrations') };
      });
      const open = [...(parts.get(alert)?.values() ?? [])].flat().filter(({ status }) => status === 'open');
      const isTaken = findAcknowledgement(open) !== null;
      return {
        ...createSeenAlert(reading, accountsNow, noticesOf(pages.values())),
        ...(isTaken && { acknowledged: true }),
      };
    },
    /** The alert of a message for a program that is notified of these parts; null for a message without an alert. */
    facts({ receiver, alert: { id }, changes }: Message) {
      const said = new Set(changes.map(({ transition }) => transition.source));
      const known = [...(parts.get(id) ?? [])].filter(
        ([source, own]) => said.has(source) || own.some((part) => isNotified(part, receiver)),
      );
      if (known.length === 0) return null;
      const [first, others] = [
        known.filter(([source]) => said.has(source)),
        known.filter(([source]) => !said.has(source)),
      ];
      const shown = [...first, ...others].slice(0, MOST_PARTS);
      const read = shown.flatMap(([, own]) => own);
      const explaining = read.flatMap(({ explainedBy }) => explainedBy ?? []);
      const notices = noticesOf(pages.values());
      return collectAlertFacts(read, {
        beside: first.flatMap(([source]): readonly Part[] => named(source)?.state.alerts ?? []),
        notice: [...explaining, id].flatMap((each) => notices.get(each) ?? [])[0] ?? null,
        more: known.length - shown.length,
        customerOf,
      });
    },
    /** All unreadable sources in a message's alert that its receiver covers; null for fewer than two. */
    outage({ receiver, alert: { id }, changes }: Message) {
      const said = new Set(changes.map(({ transition }) => transition.source));
      const parts = all().flatMap(({ state }) => state.alerts.filter((alert) => alert.id === id));
      return findSourceOutage(parts, (part) => said.has(part.source) || isNotified(part, receiver));
    },
  };
}

/** Current notices of alerts, by alert id. */
function noticesOf(pages: Iterable<PageSource>): Map<string, NoticeOfAlert> {
  const notices = new Map<string, NoticeOfAlert>();
  for (const { name, state } of pages) {
    const known = new Map(state.snapshot.notices?.map((notice) => [notice.id, notice]));
    for (const { id, title, family, notice, lastChange } of state.alerts) {
      const now = family === 'notice' ? known.get(notice ?? '') : undefined;
      if (now === undefined) continue;
      const by = { source: name, ...pickVendor(lastChange?.transition ?? {}) };
      const called = state.snapshot.page?.name ?? name;
      notices.set(id, { alert: { id, title }, state: now.state, by, called, isPlanned: now.type === 'planned' });
    }
  }
  return notices;
}

/** Accounts whose losses a page may explain, by page. */
function groupByPage(
  accounts: readonly Pick<WatchedAccount, 'name' | 'page' | 'pages' | 'sitePages'>[],
): ReadonlyMap<string | null, readonly { name: string }[]> {
  const pairs = accounts.flatMap(({ name, page: own, pages = [], sitePages = {} }) =>
    [...new Set([own, ...pages, ...Object.values(sitePages).flat()])].map((page) => ({ name, page })),
  );
  return Map.groupBy(pairs, ({ page }) => page);
}
