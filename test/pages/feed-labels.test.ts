/** Which words of a feed are states: those that stand as a label, and none of a sentence. */
import { describe, expect, it } from 'vitest';
import { paragraph, rss, SITE, watchFeed, type Entry } from './feed-watch.ts';
import { MINUTE, NOON } from './vendor-watch.ts';

const ENTRY = { id: '7', link: `${SITE}/incidents/7` };
const FIRST: Entry = { ...ENTRY, title: 'No calls', text: '<p><strong>Investigating</strong> - Calls fail.</p>' };

/** What is told of an incident that is being investigated once its entry is written anew. */
async function told(entry: Partial<Entry>): Promise<{ news: string[]; alerts: string[]; subject: string | undefined }> {
  const { page, show, news } = await watchFeed();
  show(rss([FIRST]));
  expect(await news()).toEqual(['notice.opened investigating']);
  show(rss([{ ...FIRST, at: NOON + MINUTE, ...entry }]));
  return {
    news: await news(),
    alerts: page.watch.state.alerts.filter(({ family }) => family === 'notice').map(({ status }) => status),
    subject: page.watch.state.snapshot.notices?.find(({ id }) => id === ENTRY.link)?.subject,
  };
}

const INVESTIGATING = '<p><strong>Investigating</strong> - Calls fail.</p>';

describe('an incident goes on where a sentence holds the word', () => {
  it.each([
    'The issue is <b>not</b> yet <b>resolved</b>.',
    'We posted status: resolved too early.',
    'Status: resolved too early, we are sorry.',
    'Sorry, <strong>Resolved</strong> - was posted too early.',
    '<b>Resolved</b> was posted too early.',
    '<p><strong>Resolved</strong>\nwas posted <em>too early</em>.</p>',
    '<p><span>Resolved</span><span> was posted too early.</span></p>',
    'Resolved<b></b> was posted too early.',
    '<b>Status:</b> <b>Resolved</b> was posted too early.',
    '<b>Resolved</b> <small>was posted</small> too early.',
    'Not yet <small>at 12:01</small> resolved - be patient.',
    'Not yet <small>Resolved</small>',
    'Resolved calls are counted anew.',
    'Resolved-number porting fails, too.',
    `The issue is <b>not</b> yet <b>resolved</b>${INVESTIGATING}`,
    'Not yet<br><b>resolved</b> - be patient.',
    'Not yet\nresolved - be patient.',
    'It is not\n<br/>yet <i>resolved</i>',
    'Unresolved - we work on it.',
    '<!-- --><b>It is</b> <strong>Resolved</strong>',
    'Status update: resolved - says the carrier.',
  ])('%s', async (text) => {
    const { news, alerts } = await told({ text });
    expect(news).toEqual(['notice.update investigating']);
    expect(alerts).toEqual(['open']);
  });

  it.each([
    'No calls and resolved tickets',
    'Resolved-number porting fails',
    'No calls, not resolved',
    'Calls un-resolved',
    '[Investigating] No calls - Resolved',
    'No calls [resolved by nobody]',
  ])('in the title “%s”', async (title) => {
    const { alerts } = await told({ title });
    expect(alerts).toEqual(['open']);
  });
});

describe('an incident is over where the word is a label', () => {
  it.each([
    'Resolved - This incident has been resolved.',
    'Resolved: calls work.',
    'RESOLVED – calls work.',
    'Resolved &ndash; calls work.',
    'Resolved',
    'Resolved\n\nCalls work.',
    'Calls fail no more.\n\nResolved - calls work.',
    '<strong>Resolved</strong> - calls work.',
    '<strong>Resolved - </strong>calls work.',
    '<b>Resolved</b>',
    '<b>Resolved</b><br>Calls work.',
    '<p><b>Resolved</b></p>Calls work.',
    '<div><b>Resolved</b> <p>Calls work.</p></div>',
    '<p> <span class="state">Resolved</span> – calls work.</p>',
    '<h3>Resolved</h3><p>Calls work.</p>',
    'Status: Resolved',
    'Status: Resolved\nAffected: voice',
    '<b>Status:</b> Resolved<br/>Affected: voice',
    '<b>Status: Resolved</b><br/><br/><b>Affected components</b><ul><li>Voice (Operational)</li></ul>',
    '<p>Calls were down.</p><p>Status: Resolved</p>',
    '<table><tr><td>Status</td><td>Resolved</td></tr></table>',
    `<div><p><strong>Resolved</strong> - calls work.</p>${INVESTIGATING}</div>`,
    '<p><small>Mar <var data-var="date">2</var>, <var data-var="time">12:01</var> UTC</small><br><strong>Resolved</strong> - text</p>',
    paragraph('Mar 2, 12:01 UTC', 'Resolved', 'Calls work.'),
    '<small>Mar 2, 12:01:09 GMT+0</small> <strong>Resolved</strong> - calls work.',
  ])('%s', async (text) => {
    const { news, alerts } = await told({ text });
    expect(news).toEqual(['notice.closed resolved']);
    expect(alerts).toEqual(['resolved']);
  });

  it.each([
    'Resolved - No calls',
    'Resolved: No calls',
    'RESOLVED – No calls',
    '[Resolved] No calls',
    '[Resolved] - No calls',
    'No calls - Resolved',
    'No calls – resolved',
    'No calls [Resolved]',
  ])('in the title “%s”, which is no part of the subject', async (title) => {
    const { news, alerts, subject } = await told({ title });
    expect(news).toEqual(['notice.closed resolved']);
    expect(alerts).toEqual(['resolved']);
    expect(subject).toBe('No calls');
  });
});
