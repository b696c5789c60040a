/** A row that is there and cannot be read says nothing: neither how it is, nor that it is gone. For every type of page. */
import { describe, expect, it } from 'vitest';
import type { VendorTypeName } from '../../src/pages/types.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { NOON, standIn, vendorWatch, type PaperAnswer } from './vendor-watch.ts';

/** What the types call the state of a row. */
const STATE_KEYS = ['status', 'Status', 'status_code', 'current_status'];
const NAME_KEYS = ['name', 'public_name', 'title', 'Subject', 'subject', 'Title'];

/** The document with no state in the rows that are called so. */
function withoutState(value: unknown, called: string): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutState(each, called));
  if (typeof value !== 'object' || value === null) return value;
  const row = value as Record<string, unknown>;
  const isMeant = NAME_KEYS.some((key) => row[key] === called);
  const kept = Object.entries(row).filter(([key]) => !isMeant || !STATE_KEYS.includes(key));
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutState(each, called)]));
}

async function watched(type: VendorTypeName) {
  let now = (): number => NOON;
  const world = createStatusWorld({
    clock: { now: () => now() },
    name: 'Carrier',
    components: [
      { id: 11, name: 'Voice' },
      { id: 12, name: 'SMS' },
      { id: 13, name: 'Fax' },
    ],
  });
  const shown = { unread: '' };
  const { answer, base } = standIn(type, world);
  const page = await vendorWatch(
    type,
    (path): PaperAnswer | undefined => {
      const given = answer(path);
      if (given === undefined || shown.unread === '' || !('json' in given)) return given;
      return { ...given, json: withoutState(given.json, shown.unread) };
    },
    { base },
  );
  ({ now } = page);
  async function looks(count: number): Promise<string[]> {
    for (let look = 0; look < count; look += 1) await page.look();
    return page.news();
  }
  await looks(1);
  return { world, page, shown, looks };
}

describe.each(['statuspage', 'instatus', 'statusio', 'betterstack'] as const)('a component of %s', (type) => {
  it('is neither gone nor well while its row cannot be read, and gone when it has none', async () => {
    const { world, page, shown, looks } = await watched(type);
    world.setComponentState(12, 'degraded');
    expect(await looks(1)).toContain('component.state component/12 degraded');
    shown.unread = 'SMS';
    expect((await looks(6)).filter((each) => each.startsWith('component.'))).toEqual([]);
    expect(page.watch.state.alerts.map(({ status }) => status)).toContain('open');
    shown.unread = '';
    world.removeComponent(12);
    expect(await looks(6)).toContain('component.removed component/12 null');
  });
});

describe.each(['statuspage', 'instatus', 'slack', 'statuscast'] as const)('a notice of %s', (type) => {
  it('has not left the lists while its row cannot be read', async () => {
    const { world, page, shown, looks } = await watched(type);
    for (const subject of ['No audio', 'No calls']) {
      world.openNotice({ subject, content: 'We look into it.', components: [11] });
    }
    await looks(1);
    shown.unread = 'No audio';
    const told = await looks(30);
    expect(told.filter((each) => each.startsWith('notice.'))).toEqual([]);
    const known = page.watch.state.snapshot.notices?.find(({ subject }) => subject === 'No audio');
    expect(known).toMatchObject({ closedAt: null });
    expect(known).not.toHaveProperty('unlisted');
  });
});
