/**
 * Systems for status pages that Linewatch cannot read natively, recognised by host or by a mark in the HTML. Sources:
 * documentation of vendors, source code of open systems, third-party captures.
 */

export interface KnownSystem {
  /** Display name. */
  called: string;
  /** Suffixes of the system's hosts; pages on a company's own host are recognised by a mark. */
  hosts: readonly string[];
  /** Any of these occurs in the HTML, in lower case. */
  marks: readonly string[];
  /** Address of the page's feed; null if none is known. */
  feedOf: ((page: URL, html: string) => URL) | null;
  /** Content of the feed, or the reason why it cannot be watched; without a full stop. */
  about: string;
}

const NO_FEED = 'no feed of it is known';

const KNOWN_SYSTEMS: readonly KnownSystem[] = [
  {
    called: 'Freshstatus',
    hosts: ['.freshstatus.io'],
    marks: ['cdn.freshstatus.io', 'freshstatus.io/'],
    feedOf: null,
    about: `its interface takes a key (Freshstatus API documentation), and ${NO_FEED}`,
  },
  {
    called: 'Statuspal',
    hosts: ['.statuspal.io', '.statuspal.eu'],
    marks: ['statuspal.io', 'statuspal.eu', 'system-status--description'],
    feedOf: null,
    // statuspal.io/api-docs/v2
    about: `its interface is at another host, in a form of its own, and ${NO_FEED}`,
  },
  {
    called: 'Hund',
    hosts: ['.hund.io'],
    marks: ['hund.io/'],
    feedOf: null,
    // Status.js of Hund reads `/live/v2/status_page`.
    about: `its interface is a lasting stream of events, and ${NO_FEED}`,
  },
  {
    called: 'OneUptime',
    hosts: ['.oneuptime.com'],
    // StatusPage/views/index.ejs of OneUptime
    marks: ['/status-page/env.js', 'content="oneuptime'],
    feedOf: null,
    about: `its page is drawn by a script from an interface that is not documented, and ${NO_FEED}`,
  },
  {
    called: 'Checkly',
    hosts: ['.checkly-status-page.com', '.checkly-status-pages.com', '.checkly-dashboards.com'],
    marks: ['checkly-status-page', 'checklyhq.com'],
    feedOf: null,
    about: `its page is drawn by a script from an interface that is not documented, and ${NO_FEED}`,
  },
  {
    called: 'StatusIQ (Site24x7)',
    hosts: ['.site24x7statusiq.com'],
    marks: ['site24x7statusiq', 'enc_statuspage_id'],
    feedOf: null,
    // site24x7.com/help/statuspage/manage-subscribers/rss-feed.html
    about: 'its feed, at /rss, has the states of components only, and no incident',
  },
  {
    called: 'Cachet',
    hosts: [],
    // resources/views/components of cachethq/core; the older ones name their home in the footer
    marks: ['cachethq'],
    feedOf: (page) => new URL('/rss', page),
    about: 'its feed has the first text of each incident, and says neither how it goes on nor that it is over',
  },
  {
    called: 'Uptime Kuma',
    hosts: [],
    // server/model/status_page.js of Uptime Kuma
    marks: ['window.preloaddata', '/api/status-page/', 'uptime kuma'],
    feedOf: feedOfKuma,
    about: 'its feed, since version 2, has the monitors that are down, and no incident',
  },
  {
    called: 'Sorry™',
    hosts: ['.sorryapp.com'],
    marks: ['sorryapp.com'],
    feedOf: null,
    // status.sorryapp.com/api
    about: 'its interface below /api/v1 is read as type: provider, but does not answer here',
  },
];

/** `/status/SLUG/rss`; on a custom host the manifest's address has the slug. */
function feedOfKuma(page: URL, html: string): URL {
  const [, slug] = /\/api\/status-page\/([\w-]{1,100})\/manifest\.json/.exec(html) ?? [];
  return new URL(slug === undefined ? `${page.pathname.replace(/\/$/, '')}/rss` : `/status/${slug}/rss`, page);
}

/** By host, else by a mark in the HTML; null if unknown. */
export function recognizeSystem({ hostname }: URL, html: string): KnownSystem | null {
  const text = html.toLowerCase();
  return (
    KNOWN_SYSTEMS.find(({ hosts }) => hosts.some((end) => hostname.endsWith(end))) ??
    KNOWN_SYSTEMS.find(({ marks }) => marks.some((mark) => text.includes(mark))) ??
    null
  );
}
