import { describe, expect, it } from 'vitest';
import { composeContent, type MessageContent } from '../../../src/core/wording/message-content.ts';
import { createSampleMessage } from '../../../src/core/wording/samples/samples.ts';
import type { Change } from '../../../src/core/alert/alert.ts';
import type { Message } from '../../../src/core/outbox/message.ts';
import { KINDS } from '../../../src/core/transition/kind.ts';
import { toTimestamp, type BaselineDetails } from '../../../src/core/transition/details.ts';
import {
  change,
  HOUR,
  message,
  MINUTE,
  notice,
  NOW,
  opened,
  PAGE_URL,
  recovering,
  resolved,
  TIMEZONE,
  work,
} from '../../support/messages.ts';
import { STORIES } from '../../support/stories.ts';

function told(story: Message, now = NOW): MessageContent {
  return composeContent(story, { timezone: TIMEZONE, instance: 'hq', externalUrl: null, now });
}

function all(text: MessageContent): string {
  const { headline, kicker, sentences, facts, lists, words } = text;
  return [
    headline,
    kicker,
    ...sentences,
    ...facts.flatMap((each) => [each.label, each.text]),
    ...lists.flatMap((each) => [each.label, ...each.items]),
    ...words.map((each) => each.text),
  ].join('\n');
}

describe('every kind', () => {
  it.each(KINDS)('%s has a sample that says what, how bad, since when and where', (kind) => {
    const text = told(createSampleMessage(kind, 'ops', NOW));
    expect(text.headline).toMatch(/^\S.{10,200}$/);
    expect(text.kicker).toMatch(/Critical|Warning|Info|For information|Resolved|Ended|Over/);
    expect(text.facts.map((each) => each.label)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(Since|Offline since|Window|From|Now|Seen)$/), 'Source']),
    );
    expect(all(text)).not.toMatch(/undefined|null|NaN|Invalid|\[object/);
    expect(`${text.headline}${text.facts.map((each) => each.text).join('')}`).toMatch(/test/i);
  });
});

it('shows the title of a notice without its markup', () => {
  const { subject } = notice().notice;
  const raw = (text: string): string => text.replaceAll(subject, '<b>Voice</b> degraded &amp; slow');
  const shown = told(JSON.parse(raw(JSON.stringify(opened()))) as Message);
  expect(shown.headline).toContain('Voice degraded & slow');
  expect(all(shown)).not.toContain('&amp;');
});

describe('news of a notice that costs the only account phones', () => {
  const notice = { state: 'recovering', by: { source: 'provider' }, called: 'Example Telecom', isPlanned: false };
  const sites = [
    { site: 'Richmond', offline: 8, total: 10 },
    { site: 'Carlton', offline: 4, total: 20 },
  ];
  const seen = (down: number, state = 'recovering') => ({
    lostSince: NOW - 9 * MINUTE,
    merged: [],
    shared: null,
    single: {
      phase: 'open' as const,
      notice: { ...notice, state },
      accounts: [{ source: 'hq', total: 30, down, most: 12, sites: down === 0 ? [] : sites }],
    },
  });

  it('leads with the loss, and names the notice below', () => {
    const text = told({ ...recovering(), seen: seen(12) });
    expect(text.headline).toBe(
      '12 of 30 phones offline: Richmond 8/10, Carlton 4/20 — provider: recovering, not over yet',
    );
    const labels = text.facts.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(['Notice', 'State', 'Offline since', 'Since']));
    expect(text.lists.map(({ label }) => label)).toContain('Affects');
    expect(told({ ...recovering(), seen: seen(0) }).headline).toBe(told(recovering()).headline);
    // The end of the notice is told as such.
    const end = told({ ...resolved(), seen: seen(12) });
    expect([end.headline, end.tone]).toEqual([told(resolved()).headline, 'ended']);
    expect(end.sentences[0]).toBe('12 phones are still offline.');
    expect(told(resolved()).tone).toBe('resolved');
  });

  it('keeps what else the notice says', () => {
    const impact = createSampleMessage('notice.impact', 'ops', NOW);
    const text = told({ ...impact, seen: seen(12) });
    expect(text.sentences).toEqual([`${told(impact).headline}.`]);
  });

  it('says with phones that are back that the provider has not ended it', () => {
    const back = createSampleMessage('registration.restored', 'ops', NOW);
    const open = { ...back, alert: { ...back.alert, resolvedAt: null } };
    const text = told({ ...open, seen: seen(0, 'investigating') });
    expect(text.headline).toMatch(/online again — provider: investigating, not over yet$/);
    expect(text.tone).toBe('info');
    expect(text.facts.map(({ label }) => label)).toContain('Were offline');
    expect(text.facts.map(({ label }) => label)).not.toContain('Offline since');
    // Others are still offline.
    expect(told({ ...open, seen: seen(12, 'investigating') }).headline).toMatch(/— provider: investigating$/);
    // The alert is over, or has no notice.
    expect(told({ ...back, seen: seen(0) }).headline).not.toContain('provider');
    expect(told(open).headline).not.toContain('provider');
  });
});

