/**
 * Status pages that telephone administrators depend on. Nothing here is asked unless it is configured, or named in a
 * command. `evidence` says how the type is known; whoever names one has it tried first.
 */
import type { VendorTypeName } from './types.ts';

export interface KnownPage {
  /** As a person types it after `config detect`. */
  name: string;
  called: string;
  /** Null where the vendor has no page that programs can read. */
  page: { type: VendorTypeName; url: string } | null;
  evidence: string;
}

const SHAPE =
  'answers in the form of Statuspage, by a survey of vendors; the address is the usual one and was not probed';

function statuspage(name: string, called: string, url: string, evidence = SHAPE): KnownPage {
  return { name, called, page: { type: 'statuspage', url }, evidence };
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
  statuspage('webex', 'Webex', 'https://status.webex.com'),
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
    page: null,
    evidence: 'it has no public page',
  },
];
