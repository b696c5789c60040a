/** Identifies a status page named by a user: its type, and its configuration. */
import { formatList } from '../../core/text/plain.ts';
import { suggestName } from '../../config/nearest.ts';
import type { WantedPage } from '../../config/presets/template-answers.ts';
import { toSlug } from '../../config/slug.ts';
import { isLoopback } from '../../net/hosts.ts';
import { createLimiter } from '../../provider/limiter.ts';
import { identifyPage, type Detected, type Undetected, type Unreached } from '../../pages/detect.ts';
import type { AskingOptions } from '../../pages/front-page.ts';
import { formatUserAgent } from '../../pages/vendor-page.ts';
import { KNOWN_PAGES, type KnownPage } from '../../pages/known-pages.ts';
import { CommandFailure, UsageError } from '../command.ts';
import { createPlatformClock, selectProxy, type Platform } from '../platform.ts';

/** Number of places in a line of advice. */
export const NAMED = 10;
/** A user waits this long at most; each response has a shorter timeout. */
const DETECTED_WITHIN_MS = 60_000;
const TIMEOUTS = { connect: 5_000, response: 8_000, read: 8_000, request: 10_000 };

/** A page as named by a user. */
export interface SoughtPage {
  address: string;
  known: KnownPage | null;
}

/** By its address, with or without `https://`, or by the name of a vendor. Throws for anything else. */
export function parseSoughtPage(given: string): SoughtPage {
  const byName = findKnownPage(given);
  if (byName !== null) return byName;
  const isHost = /^(\[[0-9a-f:]+\]|[\w-]+(\.[\w-]+)+|localhost)(:\d+)?([/?].*)?$/i.test(given);
  const address = isHost ? `${isLoopback(hostIn(given)) ? 'http' : 'https'}://${given}` : given;
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) throw new UsageError(neither(given));
  const { username, password } = new URL(address);
  if (username + password !== '') {
    throw new UsageError('an address must not hold a name or password before the @; leave them out');
  }
  return { address, known: null };
}

/** Null if no vendor has the name; throws if its page cannot be watched. */
export function findKnownPage(name: string): SoughtPage | null {
  const known = KNOWN_PAGES.find((each) => each.name === name.toLowerCase());
  if (known === undefined) return null;
  if (known.page === null) throw new CommandFailure(`${known.called} cannot be watched: ${known.evidence}`);
  return { address: known.page.url, known };
}

function hostIn(given: string): string {
  return given.replace(/[/?].*$/, '').replace(/:\d+$/, '');
}

function neither(given: string): string {
  const names = KNOWN_PAGES.map(({ name }) => name);
  const hint = suggestName(given.toLowerCase(), names) || '.';
  return `"${given}" is neither an address such as https://status.example.com nor a known name${hint} Known: ${names.join(', ')}`;
}

/** Rate of a command's requests to a page: one a second, unlimited on this machine. */
export function createPoliteOptions(
  address: string,
  platform: Pick<Platform, 'version' | 'env' | 'clock'>,
  contact: string | null = null,
): AskingOptions {
  const { now, monotonic } = createPlatformClock(platform);
  return {
    limiter: createLimiter({ requestsPerSecond: isLoopback(new URL(address).hostname) ? 100 : 1 }),
    userAgent: formatUserAgent(`linewatch/${platform.version}`, contact),
    proxy: selectProxy(platform),
    timeouts: TIMEOUTS,
    wallClock: now,
    monotonic,
  };
}

/** Takes at most `DETECTED_WITHIN_MS`. An unknown type and an unreachable address are results as well. */
export async function lookFor(
  { address, known }: SoughtPage,
  platform: Pick<Platform, 'version' | 'env' | 'clock'>,
): Promise<Detected | Undetected | Unreached> {
  return await identifyPage(
    address,
    createPoliteOptions(address, platform),
    AbortSignal.timeout(DETECTED_WITHIN_MS),
    known?.page?.type ?? null,
  );
}

/** Without a full stop. */
export function describeChoice({ of, places }: NonNullable<Detected['choice']>): string {
  const now = places.length === 0 ? '' : `; in the news now: ${formatList(places, NAMED)}`;
  return `its rows are of all ${of}: name yours in components.include${now}`;
}

/** Configuration of a detected page. */
export function toWantedPage(
  { type, address, name, choice }: Detected,
  known: KnownPage | null,
  include: readonly string[],
): WantedPage {
  const isChosen = choice !== null || include.length > 0;
  return {
    name: known?.name ?? (toSlug(name ?? '') || toSlug(new URL(address).hostname) || 'page'),
    type,
    baseUrl: address,
    include: isChosen ? include : null,
  };
}

/** For people: known facts about an address that could not be read as a page. */
export function explainUndetected({ address, known }: SoughtPage, found: Undetected | Unreached): string {
  const called = known === null ? address : `${known.called} (${address})`;
  if (found.kind === 'unreached') return `${called}: ${found.why}`;
  const place =
    new URL(found.address).origin === new URL(address).origin ? called : `${called} leads to ${found.address}, which`;
  const reasons = [...Map.groupBy(found.tried, ({ why }) => why)].map(
    ([why, tried]) => `  ${tried.map(({ type }) => type).join(', ')}: ${why}`,
  );
  const { system } = found;
  return [
    system === null
      ? `${place} is no kind of page that is known. It was asked as:`
      : `${place} is a page of ${system.called}, which cannot be watched: ${system.about}. It was asked as:`,
    ...reasons,
    'Try the address people look at, or that of its RSS or Atom feed; one of Status.io ends with its id: …/pages/ID',
  ].join('\n');
}
/** Assumption about a page before its first request: a vendor's page if it has the name of one, else the provider's. */
export function composeAssumedPage({ address, known }: SoughtPage, include: readonly string[]): WantedPage {
  return {
    name: known?.name ?? 'provider',
    type: known?.page?.type ?? 'provider',
    baseUrl: address,
    include: include.length > 0 ? include : null,
  };
}

/** Configuration of the page, with remarks. A page that cannot be read now is configured by assumption. */
export async function readPage(
  sought: SoughtPage,
  platform: Platform,
  include: readonly string[],
): Promise<{ page: WantedPage; notes: readonly string[] }> {
  const found = await lookFor(sought, platform);
  if (found.kind !== 'detected') {
    const page = composeAssumedPage(sought, include);
    const as = page.type === 'provider' ? "the provider's page" : `a page of type ${page.type}, as is known of it`;
    const hint = `It is written as ${as}; once it answers, "linewatch config detect ${sought.known?.name ?? sought.address}" says what it is.`;
    return { page, notes: [explainUndetected(sought, found), hint] };
  }
  // Commands and examples use this name for the provider's own page.
  const page = toWantedPage(found.type === 'provider' ? { ...found, name: 'provider' } : found, sought.known, include);
  const choice = found.choice === null || include.length > 0 ? [] : [describeChoice(found.choice)];
  return { page, notes: [`${found.address} is ${found.called}.`, ...choice] };
}