describe('phones of an alert that is older than their loss', () => {
  const old = (kind: 'registration.lost' | 'outage.residual'): Message => {
    const sample = createSampleMessage(kind, 'ops', NOW);
    return { ...sample, first: false, alert: { ...sample.alert, startedAt: NOW - 9 * HOUR, resolvedAt: null } };
  };
  const sinceOf = (text: MessageContent) =>
    text.facts.filter(({ label }) => /since/i.test(label)).map(({ label, moments = [] }) => [label, moments[0]?.at]);
  const at = (minute: number) => NOW - minute * MINUTE;

  function lost(...minutes: readonly number[]): Message {
    const sample = old('registration.lost');
    const changes = minutes.flatMap((minute, index) =>
      sample.changes.map(({ status, transition }): Change => {
        if (transition.kind !== 'registration.lost') throw new RangeError('a phone is lost');
        const details = { ...transition.details, extension: String(index), since: toTimestamp(at(minute)) };
        return { status, transition: { ...transition, details } };
      }),
    );
    return { ...sample, changes };
  }

  it('says since when they are offline, whether one or several', () => {
    const start = ['Since', NOW - 9 * HOUR];
    expect(sinceOf(told(lost(7)))).toEqual([['Offline since', at(7)], start]);
    expect(sinceOf(told(lost(5, 8)))).toEqual([['Offline since', at(8)], start]);
    // An alert of their own began with them.
    const own = lost(5, 8);
    expect(sinceOf(told({ ...own, alert: { ...own.alert, startedAt: at(8) } }))).toEqual([['Since', at(8)]]);
  });

  it('counts a reminder from their loss', () => {
    const message = old('outage.residual');
    const changes = message.changes.map(({ status, transition }): Change => {
      if (transition.kind !== 'outage.residual') throw new RangeError('phones remain');
      return { status, transition: { ...transition, details: { ...transition.details, since: toTimestamp(at(240)) } } };
    });
    const still = { thing: '4 of 60 phones', state: 'offline' };
    const reminder = { ...message, changes, reminder: 1, alert: { ...message.alert, still } };
    expect(told(reminder).headline).toMatch(/^Still offline after 4 h: 4 of 60 phones/);
    // The end of older work in the same message does not move it.
    const details = work({ state: 'complete', began_at: toTimestamp(NOW - 9 * HOUR) });
    const ended = change('notice.closed', 'notice/600400', { from: 'underway', to: 'complete', details }, 'update');
    expect(sinceOf(told({ ...reminder, reminder: 0, changes: [ended, ...changes] }))).toEqual([
      ['Offline since', at(240)],
    ]);
  });
});

