/** What holds for every type of page, with what it can show: one suite, and random histories with faults. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadPageType, type VendorTypeName } from '../../src/pages/types.ts';
import { createStatusWorld, type StatusWorld } from '../../src/simulator/status/world.ts';
import { isEnd } from '../../src/simulator/status/state.ts';
import { VENDORS } from '../../src/simulator/vendors/vendors.ts';
import { runs } from '../support/runs.ts';
import { MINUTE, NOON, standIn, vendorWatch, type PaperAnswer, type VendorWatch } from './vendor-watch.ts';

const TYPES = Object.keys(VENDORS) as VendorTypeName[];
const COMPONENTS = [
  { id: 11, name: 'Voice' },
  { id: 12, name: 'SMS' },
  { id: 13, name: 'Fax' },
];

/** A vendor on paper, whose people publish what happens. */
class Vendor {
  readonly world: StatusWorld;
  /** Of incidents, by their subject, that were there while somebody could read it. */
  readonly shown = new Set<string>();
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

  see(): void {
    if (this.fault === null) for (const each of this.stillOpen()) this.shown.add(each.subject);
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

/** Subjects of the notices that were told to be over, and of those told at all. */
function toldOf({ watch }: VendorWatch): { over: string[]; all: Set<string> } {
  const over: string[] = [];
  const all = new Set<string>();
  for (const { subject, closedAt } of watch.state.snapshot.notices ?? []) {
    all.add(subject);
    if (closedAt !== null) over.push(subject);
  }
  return { over, all };
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
    expect(toldOf(page).over).toEqual([]);
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

  it('says no all-clear that is none and loses no notice, whatever happens', async () => {
    const deed = fc.oneof(
      fc.record({ deed: fc.constant('open' as const), which: fc.nat(2) }),
      fc.record({
        deed: fc.constantFrom(
          'identified' as const,
          'recovering' as const,
          'investigating' as const,
          'resolved' as const,
        ),
        which: fc.nat(4),
      }),
      fc.record({
        deed: fc.constant('fault' as const),
        which: fc.nat(3),
      }),
      fc.record({ deed: fc.constant('nothing' as const), which: fc.nat(3) }),
    );
    const faults: PaperAnswer[] = [
      { status: 0 },
      { status: 500 },
      { status: 404 },
      { body: '<html>', type: 'text/html' },
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 30 }), async (deeds) => {
        const { vendor, page } = await watched(type);
        let opened = 0;
        for (const { deed: what, which } of deeds) {
          vendor.fault = null;
          if (what === 'open') {
            // As many as the shortest history holds.
            if (opened < 20) vendor.open(which);
            opened += 1;
          } else if (what === 'fault') vendor.fault = faults[which] ?? null;
          else if (what !== 'nothing') vendor.move(which, what);
          await page.look();
          vendor.see();
          const { over, all } = toldOf(page);
          const open = new Set(vendor.stillOpen().map(({ subject }) => subject));
          expect(over.filter((subject) => open.has(subject))).toEqual([]);
          expect([...vendor.shown].filter((subject) => !all.has(subject))).toEqual([]);
        }
        vendor.fault = null;
        while (vendor.stillOpen().length > 0) vendor.move(0, 'resolved');
        for (let minute = 0; minute < 20; minute += 1) await page.look();
        expect(page.watch.state.alerts.filter(({ status }) => status === 'open')).toEqual([]);
      }),
      runs(300),
    );
  });
});
