/** What is told of the page itself and of how well the source can be read: `*` marks what people get a message of. */
import { describe, expect, test } from 'vitest';
import { MINUTE, MISSED, MORNING, component, desk, notice, page, watchingDesk } from '../../support/builders.ts';

describe('the page', () => {
  test('that was in trouble at the beginning recovers with the notice that explained it', () => {
    const open = notice('7');
    const watch = watchingDesk({ notices: [open], page: page({ state: 'degraded' }) });
    const ended = notice('7', { state: 'resolved', timeline: 'past_recent', updatedAt: MORNING + MINUTE });
    expect(watch.look({ notices: [ended], page: page({ updatedAt: MORNING + MINUTE }) })).toEqual([
      '* notice.closed notice/7 investigating → resolved (resolved critical)',
      'page.state page degraded → operational (update critical)',
    ]);
  });

  test('degraded without a notice opens an alert, operational ends it', () => {
    const watch = watchingDesk();
    expect(watch.look({ page: page({ state: 'degraded' }) })).toEqual([
      '* page.state page operational → degraded (open warning)',
    ]);
    expect(watch.look({ page: page() })).toEqual(['* page.state page degraded → operational (resolved warning)']);
  });

  test('flips with a notice as part of its alert; operational again is no all-clear', () => {
    const watch = watchingDesk();
    watch.look({ notices: [notice('7')], page: page({ state: 'degraded' }) });
    expect(watch.look({ notices: [notice('7', { state: 'recovering' })], page: page() })).toEqual([
      '* notice.state notice/7 investigating → recovering (update critical)',
      'page.state page degraded → operational (update critical)',
    ]);
    expect(watch.state.alerts[0]?.status).toBe('open');
  });

  test('recovers as part of what remained of a notice that was open when the watch began', () => {
    const watch = desk();
    const ill = [component('1', { state: 'degraded' })];
    watch.look({ notices: [notice('7')], page: page({ state: 'degraded' }), components: ill });
    const end = notice('7', { state: 'resolved', timeline: 'past_recent', endedAt: MORNING });
    expect(watch.look({ notices: [end], page: page({ state: 'degraded' }), components: ill })).toEqual([
      '* notice.closed notice/7 investigating → resolved (resolved critical)',
      '* component.remains component/1 null → degraded (open warning)',
    ]);
    expect(watch.look({ notices: [end], page: page(), components: [component('1')] })).toEqual([
      '* page.state page degraded → operational (update warning)',
      '* component.state component/1 degraded → operational (resolved warning)',
    ]);
  });

  test('still degraded a minute after its notice ended, with every component well, is an alert of its own', () => {
    const watch = watchingDesk();
    const ill = page({ state: 'degraded' });
    watch.look({ notices: [notice('7')], page: ill });
    const end = notice('7', { state: 'resolved', timeline: 'past_recent', endedAt: MORNING });
    // The page may come from another cache than its notices, and a moment later.
    expect(watch.look({ notices: [end], page: ill })).toEqual([
      '* notice.closed notice/7 investigating → resolved (resolved critical)',
    ]);
    const later = [...watch.look({ page: ill }), ...watch.look({ page: ill })];
    expect(later).toEqual(['* page.remains page null → degraded (open warning)']);
    expect(watch.state.alerts.at(-1)?.title).toBe('Provider degraded after “Incident 7” ended');
    expect(watch.look({ page: ill })).toEqual([]);
    expect(watch.look({ page: page() })).toEqual(['* page.state page degraded → operational (resolved warning)']);
  });

  test('that follows the end of its notice within a minute is an all-clear without a word of its own', () => {
    const watch = watchingDesk();
    watch.look({ notices: [notice('7')], page: page({ state: 'degraded' }) });
    const end = notice('7', { state: 'resolved', timeline: 'past_recent', endedAt: MORNING });
    watch.look({ notices: [end], page: page({ state: 'degraded' }) });
    expect(watch.look({ page: page() })).toEqual(['page.state page degraded → operational (update critical)']);
  });

  test('in trouble with its components is told of them, and of itself when they are well and it is not', () => {
    const watch = watchingDesk();
    const ill = page({ state: 'degraded' });
    const degraded = [component('1', { state: 'degraded' })];
    watch.look({ notices: [notice('7')], page: ill, components: degraded });
    const end = notice('7', { state: 'resolved', timeline: 'past_recent', endedAt: MORNING });
    watch.look({ notices: [end], page: ill, components: degraded });
    for (let sweep = 0; sweep < 5; sweep += 1) watch.look({ page: ill, components: degraded });
    expect(watch.look({ page: ill, components: [component('1')] })).toEqual([
      '* page.remains page null → degraded (open warning)',
      '* component.state component/1 degraded → operational (resolved warning)',
    ]);
  });

  test('renamed is for programs', () => {
    expect(watchingDesk().look({ page: page({ name: 'Another' }) })).toEqual([
      'page.renamed page Provider → Another (info info)',
    ]);
  });

  test('noise: its address, its count of notices, its updated_at', () => {
    const watch = watchingDesk();
    expect(watch.look({ page: page({ url: null, noticeCount: 3, updatedAt: null }) })).toEqual([]);
    expect(watch.changed).toBe(false);
  });
});