describe('what is said is what is known', () => {
  it('never lets a recovering notice read as over', () => {
    const text = told(recovering());
    expect(text.status).toBe('updated');
    expect(text.headline).toBe('Recovering, not over yet: Inbound calls failing on Sydney SIP trunks');
    expect(all(text)).toContain('not an all-clear');
    expect(all(text)).not.toMatch(/\bresolved\b/i);
  });

  it('never calls a page operational an all-clear while a notice is open', () => {
    const details = { name: 'Example Telecom', url: PAGE_URL, notice: { id: '1', subject: 'Calls failing' } };
    const text = told(
      message([change('page.state', 'page', { from: 'degraded', to: 'operational', details }, 'update')]),
    );
    expect(text.sentences).toEqual([
      'When it is over is for the provider’s notice “Calls failing” to say: this is not an all-clear.',
    ]);
  });

  it.each(['notice-withdrawn', 'notice-closed-without-resolve'])('%s is no resolve', (name) => {
    const text = told(STORIES[name]?.().message ?? opened());
    expect(text).toMatchObject({
      status: 'resolved',
      tone: 'ended',
      kicker: '#12 · Ended, not resolved · was critical · provider',
    });
    expect(all(text)).toMatch(/has not said that/);
  });

  it('shows states it does not know, and takes them for no good news', () => {
    const details = { name: 'SMS', parent_id: null, path: [], notice: null };
    const text = told(
      message([
        change('component.state', 'component/1', { from: 'operational', to: 'partially_degraded', details }, 'open'),
      ]),
    );
    expect(text.headline).toBe('In the state “partially_degraded”: SMS');
    expect(text.sentences[0]).toBe('This state is not one we know; it does not count as operational.');
    const odd = told(
      message([
        change(
          'notice.state',
          'notice/1',
          { from: 'investigating', to: '__proto__', details: notice({ state: '__proto__' }) },
          'update',
        ),
      ]),
    );
    expect(odd.headline).toContain('“__proto__”');
  });

  it('says that it does not know whom it hits', () => {
    const unknown = told(
      message([
        change(
          'notice.opened',
          'notice/1',
          { from: null, to: 'investigating', details: notice({}, { components: null }) },
          'open',
        ),
      ]),
    );
    expect(unknown.facts).toContainEqual({ label: 'Affects', text: 'not known yet' });
  });

  it('does not ring again for a review after the end', () => {
    const text = told(STORIES['notice-review-after-the-end']?.().message ?? opened());
    expect(text).toMatchObject({
      status: 'updated',
      tone: 'ended',
      kicker: '#12 · Over · was critical · Update · provider',
      headline: 'Review added after the end; still resolved: Inbound calls failing on Sydney SIP trunks',
    });
    expect(text.facts.map((each) => each.label)).toContain('Lasted');
  });

  it('does not say that it missed a notice without a state that it has told of', () => {
    const general = notice({ type: 'general', state: null, subject: 'Our office is closed', began_at: null });
    const closed = change('notice.closed', 'notice/1', { from: null, to: null, details: general }, 'resolved');
    const text = told(message([closed], { severity: 'info', resolvedAt: NOW, startedAt: NOW - HOUR }));
    expect(text).toMatchObject({
      headline: 'Over: Our office is closed — open for 1 h',
      kicker: '#12 · Over · provider',
      tone: 'ended',
    });
  });

  it('puts a state it does not know into quotation marks once, as it is written', () => {
    const details = notice({ state: 'Mostly_OK', timeline_state: 'past_recent' }, { without_resolve: true });
    const closed = change('notice.closed', 'notice/1', { from: 'x', to: 'Mostly_OK', details }, 'resolved');
    expect(told(message([closed], { resolvedAt: NOW })).sentences[0]).toContain('its last state is “Mostly_OK”.');
  });

  it('does not say that work is no longer under way that never was', () => {
    const from = (state: string): string =>
      told(
        message([
          change(
            'notice.state',
            'notice/1',
            { from: state, to: 'scheduled', details: work({ subject: 'W' }) },
            'update',
          ),
        ]),
      ).headline;
    expect(from('underway')).toBe('Maintenance is back to scheduled: W — it is no longer under way');
    expect(from('investigating')).toBe('Scheduled: W');
  });

  it('calls new only what its reader has not heard of', () => {
    const opens = (kind: 'notice.opened' | 'notice.reopened', first: boolean): string =>
      told(
        message(
          [change(kind, 'notice/1', { from: null, to: 'investigating', details: notice() }, 'open')],
          {},
          { first },
        ),
      ).kicker;
    expect(opens('notice.opened', true)).toBe('#12 · Critical · New · provider');
    expect(opens('notice.opened', false)).toBe('#12 · Critical · Update · provider');
    expect(opens('notice.reopened', false)).toBe('#12 · Critical · Open again · provider');
  });

  it('does not ring for trouble that was over before we saw it', () => {
    const details = notice({ state: 'resolved', timeline_state: 'past_recent', ended_at: toTimestamp(NOW) });
    const closed = change('notice.closed', 'notice/1', { from: null, to: 'resolved', details }, 'info');
    expect(told(message([closed], { resolvedAt: NOW }, { first: true }))).toMatchObject({
      headline: expect.stringMatching(/^Over before we saw it: /),
      kicker: '#12 · Over · was critical · provider',
      tone: 'ended',
    });
  });

  it('does not call withdrawn work off', () => {
    const text = told(STORIES['maintenance-withdrawn']?.().message ?? opened());
    expect(text).toMatchObject({
      headline: 'Withdrawn by the provider: Core router replacement in Melbourne',
      tone: 'ended',
    });
    expect(text.sentences[0]).toContain('has not said whether the work is called off or done');
  });

  it('invents no duration when clocks disagree', () => {
    const text = told({ ...resolved(), alert: { ...resolved().alert, startedAt: NOW + HOUR, resolvedAt: NOW } });
    expect(text.facts.map((each) => each.label)).not.toContain('Lasted');
    expect(text.headline).toBe('Resolved: Inbound calls failing on Sydney SIP trunks');
  });

  it('calls the only account by its name for people, and a page by its own', () => {
    const message = createSampleMessage('registration.mass', 'ops', NOW);
    const source = message.changes[0]?.transition.source ?? '';
    const options = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: NOW };
    const named = composeContent(message, {
      ...options,
      displayName: (name) => (name === source ? 'Acme Pty Ltd' : null),
    });
    expect(named.kicker).toMatch(/ · Acme Pty Ltd$/);
    expect(named.facts.find(({ label }) => label === 'Source')?.text).toBe('Acme Pty Ltd — your own account');
    expect(named.headline).toBe(composeContent(message, options).headline);
    expect(composeContent(message, { ...options, displayName: () => null }).kicker).toMatch(
      new RegExp(` · ${source}$`),
    );
  });

  it.each([
    ['does not say 0 s of what ended when the clock was put back, nor that it ended at its start', 0, undefined],
    ['says how long it lasted otherwise', HOUR, '1 h'],
  ])('%s', (_, lasted, shown) => {
    const text = told({ ...resolved(), alert: { ...resolved().alert, startedAt: NOW - lasted, resolvedAt: NOW } });
    expect(text.facts.find((each) => each.label === 'Lasted')?.text).toBe(shown);
    const times = text.facts.flatMap(({ label }) => (['From', 'Until', 'Seen'].includes(label) ? [label] : []));
    expect(times).toEqual(shown === undefined ? ['Seen'] : ['From', 'Until']);
  });

  it('measures planned work by what the provider says, not by when it was announced', () => {
    const story = STORIES['maintenance-complete']?.().message ?? opened();
    const text = told({ ...story, alert: { ...story.alert, startedAt: NOW - 100 * HOUR } });
    expect(text.headline).toBe('Maintenance complete: Core router replacement in Melbourne — after 2 h');
  });
});

