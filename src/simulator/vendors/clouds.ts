/** The world as two cloud status pages (incidents only) and as a feed. */
import { toTimestamp } from '../../core/transition/details.ts';
import { isOver, listNotices, listSpokenUpdates, type VendorNotice, type VendorPages } from './vendor-world.ts';

const ENTRIES = 25;

export const googleCloud: VendorPages = (world) => {
  const incidents = listNotices(world, ['incident']).map((each) => ({
    id: each.id,
    number: each.id,
    begin: toTimestamp(each.beganAt ?? each.createdAt),
    created: toTimestamp(each.createdAt),
    modified: toTimestamp(each.updatedAt),
    ...(isOver(each) && { end: toTimestamp(each.endedAt ?? each.updatedAt) }),
    external_desc: each.subject,
    severity: 'medium',
    status_impact: 'SERVICE_DISRUPTION',
    uri: `incidents/${each.id}`,
    most_recent_update: { status: each.state === 'recovering' ? 'AVAILABLE' : 'SERVICE_DISRUPTION' },
    updates: each.updates.toReversed().map(({ content, createdAt, updatedAt, state }) => ({
      created: toTimestamp(createdAt),
      modified: toTimestamp(updatedAt),
      when: toTimestamp(createdAt),
      text: content,
      status: state === 'recovering' || state === 'resolved' ? 'AVAILABLE' : 'SERVICE_DISRUPTION',
    })),
    affected_products: each.hits.map(({ id, name }) => ({ id, title: name })),
    currently_affected_locations: [{ id: 'us-east1', title: 'South Carolina (us-east1)' }],
  }));
  return new Map([['/incidents.json', { json: incidents }]]);
};

export const aws: VendorPages = (world) => {
  const seconds = (at: number): string => String(Math.trunc(at / 1000));
  const events = listNotices(world, ['incident']).map((each) => ({
    arn: `arn:aws:health:us-east-1::event/${each.id}`,
    date: seconds(each.createdAt),
    region_name: 'N. Virginia',
    status: isOver(each) ? '0' : '3',
    service: `ec2-us-east-1`,
    service_name: 'Amazon EC2',
    summary: each.subject,
    event_log: each.updates.map(({ content, createdAt }) => ({
      summary: each.subject,
      message: content,
      status: 3,
      timestamp: Math.trunc(createdAt / 1000),
    })),
    impacted_services: Object.fromEntries(
      each.hits.map(({ id, name }) => [id, { service_name: name, current: '3', max: '3' }]),
    ),
    ...(isOver(each) && { end_time: seconds(each.endedAt ?? each.updatedAt) }),
  }));
  return new Map([['/public/currentevents', { body: utf16(JSON.stringify(events)), type: 'application/json' }]]);
};

/** Big-endian with a byte-order mark. */
function utf16(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2 + text.length * 2);
  bytes.set([0xfe, 0xff]);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    bytes.set([Math.trunc(unit / 256), unit % 256], 2 + index * 2);
  }
  return bytes;
}

const WORDS: Readonly<Record<string, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  recovering: 'Monitoring',
  resolved: 'Resolved',
  false_alarm: 'Resolved',
  scheduled: 'Scheduled',
  underway: 'In progress',
  complete: 'Completed',
};

/** Newest first, within an entry as well as in the feed. */
export const feed: VendorPages = (world) => {
  const items = listNotices(world, ['incident', 'work', 'news']).toReversed().slice(0, ENTRIES).map(entryOf);
  const body = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<title>${escaped(world.name)} Status</title>`,
    `<updated>${toTimestamp(world.updatedAt)}</updated>`,
    ...items,
    '</feed>',
  ].join('\n');
  return new Map([['/history.atom', { body, type: 'application/atom+xml' }]]);
};

function wordOf({ kind }: VendorNotice, state: string): string {
  if (state === 'cancelled') return kind === 'work' ? 'Completed' : 'Resolved';
  return WORDS[state] ?? 'Update';
}

function entryOf(each: VendorNotice): string {
  const updates = listSpokenUpdates(each)
    .toReversed()
    .map(
      ({ state, content, createdAt }) =>
        `<p><small>${written(createdAt)} UTC</small><br><strong>${wordOf(each, state ?? each.state)}</strong> - ${escaped(content)}</p>`,
    );
  if (each.beginsAt !== null && each.endsAt !== null) {
    const window = `${written(each.beginsAt)} - ${written(each.endsAt)} UTC`;
    updates.unshift(`<p><strong>THIS IS A SCHEDULED EVENT ${window}</strong></p>`);
  }
  const link = `https://status.example.com/incidents/${each.id}`;
  return [
    '<entry>',
    `<id>tag:status.example.com,2005:Incident/${each.id}</id>`,
    `<published>${toTimestamp(each.createdAt)}</published>`,
    `<updated>${toTimestamp(each.updatedAt)}</updated>`,
    `<link rel="alternate" type="text/html" href="${link}"/>`,
    `<title>${escaped(each.subject)}</title>`,
    `<content type="html">${escaped(updates.join(''))}</content>`,
    '</entry>',
  ].join('\n');
}

/** Statuspage's time format, without a year. */
function written(at: number): string {
  const [, day, month, , time = ''] = new Date(at).toUTCString().split(' ');
  return `${month} <var data-var='date'>${Number(day)}</var>, <var data-var='time'>${time.slice(0, 5)}</var>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
