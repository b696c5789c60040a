/** A silence is asked for an alert as it stands: what an alert becomes beyond it goes to everybody at once, in order. */
import { expect, test } from 'vitest';
import type { Hours } from '../../src/core/text/hours.ts';
import type { Silence } from '../../src/core/alert/silence.ts';
import { composeContent } from '../../src/core/wording/message-content.ts';
import { renderMail } from '../../src/receivers/email/render.ts';
import { renderPagerDuty } from '../../src/receivers/pagerduty/render.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { accountsOf, TOWN } from '../support/paper-accounts.ts';
import {
  HOUR,
  MINUTE,
  paperReceiver,
  type PaperDaemonOptions,
  type PaperReceiver,
  START,
  startPaperDaemon,
  virtualClock,
} from '../support/paper-daemon.ts';

const MUTED_FOR = 8 * HOUR;
const RICHMOND = extensionsAt('203.0.113.7');

function extensionsAt(...addresses: string[]): string[] {
  return TOWN.flatMap(({ address, extension }) => (addresses.includes(address) ? [extension] : []));
}

async function begin(route: PaperDaemonOptions['route'] = {}) {
  const clock = virtualClock(START);
  const world = createStatusWorld({
    clock,
    name: 'Example Telecom',
    components: [
      { id: 1, name: 'Trunks' },
      { id: 2, name: 'SMS' },
    ],
  });
  const lost = new Set<string>();
  const lose = (extensions: readonly string[]): void => {
    for (const extension of extensions) lost.add(extension);
  };
  const mail: PaperReceiver = { ...paperReceiver('mail', 'people') };
  const bus = paperReceiver('bus', 'programs');
  const pager: PaperReceiver = { ...paperReceiver('pager', 'people'), ringsUntilTheEnd: true };
  const running = await startPaperDaemon({
    source: world,
    receivers: [mail, bus, pager],
    clock,
    intervalMs: MINUTE,
    route,
    options: { accounts: accountsOf(() => lost, MINUTE) },
  });
  await running.pass(5 * MINUTE);
  for (const { taken } of [mail, bus, pager]) taken.length = 0;
  const silence = async (matchers: Silence['matchers'], id = 'quiet'): Promise<void> => {
    const from = clock.now();
    const asked = { id, matchers, from, until: from + MUTED_FOR, comment: '', createdAt: from, expiredAt: null };
    await running.daemon.own.happened({ kind: 'silence', silence: asked });
  };
  return { clock, world, lost, lose, mail, bus, pager, running, silence };
}

type Scene = Awaited<ReturnType<typeof begin>>;

const OPTIONS = { timezone: 'UTC', instance: 'test', externalUrl: null };
const POST = { organizer: 'linewatch@example.test', attendees: ['ops@example.test'] };

function subjects({ mail, clock }: Scene): string[] {
  return mail.taken.map(
    (message) => renderMail(message, composeContent(message, { ...OPTIONS, now: clock.now() }), POST).subject,
  );
}

function rung({ pager, clock }: Scene): string[] {
  return pager.taken.flatMap((message) => {
    const event = renderPagerDuty(message, composeContent(message, { ...OPTIONS, now: clock.now() }), 'key');
    return event === null ? [] : [event.event_action];
  });
}

const kinds = ({ taken }: PaperReceiver): string[] =>
  taken.flatMap(({ changes }) => changes.map(({ transition }) => transition.kind));

/** One phone of Richmond, and when that is known all of it. */
const ONE_PHONE = {
  begins: ({ lose }: Scene): void => lose(['101']),
  grows: ({ lose }: Scene): void => lose(RICHMOND),
};
/** Richmond, and when that is known the whole account. */
const ONE_SITE = {
  begins: ({ lose }: Scene): void => lose(RICHMOND),
  grows: ({ lose }: Scene): void => lose(extensionsAt('203.0.113.7', '203.0.113.8')),
};
/** The provider's notice about its trunks, and the phones it costs. */
const NOTICE = {
  begins: ({ world }: Scene): void => void world.openNotice({ subject: 'No calls', components: ['Trunks'] }),
  grows: ({ lose }: Scene): void => lose(extensionsAt('203.0.113.7', '203.0.113.8', '198.51.100.3')),
};
/** The provider's notice about its short messages, which it then widens. */
const WIDER = {
  begins: ({ world }: Scene): void => void world.openNotice({ subject: 'No SMS', components: ['SMS'] }),
  grows: ({ world }: Scene): void =>
    world.updateNotice(world.latestNotice() ?? 0, { content: 'Calls, too.', components: ['SMS', 'Trunks'] }),
};

const OUTGROWN: [string, Silence['matchers'], typeof ONE_PHONE][] = [
  ['extension', { extension: ['101'] }, ONE_PHONE],
  ['severity', { severity: ['warning'] }, ONE_PHONE],
  ['kind', { kind: ['registration.lost'] }, ONE_PHONE],
  ['site', { site: ['Richmond'] }, ONE_SITE],
  ['component', { component: ['SMS'] }, WIDER],
  ['source', { source: ['provider'] }, NOTICE],
  ['a label of one’s own', { region: ['north'], extension: ['101'] }, ONE_PHONE],
  ['several keys', { customer: ['acme'], extension: ['101', '102'] }, ONE_PHONE],
];