describe('a message of several changes', () => {
  it('is about where the notice stands now, and lists what led there', () => {
    const text = told(message([...opened().changes, ...recovering().changes]));
    expect(text.headline).toMatch(/^Recovering/);
    expect(text.words).toHaveLength(2);
    expect(text.lists.find((each) => each.label === 'What happened, in order')?.items).toHaveLength(2);
  });

  it('is about the end when it is over', () => {
    const text = told({
      ...message([...opened().changes, ...resolved().changes, ...recovering().changes]),
      alert: resolved().alert,
    });
    expect(text).toMatchObject({ status: 'resolved', headline: expect.stringMatching(/^Resolved/) });
  });

  it('is about the relapse when it is open again', () => {
    const again = change(
      'notice.reopened',
      'notice/600301',
      { from: 'resolved', to: 'investigating', details: notice() },
      'open',
    );
    expect(told(message([...resolved().changes, again])).headline).toBe(
      'Open again: Inbound calls failing on Sydney SIP trunks — the provider is investigating',
    );
  });

  it('is about the new window rather than about the update that explains it', () => {
    const story = STORIES['maintenance-extended-with-update']?.().message ?? opened();
    expect(told(story).headline).toBe(
      'Extended: Core router replacement in Melbourne — now until Tue 24 Mar 16:43 AEDT',
    );
  });

  it('says an update once that two changes carry', () => {
    const twice = opened().changes;
    expect(told(message([...twice, ...twice])).words).toHaveLength(1);
  });

  it('groups components by how they stand now', () => {
    const flip = (name: string, from: string, to: string) =>
      change(
        'component.state',
        `component/${name}`,
        { from, to, details: { name, parent_id: null, path: [], notice: null } },
        'open',
      );
    const page = { name: 'Example Telecom', url: PAGE_URL, notice: null };
    const text = told(
      message([
        flip('SIP', 'operational', 'degraded'),
        flip('Fax', 'operational', 'under_maintenance'),
        change('page.state', 'page', { from: 'operational', to: 'degraded', details: page }, 'update'),
        flip('SIP', 'degraded', 'operational'),
      ]),
    );
    expect(text.headline).toBe('Operational again: SIP; Under maintenance: Fax; Degraded: the status page as a whole');
    expect(text.lists[0]?.items).toHaveLength(4);
  });

  it('lists the lines of what Linewatch says of itself', () => {
    const content = {
      from: null,
      to: '2 alerts opened and ended while silenced',
      details: { reason: '#1 critical: A\n#2 info: B' },
    };
    const text = told(message([change('linewatch.state', 'linewatch', content, 'info')], { number: null }));
    expect(text.lists).toEqual([{ label: 'In particular', items: ['#1 critical: A', '#2 info: B'], inline: false }]);
  });

  it('sums up sources that start together', () => {
    const page = (name: string) => ({
      page: { name, state: 'operational', url: null },
      components: 60,
      notices: 2,
      open: [],
    });
    const changes = ['provider', 'other'].map((source) =>
      change('source.baseline', 'source', { from: null, to: 'watching', details: page(source) }, 'info', NOW, source),
    );
    const text = told(message(changes, { number: null, severity: 'info' }));
    expect(text.headline).toBe('Watching 2 sources — nothing open');
    expect(text.lists).toEqual([
      {
        label: 'Watching',
        items: ['provider', 'other'].map((name) => `${name}: 60 components, 2 notices; the page says operational`),
        inline: false,
        places: 2,
      },
    ]);
  });
});

