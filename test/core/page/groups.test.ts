/** A group shown as a row in the state of its worst component counts once, whatever is counted. */
import { describe, expect, it } from 'vitest';
import { describePageStanding } from '../../../src/core/view/standing/page-standing.ts';
import { dropDuplicates } from '../../../src/core/page/groups.ts';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { vendorWatch } from '../../pages/vendor-watch.ts';

const row = (id: string, state: string, parentId: string | null = null) => ({ id, state, parentId });
const group = (...given: Parameters<typeof row>) => ({ ...row(...given), group: true as const });
const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

describe('of a group and its components', () => {
  it('the worst stands for the group, and the group is left out', () => {
    const rows = [group('sms', 'degraded'), row('uk', 'degraded', 'sms'), row('us', 'operational', 'sms')];
    expect(ids(dropDuplicates(rows))).toEqual(['uk', 'us']);
  });

  it('a group that is worse than everything in it counts, for it says more than they do', () => {
    const rows = [group('sms', 'degraded'), row('uk', 'operational', 'sms'), row('us', 'operational', 'sms')];
    expect(ids(dropDuplicates(rows))).toEqual(['sms', 'uk', 'us']);
  });

  it('a group whose components are not among the rows counts', () => {
    expect(ids(dropDuplicates([group('sms', 'degraded'), row('fax', 'degraded', 'gone')]))).toEqual(['sms', 'fax']);
  });

  it('a group without a state of its own is none of them', () => {
    const section = { ...group('europe', 'operational'), unknown: true as const };
    expect(ids(dropDuplicates([section, row('uk', 'degraded', 'europe')]))).toEqual(['uk']);
  });

  it('a component that others belong to and that is no group counts: it has a state of its own', () => {
    expect(ids(dropDuplicates([row('sip', 'degraded'), row('uk', 'degraded', 'sip')]))).toEqual(['sip', 'uk']);
  });

  it('groups within groups count once, too, and a loop of parents hides nothing', () => {
    const deep = [group('a', 'degraded'), group('b', 'degraded', 'a'), row('c', 'degraded', 'b')];
    expect(ids(dropDuplicates(deep))).toEqual(['c']);
    const loop = [group('a', 'degraded', 'b'), group('b', 'degraded', 'a'), group('own', 'degraded', 'own')];
    expect(ids(dropDuplicates(loop))).toEqual(['a', 'b', 'own']);
  });
});

const GROUP = 'kctbh9vrtdwd';

/** In the shape of `summary.json` of a Statuspage with groups: the row of a group has the state of its worst child. */
function summary(states: Readonly<Record<string, string>>, group: string) {
  const shared = {
    created_at: '2026-03-02T10:00:00Z',
    updated_at: '2026-03-02T10:00:00Z',
    only_show_if_degraded: false,
  };
  const children = Object.entries(states).map(([name, status], position) => ({
    ...shared,
    id: `c${position}`,
    name,
    status,
    position,
    group_id: GROUP,
    group: false,
  }));
  return {
    page: { id: 'p', name: 'Carrier', url: 'https://status.example.com', time_zone: 'Etc/UTC', updated_at: null },
    status: { indicator: 'none', description: 'All Systems Operational' },
    components: [
      {
        ...shared,
        id: GROUP,
        name: 'SMS',
        status: group,
        position: 1,
        group_id: null,
        group: true,
        components: children.map(({ id }) => id),
      },
      ...children,
    ],
    incidents: [],
    scheduled_maintenances: [],
  };
}

it('a Statuspage with a group: its sums, its alert and its message count the component and not the group', async () => {
  let json = summary({ UK: 'operational', US: 'operational' }, 'operational');
  const page = await vendorWatch('statuspage', () => ({ json }));
  await page.look();
  expect(describePageStanding(page.watch.state).source).toMatchObject({
    components: { total: 2, notOperational: [] },
    facts: ['2 components', '0 open notices'],
  });
  const [first] = page.watch.transitions;
  expect(first).toMatchObject({ kind: 'source.baseline', details: { components: 2 } });
  json = summary({ UK: 'partial_outage', US: 'operational' }, 'partial_outage');
  await page.look();
  const { source, alerts } = describePageStanding(page.watch.state);
  expect(source).toMatchObject({
    troubled: [{ name: 'UK' }],
    components: { total: 2, notOperational: [{ name: 'UK' }], all: [{ name: 'UK' }, { name: 'US' }, { name: 'SMS' }] },
  });
  expect(alerts).toMatchObject([{ alert: { title: 'UK degraded' }, shown: { affected: ['UK'] } }]);
  const said = page.watch.people.at(-1);
  const told =
    said === undefined
      ? null
      : composeContent(said, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: page.now() });
  expect(told?.headline).toBe('Degraded: the status page as a whole and UK');
});
