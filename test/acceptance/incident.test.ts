/** An outage from its first notice to its end, as people and programs are told of it. */
import { expect, test } from 'vitest';
import { headerOf } from '../support/mailbox.ts';
import { openSite } from '../support/site.ts';

const HASH = /^[0-9a-f]{16,}$/;

test('opens, worsens and resolves: one Slack message, one mail and the events at each point', async () => {
  await using site = await openSite();
  const linewatch = await site.start();
  await site.event('source.baseline');
  const { status } = site.provider.simulator;

  const notice = status.openNotice({ subject: 'Calls fail', content: 'We are looking.', components: ['SMS'] });
  const opened = await site.event('notice.opened');
  await site.slack.takes(2);
  await site.mailbox.takes(2);

  status.updateNotice(notice, { state: 'identified', content: 'A cable was cut.' });
  const worsened = await site.event('notice.state');
  await site.slack.takes(3);
  await site.mailbox.takes(3);

  status.closeNotice(notice, { content: 'The cable is mended.' });
  const closed = await site.event('notice.closed');
  await site.slack.takes(4);
  await site.mailbox.takes(4);

  await site.event('component.state', ({ data }) => data.to === 'operational');
  await site.round();
  linewatch.signal('SIGTERM');
  expect(await linewatch.ended).toMatchObject({ code: 0 });

  // The summary at the start, and one message for each point of the outage.
  expect(site.slack.taken.map(({ body }) => (JSON.parse(body) as { text: string }).text)).toEqual([
    expect.stringContaining('Watching'),
    expect.stringContaining('Calls fail'),
    expect.stringContaining('Calls fail'),
    expect.stringMatching(/Resolved.*Calls fail/),
  ]);
  expect(site.slack.taken[1]?.body).toContain('We are looking.');
  expect(site.slack.taken[2]?.body).toContain('A cable was cut.');
  expect(site.slack.taken[3]?.body).toContain('The cable is mended.');

  const [, opening, update, resolve, ...more] = site.mailbox.mails;
  if (opening === undefined || update === undefined || resolve === undefined) throw new Error('mails are missing');
  expect(more).toEqual([]);
  expect(opening.subject).toMatch(/^\[Linewatch\] .*Calls fail/);
  expect(headerOf(opening, 'in-reply-to')).toBeUndefined();
  expect(headerOf(opening, 'references')).toBeUndefined();
  for (const reply of [update, resolve]) {
    expect(reply.subject).toBe(`Re: ${opening.subject}`);
    expect(reply.inReplyTo).toBe(opening.messageId);
    expect(reply.references).toBe(opening.messageId);
  }
  expect(new Set([opening, update, resolve].map(({ messageId }) => messageId)).size).toBe(3);
  for (const words of [resolve.text, resolve.html]) expect(words).toContain('The cable is mended.');

  for (const event of site.events()) {
    expect(event).toMatchObject({
      specversion: '1.0',
      datacontenttype: 'application/json',
      source: '/linewatch/hq/provider',
      id: expect.stringMatching(HASH),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(Object.keys(event).toSorted()).toEqual([
      'data',
      'datacontenttype',
      'id',
      'source',
      'specversion',
      'subject',
      'time',
      'type',
    ]);
    expect(Object.keys(event.data).toSorted()).toEqual(['alert', 'details', 'from', 'reminder', 'to']);
    expect(Object.keys(event.data.alert).toSorted()).toEqual([
      'advice',
      'cause',
      'caused_by',
      'id',
      'merged_into',
      'number',
      'parts',
      'phase',
      'resolved_at',
      'severity',
      'started_at',
      'status',
      'title',
    ]);
  }
  for (const { headers } of site.bus.taken) {
    expect(headers['content-type']).toMatch(/^application\/cloudevents-batch\+json/);
  }
  expect(new Set(site.events().map(({ id }) => id)).size).toBe(site.events().length);
  const told = [opened, worsened, closed];
  expect(told.map(({ subject, data: { from, to, alert } }) => [subject, from, to, alert.status])).toEqual([
    [`notice/${notice}`, null, 'investigating', 'open'],
    [`notice/${notice}`, 'investigating', 'identified', 'update'],
    [`notice/${notice}`, 'identified', 'resolved', 'resolved'],
  ]);
  expect(told.map(({ data }) => [data.alert['number'], data.alert['severity'], data.reminder])).toEqual(
    told.map(() => [1, 'critical', 0]),
  );
  const [document] = status.documents().notices;
  expect(Date.parse(String(closed.data.alert['started_at']))).toBe(Date.parse(String(document?.began_at)));
  expect(Date.parse(String(closed.data.alert['resolved_at']))).toBe(Date.parse(String(document?.ended_at)));
  expect(opened.data.alert['resolved_at']).toBeNull();

  // Programs hear of the flips, as part of the notice's alert; people were not told of them.
  const flips = site
    .events()
    .filter(({ type }) => type === 'linewatch.component.state' || type === 'linewatch.page.state');
  expect(
    flips.map(({ type, subject, data }) => [type, subject, data.from, data.to, data.alert.status, data.alert.id]),
  ).toEqual(
    expect.arrayContaining([
      ['linewatch.component.state', 'component/120', 'operational', 'degraded', 'update', opened.data.alert.id],
      ['linewatch.page.state', 'page', 'operational', 'degraded', 'update', opened.data.alert.id],
    ]),
  );
});
