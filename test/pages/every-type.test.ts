/** What holds for every type of page, with what it can show; random histories of them are in the laws. */
import { describe, expect, it } from 'vitest';
import { loadPageType, type VendorTypeName } from '../../src/pages/types.ts';
import { createStatusWorld, type StatusWorld } from '../support/status-world.ts';
import { isEnd } from '../../src/simulator/status/state.ts';
import { VENDORS } from '../../src/simulator/vendors/vendors.ts';
import { BASE, MINUTE, NOON, standIn, vendorWatch, type PaperAnswer, type VendorWatch } from './vendor-watch.ts';

const TYPES = Object.keys(VENDORS) as VendorTypeName[];
const COMPONENTS = [
  { id: 11, name: 'Voice' },
  { id: 12, name: 'SMS' },
  { id: 13, name: 'Fax' },
];

/** A vendor on paper, whose people publish what happens. */
class Vendor {
  readonly world: StatusWorld;
  /** What comes in place of an answer. */
  fault: PaperAnswer | null = null;

  constructor(now: () => number) {
    this.world = createStatusWorld({ clock: { now }, name: 'Carrier', components: COMPONENTS });
  }

  open(component: number): void {
    const hit = COMPONENTS[component % COMPONENTS.length];
    const subject = `Trouble number ${this.#notices().length}`;
    this.world.openNotice({ subject, content: 'We look into it.', components: hit === undefined ? [] : [hit.id] });
  }

  move(which: number, state: string): void {
    const open = this.stillOpen();
    const notice = open[which % Math.max(1, open.length)];
    if (notice !== undefined) this.world.updateNotice(notice.id, { state, content: `Now ${state}.` });
  }

  stillOpen(): { id: number; subject: string }[] {
    return this.#notices().filter(({ state }) => !isEnd(state));
  }

  #notices() {
    return this.world.documents().notices.toReversed();
  }
}

async function watched(type: VendorTypeName): Promise<{ vendor: Vendor; page: VendorWatch }> {
  let now = (): number => NOON;
  const vendor = new Vendor(() => now());
  const { answer, base } = standIn(type, vendor.world);
  const page = await vendorWatch(type, (path) => vendor.fault ?? answer(path), { base });
  ({ now } = page);
  await page.look();
  expect(page.watch.state.snapshot.notices).toEqual([]);
  page.news();
  page.messages();
  return { vendor, page };
}

/** Subjects of the notices that are taken for over. */
function overOf({ watch }: VendorWatch): string[] {
  return (watch.state.snapshot.notices ?? []).flatMap(({ subject, closedAt }) => (closedAt === null ? [] : [subject]));
}

describe.each(TYPES)('%s', (type) => {
  it('tells an incident as it opens, and its end as far as that is shown', async () => {
    const { limits } = await loadPageType(type);
    const { vendor, page } = await watched(type);
    vendor.open(0);
    await page.look();
    const [opened] = page.messages();
    expect(opened).toMatchObject({ status: 'open' });
    expect(opened?.kinds).toContain('notice.opened');
    vendor.move(0, 'recovering');
    await page.look();
    expect(page.watch.state.alerts.map(({ status }) => status)).toEqual(['open']);
    vendor.move(0, 'resolved');
    page.news();
    for (let minute = 0; minute < 14; minute += 1) await page.look();
    const ends = page.news().filter((each) => each.startsWith('notice.closed') || each.startsWith('notice.unlisted'));
    if (limits.ends === 'absence') expect(ends).toEqual([]);
    else expect(ends).toEqual([expect.stringMatching(/^notice.closed .* resolved$/)]);
    await page.look(2 * MINUTE);
    await page.look();
    expect(page.watch.state.alerts.map(({ status }) => status)).toEqual(['resolved']);
  });

  it('takes a web page, a refusal and what is cut off for nothing, and is told unreachable once', async () => {
    const { vendor, page } = await watched(type);
    vendor.open(1);
    await page.look();
    page.news();
    for (const fault of [
      { body: '<!doctype html><title>Status</title>', type: 'text/html' },
      { body: '{"page": {"id"', type: 'application/json' },
      { status: 503 },
      { status: 404 },
      { json: {} },
      { json: [{ unknown: true }] },
      { body: '<rss><channel><title>x', type: 'application/xml' },
    ]) {
      vendor.fault = fault;
      await page.look();
    }
    expect(page.news()).toEqual([expect.stringMatching(/^source.unreachable/)]);
    expect(overOf(page)).toEqual([]);
    vendor.fault = null;
    await page.look();
    expect(page.news()).toEqual(['source.recovered source null']);
  });

  it('asks one question a sweep where one document has all', async () => {
    const { page } = await watched(type);
    const [first] = page.asked;
    for (let minute = 0; minute < 8; minute += 1) {
      await page.look();
      expect(page.asked).toEqual(type === 'instatus' ? [first, '/v2/components.json'] : [first]);
    }
  });
});