describe('the source of a message about several', () => {
  const page = { page: { name: 'P', state: 'operational', url: null }, components: 0, notices: 0, open: [] };
  const account = { ...page, page: null, account: { phones: { total: 2, registered: 2 }, toggles: 0 } };
  const started = (names: string[], details: BaselineDetails, vendor = {}): Message => {
    const starts = names.map((source) => {
      const one = change('source.baseline', 'source', { from: null, to: 'w', details }, 'info', NOW, source);
      return { ...one, transition: { ...one.transition, ...vendor } };
    });
    return message(starts, { number: null, severity: 'info' });
  };
  const sourceOf = (own: Message, customer: (source: string) => string | null = () => null): string | undefined =>
    composeContent(own, { timezone: TIMEZONE, instance: 'hq', externalUrl: null, now: NOW, customer }).facts.find(
      ({ label }) => label === 'Source',
    )?.text;

  it.each([
    [page, {}, 'a, b — the provider’s status pages', 'a — the provider’s status page'],
    [page, { vendor: true }, 'a, b — other vendors’ status pages', 'a — another vendor’s status page'],
    [account, {}, 'a, b — your own accounts', 'a — your own account'],
  ])('is in the plural', (details, vendor, several, one) => {
    expect(sourceOf(started(['a', 'b'], details, vendor))?.replace(' and ', ', ')).toBe(several);
    expect(sourceOf(started(['a'], details, vendor))).toBe(one);
  });

  it('is the customers’ where each account is a customer’s', () => {
    const both = started(['a', 'b'], account);
    expect(sourceOf(both, (source) => source.toUpperCase())).toMatch(/^A(,| and) B — your customers’ accounts$/);
    expect(sourceOf(both, (source) => (source === 'a' ? 'A' : null))).toMatch(/ — your own accounts$/);
  });

  it('has no components where its page shows none', () => {
    expect(told(started(['a'], page)).headline).toBe('Watching P: no notices — nothing open');
    expect(told(started(['a'], { ...page, components: 1 })).headline).toBe(
      'Watching P: 1 component, no notices — nothing open',
    );
  });
});

