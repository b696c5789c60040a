/** What is told of components: `*` marks what people get a message of. */
import { describe, expect, test } from 'vitest';
import {
  MINUTE,
  MISSED,
  MORNING,
  component,
  desk,
  listing,
  notice,
  page,
  watchingDesk,
  work,
} from '../../support/builders.ts';

const ill = component('1', { state: 'degraded' });
const well = component('1');
const other = component('2');

describe('a component that no notice explains', () => {
  test('opens an alert of its own, and its recovery ends it', () => {
    const desk = watchingDesk();
    expect(desk.look({ components: [ill, other] })).toEqual([
      '* component.state component/1 operational → degraded (open warning)',
    ]);
    expect(desk.look({ components: [well, other] })).toEqual([
      '* component.state component/1 degraded → operational (resolved warning)',
    ]);
  });

  test('falls together with others in one message', () => {
    const desk = watchingDesk();
    const lines = desk.look({ components: [ill, component('2', { state: 'degraded' })] });
    expect(lines).toEqual([
      '* component.state component/1 operational → degraded (open warning)',
      '* component.state component/2 operational → degraded (update warning)',
    ]);
    expect(desk.promised.filter(({ to }) => to.some(({ receiver }) => receiver === 'people'))).toHaveLength(1);
    expect(desk.state.alerts[0]?.title).toBe('Component 1 and Component 2 degraded');
  });

  test('under maintenance is information; a state nobody documented is trouble and told once as unknown', () => {
    expect(watchingDesk().look({ components: [component('1', { state: 'under_maintenance' }), other] })).toEqual([
      '* component.state component/1 operational → under_maintenance (open info)',
    ]);
    const desk = watchingDesk();
    expect(desk.look({ components: [component('1', { state: 'partially_degraded' }), other] })).toEqual([
      '* component.state component/1 operational → partially_degraded (open warning)',
      '* source.schema source null → component state "partially_degraded" is not in the specification (info info)',
    ]);
  });
});

describe('a component that a notice lists', () => {
  test('flips as part of the alert of the notice, without a message of its own', () => {
    const desk = watchingDesk();
    expect(desk.look({ notices: [notice('7')], components: [ill, other] })).toEqual([
      '* notice.opened notice/7 null → investigating (open critical)',
      'component.state component/1 operational → degraded (update critical)',
    ]);
    expect(desk.look({ notices: [notice('7', { state: 'recovering' })], components: [well, other] })).toEqual([
      '* notice.state notice/7 investigating → recovering (update critical)',
      'component.state component/1 degraded → operational (update critical)',
    ]);
  });

  test('seen before its notice, the alert becomes the notice’s', () => {
    const desk = watchingDesk();
    desk.look({ components: [ill, other] });
    expect(desk.look({ notices: [notice('7')] })).toEqual([
      '* notice.opened notice/7 null → investigating (open critical)',
    ]);
    expect(desk.state.alerts).toHaveLength(1);
  });

  test('what the notice does not list goes on as an alert of its own', () => {
    const desk = watchingDesk();
    desk.look({ components: [ill, component('2', { state: 'degraded' })] });
    desk.look({ notices: [notice('7')] });
    const end = notice('7', { state: 'resolved', timeline: 'past_recent', endedAt: MORNING });
    expect(desk.look({ notices: [end], components: [well, component('2', { state: 'degraded' })] })).toEqual([
      '* notice.closed notice/7 investigating → resolved (resolved critical)',
      'component.state component/1 degraded → operational (update warning)',
    ]);
    expect(desk.state.alerts.filter(({ status }) => status === 'open').map(({ subjects }) => subjects)).toEqual([
      ['component/2'],
    ]);
  });

  test('still degraded after its end goes on as an alert of its own, once', () => {
    const desk = watchingDesk();
    desk.look({ notices: [notice('7')], components: [ill, other] });
    const end = notice('7', { state: 'resolved', timeline: 'past_recent', endedAt: MORNING });
    expect(desk.look({ notices: [end] })).toEqual([
      '* notice.closed notice/7 investigating → resolved (resolved critical)',
      '* component.remains component/1 null → degraded (open warning)',
    ]);
    expect(desk.look({})).toEqual([]);
    expect(desk.look({ components: [well, other] })).toEqual([
      '* component.state component/1 degraded → operational (resolved warning)',
    ]);
  });

  test('is missed at the end also when the notice listed it no longer', () => {
    const desk = watchingDesk();
    desk.look({ notices: [notice('7')], components: [ill, other] });
    desk.look({ notices: [notice('7', { hits: ['2'] })] });
    const end = notice('7', { hits: ['2'], state: 'resolved', timeline: 'past_recent', endedAt: MORNING });
    expect(desk.look({ notices: [end] })).toContain('* component.remains component/1 null → degraded (open warning)');
  });

  test('degraded belongs to the incident, under maintenance to the work', () => {
    const desk = watchingDesk();
    const underway = work('9', { state: 'underway', timeline: 'present', beganAt: MORNING });
    desk.look({ notices: [underway], components: [component('1', { state: 'under_maintenance' }), other] });
    const lines = desk.look({ notices: [underway, notice('7')], components: [ill, other] });
    expect(lines).toEqual([
      '* notice.opened notice/7 null → investigating (open critical)',
      'component.state component/1 under_maintenance → degraded (update critical)',
    ]);
  });

  test('news without a state explains nothing', () => {
    const desk = watchingDesk();
    desk.look({ notices: [notice('5', { type: 'general', state: null, beganAt: null })] });
    expect(desk.look({ components: [ill, other] })).toEqual([
      '* component.state component/1 operational → degraded (open warning)',
    ]);
  });
});