it.each([
  ['a notice that was published between its two documents explains the component', true, 'notice.opened'],
  ['a component without a notice is an alert of its own', false, 'component.state'],
])('Instatus: %s', async (_, hasNotice, first) => {
  const isBad = { summary: false, components: false };
  const summary = () => ({
    page: { name: 'Carrier', url: BASE, status: isBad.summary ? 'HASISSUES' : 'UP' },
    ...(isBad.summary && {
      activeIncidents: [
        {
          id: 'i1',
          name: 'No calls',
          started: new Date(NOON).toISOString(),
          status: 'INVESTIGATING',
          impact: 'MAJOROUTAGE',
        },
      ],
    }),
  });
  const components = () => ({
    components: [{ id: 'c1', name: 'Voice', status: isBad.components ? 'MAJOROUTAGE' : 'OPERATIONAL', order: 1 }],
  });
  let published = (): void => undefined;
  const page = await vendorWatch('instatus', (path) => {
    if (path === '/summary.json') return { json: summary() };
    published();
    return { json: components() };
  });
  await page.look();
  await page.look();
  expect(page.asked).toEqual(['/summary.json', '/v2/components.json']);
  page.messages();
  published = () => {
    isBad.components = true;
    isBad.summary = hasNotice;
  };
  await page.look();
  expect(page.asked).toEqual(['/summary.json', '/v2/components.json', '/summary.json']);
  await page.look();
  expect(page.asked).toHaveLength(2);
  const told = page.messages();
  expect(told.map(({ kinds }) => kinds[0])).toEqual([first]);
});

describe('Instatus, where the second reading of its notices fails', () => {
  it.each([
    ['which does not answer', { status: 503 }],
    ['which answers with a web page', { body: '<!doctype html>', type: 'text/html' }],
  ])('%s: believes the components, and does not deny that there is a notice', async (_, fault: PaperAnswer) => {
    const news = { isBad: false, isUnread: false };
    const page = await vendorWatch('instatus', (path) => {
      if (path !== '/summary.json') {
        return {
          json: { components: [{ id: 'c1', name: 'Voice', status: news.isBad ? 'MAJOROUTAGE' : 'OPERATIONAL' }] },
        };
      }
      if (news.isUnread && page.asked.length > 1) return fault;
      const start = new Date(NOON + 600 * MINUTE).toISOString();
      const known = { id: 'm0', name: 'New fax server', start, status: 'NOTSTARTEDYET', duration: 60 };
      return { json: { page: { name: 'Carrier', url: BASE, status: 'UP' }, activeMaintenances: [known] } };
    });
    await page.look();
    page.news();
    Object.assign(news, { isBad: true, isUnread: true });
    await page.look();
    expect(page.asked).toEqual(['/summary.json', '/v2/components.json', '/summary.json']);
    expect(page.news()).toEqual(['component.state component/c1 degraded']);
    expect(page.watch.people.at(-1)?.changes[0]?.transition.details).toMatchObject({
      notice: null,
      notices_unread: true,
    });
    expect(overOf(page)).toEqual([]);
    const end = page.watch.steps.map(({ observation }) => observation).findLast(({ kind }) => kind === 'end');
    expect(end).toMatchObject({ parts: { notices: { kind: 'missed' }, page: null, components: null } });
    // The next look reads everything again.
    Object.assign(news, { isBad: false, isUnread: false });
    await page.look();
    await page.look();
    expect(page.news()).toEqual(['component.state component/c1 operational']);
    news.isBad = true;
    await page.look();
    const [known] = page.watch.people.at(-1)?.changes ?? [];
    expect(known?.transition.kind).toBe('component.state');
    expect(known?.transition.details).not.toHaveProperty('notices_unread');
  });
});

it.each([
  ['is an alert of its own while the only open notice recovers', 'MONITORING', ['component.state']],
  ['belongs to an open notice that does not recover', 'IDENTIFIED', []],
])('Instatus, whose notices name no components: what breaks %s', async (_, status, told) => {
  const shown = { notice: 'INVESTIGATING', fax: 'MAJOROUTAGE', voice: 'OPERATIONAL' };
  const page = await vendorWatch('instatus', (path) => {
    if (path !== '/summary.json') {
      const components = [
        { id: 'c1', name: 'Voice', status: shown.voice },
        { id: 'c2', name: 'Fax', status: shown.fax },
      ];
      return { json: { components } };
    }
    const started = new Date(NOON).toISOString();
    const notice = { id: 'i0', name: 'Slow fax', started, status: shown.notice, impact: 'MINOROUTAGE' };
    return { json: { page: { name: 'Carrier', url: BASE, status: 'HASISSUES' }, activeIncidents: [notice] } };
  });
  await page.look();
  shown.notice = status;
  await page.look();
  page.messages();
  shown.voice = 'MAJOROUTAGE';
  await page.look();
  expect(page.news().at(-1)).toBe('component.state component/c1 degraded');
  expect(page.messages().flatMap(({ kinds }) => kinds)).toEqual(told);
  const details = page.watch.people.flatMap(({ changes }) => changes).map(({ transition }) => transition.details);
  const unnamed = details.flatMap((known) => ('unnamed' in known ? [known.unnamed] : []));
  expect(unnamed).toEqual(told.map(() => ({ id: 'i0', subject: 'Slow fax' })));
  // What the notice explained before stays explained.
  const fax = page.watch.state.snapshot.components?.find(({ id }) => id === 'c2');
  expect(fax?.notice).toBe('i0');
});