test.each(OUTGROWN)('an alert that outgrows its silence (%s) goes at once to all', async (_key, matchers, story) => {
  const scene = await begin();
  const { running, mail, bus, pager, clock } = scene;
  await scene.silence(matchers);
  story.begins(scene);
  await running.pass(20 * MINUTE);
  expect([mail, bus, pager].map(({ taken }) => taken.length)).toEqual([0, 0, 0]);
  const muted = running.daemon.deliveries[0]?.waiting().map(({ alert }) => alert.id);
  expect(new Set(muted).size).toBe(1);
  story.grows(scene);
  await running.pass(20 * MINUTE);
  expect(clock.now()).toBeLessThan(START + MUTED_FOR);
  for (const { taken } of [mail, bus, pager]) {
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.map(({ alert }) => alert.id)).toContain(muted?.[0]);
  }
  // Programs get every event, the muted one first; people one message, under the title it has by now.
  expect(bus.taken[0]).toMatchObject({ alert: { id: muted?.[0] }, first: true });
  const [first] = mail.taken;
  expect(first?.changes.length).toBeGreaterThan(1);
  expect(subjects(scene)[0]).toBe(`[Linewatch] ${first?.alert.title}`);
  expect(rung(scene)[0]).toBe('trigger');
  const ids = [mail, bus].map(({ taken }) => taken.flatMap((each) => each.changes.map((one) => one.transition.id)));
  for (const told of ids) expect(told).toEqual([...new Set(told)]);
});

test('what stays within its silence is told when that ends, once, under the title it has by then', async () => {
  const scene = await begin();
  const { running, mail, bus, pager, lose } = scene;
  await scene.silence({ site: ['Richmond'] });
  lose(['101']);
  await running.pass(20 * MINUTE);
  lose(RICHMOND);
  await running.pass(HOUR);
  expect([mail, bus, pager].map(({ taken }) => taken.length)).toEqual([0, 0, 0]);
  await running.pass(MUTED_FOR);
  expect(kinds(bus)).toEqual(['registration.lost', 'registration.mass']);
  expect(mail.taken.map(({ changes }) => changes.length)).toEqual([2]);
  expect(subjects(scene)).toEqual(['[Linewatch] 5 of 5 phones at Richmond offline']);
  expect(rung(scene)).toEqual(['trigger']);
});

test('the thread keeps the subject of its first mail, and programs stay in order to the end', async () => {
  const scene = await begin();
  const { running, bus, lose, lost } = scene;
  await scene.silence({ extension: ['101'] });
  lose(['101']);
  await running.pass(20 * MINUTE);
  lose(RICHMOND);
  await running.pass(20 * MINUTE);
  lost.clear();
  await running.pass(20 * MINUTE);
  const opening = '[Linewatch] 5 of 5 phones at Richmond offline';
  expect(subjects(scene)).toEqual([opening, `Re: ${opening}`]);
  expect(kinds(bus)).toEqual(['registration.lost', 'registration.mass', 'registration.restored']);
  expect(rung(scene)).toEqual(['trigger', 'resolve']);
  // What it remembers is the one subject that the outbox does not know.
  expect(running.daemon.deliveries.map(({ state }) => state.subjects?.length ?? 0)).toEqual([1, 0, 1]);
});

test('a mail that nothing held back keeps the subject it was enqueued with, and nothing is remembered of it', async () => {
  const scene = await begin();
  const { running, lose } = scene;
  lose(['101']);
  await running.pass(20 * MINUTE);
  lose(RICHMOND);
  await running.pass(20 * MINUTE);
  const opening = '[Linewatch] Extension 101 (Desk 101) offline';
  expect(subjects(scene)).toEqual([opening, `Re: ${opening}`]);
  expect(running.daemon.deliveries.map(({ state }) => state.subjects ?? [])).toEqual([[], [], []]);
});

/** From just after the summary of the start. */
const WORKDAY: Hours = {
  ranges: [{ days: [1, 2, 3, 4, 5, 6, 7], start: 9 * 60 + 4, endDay: 0, end: 20 * 60 }],
  except: [],
  timezone: 'UTC',
};
const ROUTES: [string, NonNullable<PaperDaemonOptions['route']>][] = [
  ['a long group wait', { groupWait: 2 * HOUR, urgentGroupWait: 0 }],
  ['quiet hours that let it through', { quietHours: { hours: WORKDAY, letThrough: 'critical' } }],
  ['reminders', { repeatInterval: 5 * MINUTE }],
];

test.each(ROUTES)('%s hold nothing back that outgrows its silence', async (_name, route) => {
  const scene = await begin(route);
  const { running, mail, bus, lose } = scene;
  await scene.silence({ extension: ['101'] });
  lose(['101']);
  await running.pass(30 * MINUTE);
  expect([mail, bus].map(({ taken }) => taken.length)).toEqual([0, 0]);
  lose(RICHMOND);
  // Two looks, five minutes, and what reminds of it comes later.
  await running.pass(7 * MINUTE);
  expect(mail.taken.filter(({ reminder }) => reminder === 0)).toMatchObject([
    { alert: { title: '5 of 5 phones at Richmond offline', severity: 'critical' }, reminder: 0 },
  ]);
  expect(subjects(scene)[0]).toBe('[Linewatch] 5 of 5 phones at Richmond offline');
  expect(bus.taken.filter(({ reminder }) => reminder === 0)).toHaveLength(2);
});

test('quiet hours hold it back for people like any other alert, and not for programs', async () => {
  const scene = await begin({ quietHours: { hours: WORKDAY, letThrough: null } });
  const { running, mail, bus, lose } = scene;
  await scene.silence({ extension: ['101'] });
  lose(['101']);
  await running.pass(30 * MINUTE);
  lose(RICHMOND);
  await running.pass(HOUR);
  expect([mail.taken.length, bus.taken.length]).toEqual([0, 2]);
  await running.pass(11 * HOUR);
  expect(mail.taken).toMatchObject([{ alert: { title: '5 of 5 phones at Richmond offline' }, replaces: 1 }]);
});