test('news without a state does not take over trouble either: its end would be an all-clear for it', () => {
  const desk = watchingDesk();
  desk.look({ components: [ill, other] });
  const news = notice('5', { type: 'general', state: null, beganAt: null });
  desk.look({ notices: [news], components: [ill, other] });
  desk.look({
    notices: [notice('5', { type: 'general', state: 'resolved', beganAt: null, timeline: 'past_recent' })],
    components: [ill, other],
  });
  expect(desk.look({ components: [well, other] })).toEqual([
    '* component.state component/1 degraded → operational (resolved warning)',
  ]);
});

describe('what programs alone are told', () => {
  test.each([
    ['added', [well, other, component('3')], 'component.added component/3 null → Component 3 (info info)'],
    ['removed', [well], 'component.removed component/2 Component 2 → null (info info)'],
    [
      'renamed',
      [component('1', { name: 'Calls' }), other],
      'component.renamed component/1 Component 1 → Calls (info info)',
    ],
    ['moved', [component('1', { parentId: '2' }), other], 'component.moved component/1 null → 2 (info info)'],
  ])('%s', (_, components, line) => {
    expect(watchingDesk().look({ components })).toEqual([line]);
  });
});

describe('an incomplete listing', () => {
  test('what it holds counts, what it lacks is neither gone nor well', () => {
    const desk = watchingDesk();
    desk.look({ components: [ill, component('2', { state: 'degraded' })] });
    expect(desk.look({ components: listing([well], { missing: MISSED }) })).toEqual([
      'component.state component/1 degraded → operational (update warning)',
    ]);
    expect(desk.look({ components: MISSED })).toEqual([]);
    expect(desk.state.snapshot.components?.find(({ id }) => id === '2')?.state).toBe('degraded');
  });

  test('a defect that lasts three sweeps is told once, and once only when it comes and goes', () => {
    const desk = watchingDesk();
    const odd = listing([well, other], { defects: [{ key: 'off', text: 'one too few' }] });
    expect([desk.look({ components: odd }), desk.look({})]).toEqual([[], []]);
    expect(desk.look({})).toEqual(['* source.schema source null → one too few (info info)']);
    desk.look({ components: [well, other] });
    const again = [desk.look({ components: odd }), desk.look({}), desk.look({}), desk.look({})];
    expect(again.flat()).toEqual([]);
  });
});

describe('a row that is there and cannot be used', () => {
  const junk = { defects: [{ key: 'unusable:1', text: 'one unusable row' }] };
  const told = '* source.schema source null → one unusable row (info info)';

  test('says nothing of its component, whose alert stays open, also once it is a habit', () => {
    const desk = watchingDesk();
    desk.look({ components: [ill, other] });
    const odd = { ...listing([other], junk), unusable: ['1'] };
    const looks = [odd, odd, odd, odd, odd].map((components) => desk.look({ components }));
    expect(looks).toEqual([[], [], [told], [], []]);
    expect(desk.state.snapshot.components?.map(({ id, state }) => `${id} ${state}`)).toEqual([
      '1 degraded',
      '2 operational',
    ]);
    expect(desk.look({ components: [well, other] })).toEqual([
      '* component.state component/1 degraded → operational (resolved warning)',
    ]);
  });

  test('holds up nobody else: once it is a habit, what stands in no row is gone', () => {
    const third = component('3');
    const desk = watchingDesk({ components: [well, other, third] });
    const odd = { ...listing([other, third], junk), unusable: ['1'] };
    for (let look = 0; look < 3; look += 1) desk.look({ components: odd });
    expect(desk.look({ components: { ...odd, ...listing([third], junk) } })).toEqual([
      'component.removed component/2 Component 2 → null (info info)',
    ]);
    // At last its own row is gone as well.
    expect(desk.look({ components: listing([third], junk) })).toEqual([
      'component.removed component/1 Component 1 → null (info info)',
    ]);
  });

  test('makes no older document of its listing', () => {
    const newest = component('1', { updatedAt: MORNING + 9 });
    const desk = watchingDesk({ components: [newest, component('2', { updatedAt: MORNING })] });
    const odd = { ...listing([component('2', { updatedAt: MORNING })], junk), unusable: ['1'] };
    for (let look = 0; look < 4; look += 1) desk.look({ components: odd });
    expect(desk.state.snapshot.heldBack).toEqual({});
  });
});