describe('a word that is for information only', () => {
  const text = 'They write it otherwise now.';
  const edit = (details = notice()): Message =>
    message([change('notice.edited', 'notice/600301', { from: 'Before', to: text, details }, 'info')]);
  const labels = ({ facts }: MessageContent): string[] => facts.map(({ label }) => label);

  it('about an alert that goes on says since when that lasts', () => {
    const { status, facts } = told(edit());
    expect(status).toBe('info');
    expect(facts).toContainEqual(
      expect.objectContaining({ label: 'Since', text: 'Tue 24 Mar 13:31 AEDT', since: true, atAGlance: true }),
    );
    expect(facts.map(({ label }) => label)).toContain('Seen');
  });

  it('about no alert, about one that is over or about work that has not begun does not', () => {
    expect(labels(told({ ...edit(), alert: { ...edit().alert, number: null } }))).not.toContain('Since');
    expect(labels(told({ ...edit(), alert: { ...edit().alert, resolvedAt: NOW } }))).not.toContain('Since');
    expect(labels(told(edit(work())))).not.toContain('Since');
    expect(labels(told(edit(work({ state: 'underway', began_at: toTimestamp(NOW - HOUR) }))))).toContain('Since');
  });

  it('is repeated as the standing of its alert, while that is open', () => {
    const reminder = told({ ...edit(), reminder: 1 }, NOW + 4 * HOUR);
    expect(reminder).toMatchObject({
      status: 'updated',
      kicker: '#12 · Critical · Reminder 1 · provider',
      headline: expect.stringMatching(/^Still open after 5 h 12 min: /),
    });
    expect(labels(reminder)).toContain('Since');
    expect(labels(reminder)).not.toContain('Seen');
    expect(told({ ...edit(), reminder: 1, alert: { ...edit().alert, resolvedAt: NOW } }).status).toBe('info');
  });
});

describe('planned work that draws near or overruns', () => {
  it.each([
    ['maintenance.reminder', 'Maintenance begins in 24 h: '],
    ['maintenance.late', 'Maintenance has not begun: '],
    ['maintenance.overrun', 'Maintenance overruns: '],
  ] as const)('%s counts maintenance in seconds', (kind, start) => {
    const text = told(createSampleMessage(kind, 'ops', NOW));
    expect(text.headline.startsWith(start)).toBe(true);
    const over = text.facts.find((each) => ['Begins in', 'Late by', 'Over by'].includes(each.label))?.text;
    expect(over).toBe(kind === 'maintenance.reminder' ? '24 h' : '20 min');
  });

  it('is right without the exact milliseconds too', () => {
    const { milliseconds: _, ...details } = work();
    const text = told(
      message([change('maintenance.late', 'notice/600400', { from: null, to: 1200, details }, 'update')]),
    );
    expect(text.headline).toBe('Maintenance has not begun: Core router replacement in Melbourne — 20 min late');
  });
});