describe('the source', () => {
  test('begins with a baseline, once', () => {
    const watch = desk();
    expect(watch.look({ notices: [notice('7')], components: [component('1', { state: 'degraded' })] })).toEqual([
      '* source.baseline source null → watching 1 component, 1 notice; open now: Incident 7 (info info)',
    ]);
    expect(watch.look({})).toEqual([]);
  });

  test('what is down before its notice could be read is one alert in the summary', () => {
    const watch = desk();
    expect(watch.look({ notices: MISSED, components: [component('1', { state: 'degraded' })] })).toEqual([]);
    expect(watch.look({ notices: [notice('7')] })).toHaveLength(1);
    expect(watch.state.alerts.map(({ status, notice: followed }) => [status, followed])).toEqual([['open', '7']]);
  });

  test('what is down is told once the notices are known not to be readable, and what they say in a second summary', () => {
    const watch = desk();
    const down = [component('1', { state: 'degraded' })];
    expect([watch.look({ notices: MISSED, components: down }), watch.look({}), watch.look({})]).toEqual([[], [], []]);
    expect(watch.look({})).toEqual([
      '* source.unreachable source null → notices: no answer (open warning)',
      '* source.baseline source null → watching 1 component, notices not read yet; open now: Component 1 degraded (info info)',
    ]);
    expect(watch.look({ notices: [notice('9', { components: [] })] })).toEqual([
      '* source.recovered source notices: no answer → null (resolved warning)',
      '* source.baseline source null → watching 1 component, 1 notice; open now: Incident 9 (info info)',
    ]);
  });

  test('unreachable after the threshold, recovered when nothing is lacking; twice is two alerts', () => {
    const watch = watchingDesk();
    const blind = { page: MISSED, components: MISSED, notices: MISSED } as const;
    expect([watch.look(blind), watch.look({}), watch.look({})]).toEqual([[], [], []]);
    expect(watch.look({})).toEqual(['* source.unreachable source null → no answer (open warning)']);
    expect(watch.look({})).toEqual([]);
    expect(watch.look({ page: page(), notices: [] })).toEqual([]);
    expect(watch.look({ components: [component('1'), component('2')] })).toEqual([
      '* source.recovered source components: no answer → null (resolved warning)',
    ]);
    for (let sweep = 0; sweep < 4; sweep += 1) watch.look(blind);
    expect(watch.state.alerts.filter(({ family }) => family === 'source').map(({ status }) => status)).toEqual([
      'resolved',
      'open',
    ]);
  });

  test('short misses that do not follow each other are silent', () => {
    const watch = watchingDesk();
    const lines = Array.from({ length: 20 }, (_, sweep) =>
      watch.look({ page: sweep % 2 === 0 ? MISSED : page() }, 2 * MINUTE),
    );
    expect(lines.flat()).toEqual([]);
  });
});