describe('an older document', () => {
  const at = (minutes: number, state: string): ReturnType<typeof component> =>
    component('1', { state, updatedAt: MORNING + minutes * MINUTE });

  test('is ignored, and believed at the third sweep', () => {
    const desk = watchingDesk({ components: [at(10, 'degraded'), other] });
    expect([desk.look({ components: [at(5, 'operational'), other] }), desk.look({})]).toEqual([[], []]);
    expect(desk.look({})).toEqual(['* component.state component/1 degraded → operational (resolved warning)']);
  });

  test('that says the same does not open the door for the next one', () => {
    const desk = watchingDesk({ components: [at(30, 'operational'), other] });
    expect(desk.look({ components: [at(10, 'operational'), other] })).toEqual([]);
    expect(desk.look({ components: [at(20, 'degraded'), other] })).toEqual([]);
  });

  test('a stale listing neither takes away what has come nor brings back what has gone', () => {
    const fresh = component('3', { state: 'degraded', updatedAt: MORNING + 9 });
    const desk = watchingDesk({ components: [component('1', { updatedAt: MORNING }), fresh] });
    const stale = [component('1', { updatedAt: MORNING }), component('2', { updatedAt: MORNING })];
    expect([desk.look({ components: stale }), desk.look({})]).toEqual([[], []]);
    expect(desk.look({ components: [component('1', { updatedAt: MORNING }), fresh] })).toEqual([]);
  });
});

test('left out while its alert is open, a component ends that alert all the same, and opens no other', () => {
  const settings = { components: { include: [] as string[], exclude: [] as string[] } };
  const desk = watchingDesk({ components: [component('1'), component('2')] }, settings);
  const ill = [component('1', { state: 'degraded' }), component('2')];
  expect(desk.look({ components: ill })).toEqual([
    '* component.state component/1 operational → degraded (open warning)',
  ]);
  settings.components.exclude.push('1');
  expect(desk.look({})).toEqual([]);
  expect(desk.look({ components: [component('1'), component('2')] })).toEqual([
    '* component.state component/1 degraded → operational (resolved warning)',
  ]);
  expect(desk.look({ components: ill })).toEqual([]);
  // What a change of the configuration brings in again is silent.
  settings.components.exclude.pop();
  expect(desk.look({})).toEqual([]);
});

describe('what is left out of the watch', () => {
  const out = { components: { include: [], exclude: ['Component 1'] } };
  const sick = page({ state: 'degraded' });

  test('is no trouble at the first look, and the page that it alone makes ill is none either', () => {
    const watch = desk(out);
    expect(watch.look({ page: sick, components: [ill, other] })).toEqual([
      '* source.baseline source null → watching 1 component, 0 notices; nothing open (info info)',
    ]);
    expect(watch.look({ page: page(), components: [well, other] })).toEqual([]);
    expect(watch.look({ page: sick, components: [ill, other] })).toEqual([]);
    expect(watch.look({ components: [ill, component('2', { state: 'degraded' })] })).toEqual([
      '* component.state component/2 operational → degraded (open warning)',
    ]);
  });

  test('hides nothing else: another component, or a page that is ill without any', () => {
    const both = desk(out).look({ page: sick, components: [ill, component('2', { state: 'degraded' })] });
    expect(both).toEqual([
      '* source.baseline source null → watching 1 component, 0 notices; open now: Component 2 degraded (info info)',
    ]);
    const watch = watchingDesk({ components: [well, other] }, out);
    expect(watch.look({ page: sick })).toEqual(['* page.state page operational → degraded (open warning)']);
    expect(watch.look({ page: page() })).toEqual(['* page.state page degraded → operational (resolved warning)']);
  });
});

test('under maintenance at the first look is information, as it is later', () => {
  const watch = desk();
  watch.look({ components: [component('1', { state: 'under_maintenance' }), other] });
  expect(watch.state.alerts.map(({ severity }) => severity)).toEqual(['info']);
  const ends = desk();
  ends.look({ components: [component('1', { state: 'under_maintenance' }), component('2', { state: 'degraded' })] });
  expect(ends.state.alerts.map(({ severity }) => severity)).toEqual(['warning']);
});

test('what a reminder repeats of trouble that was there at the first look', () => {
  const watch = desk();
  watch.look({ components: [ill, other] });
  expect(watch.state.alerts[0]?.lastChange).toMatchObject({
    status: 'open',
    transition: { kind: 'component.state', subject: 'component/1', from: 'degraded', to: 'degraded' },
  });
  const whole = desk();
  whole.look({ page: page({ state: 'degraded' }), components: [well, other] });
  expect(whole.state.alerts[0]?.lastChange?.transition).toMatchObject({ kind: 'page.state', to: 'degraded' });
});

test('recovered while another notice that lists it is open, it is told with that one', () => {
  const watch = watchingDesk();
  watch.look({ notices: [notice('7'), notice('9')], components: [ill, other] });
  watch.look({ notices: [notice('7', { state: 'resolved', timeline: 'past_recent' }), notice('9')] });
  watch.look({ components: [well, other] });
  const of = watch.state.alerts.find(({ notice: followed }) => followed === '9');
  expect(watch.entered.map(({ transition, alert }) => [transition.kind, alert?.id])).toEqual([
    ['component.state', of?.id],
  ]);
});