describe('remarks', () => {
  it.each([
    ['is on time after a minute', { dueAt: NOW - MINUTE }, []],
    ['is late after 47', { dueAt: NOW - 47 * MINUTE }, ['Sent 47 min late.']],
    ['stands for others', { replaces: 1 }, ['Replaces 1 message that had not gone out.']],
    ['waited for company', { replaces: 1, first: true, promisedAt: NOW - 10_000 }, []],
    ['was down', { dueAt: NOW - 47 * MINUTE, receiverFailed: true }, ['Sent 47 min late (ops was down).']],
    ['was silenced', { dueAt: NOW - 8 * HOUR, heldMs: 8 * HOUR }, ['Held back by a silence for 8 h.']],
    [
      'was silenced while another failed',
      { dueAt: NOW - 8 * HOUR - MINUTE, heldMs: 8 * HOUR, receiverFailed: true, replaces: 2 },
      ['Held back by a silence for 8 h; replaces 2 messages that had not gone out.'],
    ],
    [
      'was silenced and late',
      { dueAt: NOW - 10 * HOUR, heldMs: 8 * HOUR, receiverFailed: true },
      ['Held back by a silence for 8 h, and sent 2 h late besides (ops was down).'],
    ],
    ['was silenced for a moment', { dueAt: NOW - 47 * MINUTE, heldMs: MINUTE }, ['Sent 47 min late.']],
    ['was silenced for a moment only', { dueAt: NOW - MINUTE, heldMs: MINUTE }, []],
    [
      'was due before the clock went ahead',
      { dueAt: NOW - 5 * HOUR - MINUTE, jumpedMs: 5 * HOUR },
      [expect.stringMatching(/^This machine’s clock went ahead by 5 h before this was sent: it was set, or /)],
    ],
    [
      'was late, too, before the clock went ahead',
      { dueAt: NOW - 5 * HOUR - 47 * MINUTE, jumpedMs: 5 * HOUR },
      ['Sent 47 min late.', expect.stringContaining('went ahead by 5 h')],
    ],
    [
      'was late while the clock was set back',
      { dueAt: NOW + 4 * HOUR, jumpedMs: -5 * HOUR },
      ['Sent 1 h late.', 'This machine’s clock was set back by 5 h before this was sent.'],
    ],
    ['is not saved', { unsaved: true }, [expect.stringContaining('Not saved')]],
  ])('%s', (_what, own, remarks) => expect(told({ ...opened(), ...own }).remarks).toEqual(remarks));

  it('counts reminders and says how long it has been', () => {
    const text = told({ ...recovering(), reminder: 2 }, NOW + 8 * HOUR);
    expect(text.kicker).toBe('#12 · Critical · Reminder 2 · provider');
    expect(text.headline).toBe(
      'Still open after 9 h 12 min: Inbound calls failing on Sydney SIP trunks — recovering, not over yet',
    );
  });
});

it('names an open notice without components beside what it may explain, and else says that there is none', () => {
  const sentences = (own: object): string[] => {
    const sample = createSampleMessage('component.state', 'ops', NOW);
    const changes = sample.changes.map((each): Change => {
      const { transition } = each;
      if (transition.kind !== 'component.state') return each;
      return {
        ...each,
        transition: { ...transition, to: 'degraded', details: { ...transition.details, notice: null, ...own } },
      };
    });
    return composeContent({ ...sample, changes }, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: NOW })
      .sentences;
  };
  const unnamed = { id: 'n1', subject: 'Slow fax' };
  expect(sentences({ unnamed })).toEqual([
    'The provider has published no new notice; “Slow fax” is still open and names no component.',
  ]);
  expect(sentences({})).toEqual(['The provider has published no notice about it yet.']);
  expect(sentences({ unnamed, notices_unread: true })[0]).toContain('could not be read');
});
