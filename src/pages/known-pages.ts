/**
 * Status pages that telephone administrators depend on. None is requested unless configured or named in a command.
 * `evidence` says how its type is known; it is tried first.
 */
import type { VendorTypeName } from './types.ts';

export interface KnownPage {
  /** Name for `config detect`. */
  name: string;
  called: string;
  /** Null if the vendor has no machine-readable page. */
  page: { type: VendorTypeName; url: string } | null;
  evidence: string;
}

const SHAPE =
  'answers in the form of Statuspage, by a survey of vendors; the address is the usual one and was not probed';

function statuspage(name: string, called: string, url: string, evidence = SHAPE): KnownPage {
  return { name, called, page: { type: 'statuspage', url }, evidence };
}

/**
 * Webex documents `/index.json` and `/all-incidents.json` (status.webex.com/api), in another form than Statuspage;
 * `/api/v2/…` returns HTML. Third parties read its feeds, one for all and one per product, in 2026.
 */
function webexFeed(name: string, called: string, file: string): KnownPage {
  const url = `https://status.webex.com/${file}.rss`;
  return { name, called, page: { type: 'feed', url }, evidence: 'its page is no Statuspage; captures of its feeds' };
}

export const KNOWN_PAGES: readonly KnownPage[] = [
  statuspage('twilio', 'Twilio', 'https://status.twilio.com'),
  statuspage('zoom', 'Zoom', 'https://status.zoom.us'),
  statuspage('dialpad', 'Dialpad', 'https://status.dialpad.com'),
  statuspage('aircall', 'Aircall', 'https://status.aircall.com', 'probed: the address in .io redirects to this one'),
  statuspage('plivo', 'Plivo', 'https://status.plivo.com'),
  statuspage('nextiva', 'Nextiva', 'https://status.nextiva.com'),
  statuspage('sinch', 'Sinch', 'https://status.sinch.com'),
  statuspage('bird', 'Bird', 'https://status.bird.com'),
  statuspage('bandwidth', 'Bandwidth', 'https://status.bandwidth.com'),
  statuspage('vonage', 'Vonage', 'https://status.vonage.com'),
  statuspage('goto', 'GoTo', 'https://status.goto.com'),
  webexFeed('webex', 'Webex', 'history'),
  webexFeed('webex-calling', 'Webex Calling', 'Webex_Calling'),
  webexFeed('webex-meetings', 'Webex Meetings', 'Webex_Meetings'),
  webexFeed('webex-contact-center', 'Webex Contact Center', 'Webex_Contact_Center'),
  statuspage('cloudflare', 'Cloudflare', 'https://www.cloudflarestatus.com'),
  statuspage('telnyx', 'Telnyx', 'https://status.telnyx.com', "looks like incident.io's imitation of Statuspage"),
  {
    name: '8x8',
    called: '8x8',
    page: { type: 'statuscast', url: 'https://8x8.status.page' },
    evidence: 'published with StatusCast, which gives its pages such addresses; not probed',
  },
  {
    name: 'slack',
    called: 'Slack',
    page: { type: 'slack', url: 'https://slack-status.com' },
    evidence: 'captures',
  },
  {
    name: 'google-cloud',
    called: 'Google Cloud',
    page: { type: 'google-cloud', url: 'https://status.cloud.google.com' },
    evidence: 'captures',
  },
  {
    name: 'google-workspace',
    called: 'Google Workspace',
    page: { type: 'google-cloud', url: 'https://www.google.com/appsstatus/dashboard/' },
    evidence: 'captures: its page has the form of that of Google Cloud',
  },
  {
    name: 'aws',
    called: 'Amazon Web Services',
    page: { type: 'aws', url: 'https://health.aws.amazon.com/public/currentevents' },
    evidence: 'captures; what its codes mean is inferred from them',
  },
  {
    name: 'azure',
    called: 'Microsoft Azure',
    page: { type: 'feed', url: 'https://azure.status.microsoft/en-us/status/feed/' },
    evidence: 'captures of its RSS',
  },
  {
    name: 'ringcentral',
    called: 'RingCentral',
    page: null,
    evidence: 'it has a page of its own, without an interface for programs',
  },
  {
    name: 'microsoft-365',
    called: 'Microsoft 365',
    page: { type: 'feed', url: 'https://status.cloud.microsoft/api/feed/mac' },
    evidence:
      'captures of the feed that its public page names: it says whether the service as a whole is well; ' +
      'incidents of single services are shown to signed-in administrators only',
  },
  {
    name: 'power-platform',
    called: 'Microsoft Power Platform',
    page: { type: 'feed', url: 'https://status.cloud.microsoft/api/feed/ppac' },
    evidence: 'captures of the feed that its public page names',
  },
];
