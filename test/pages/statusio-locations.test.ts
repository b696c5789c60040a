/** Status.io lists the components and the locations of a notice apart: which of them a notice affects. */
import { expect, it } from 'vitest';
import { vendorWatch } from './vendor-watch.ts';

const AT = '2026-03-02T09:00:00.000Z';
const VOICE = { _id: 'voice', name: 'Voice' };
const WEB = { _id: 'web', name: 'Web' };
const MELBOURNE = { _id: 'mel', name: 'Melbourne' };
const SYDNEY = { _id: 'syd', name: 'Sydney' };
const PERTH = { _id: 'per', name: 'Perth' };

function row({ _id: id, name }: { _id: string; name: string }, places: { _id: string; name: string }[]): object {
  const containers = places.map(({ _id: place, name: called }) => ({ id: place, name: called, status_code: 100 }));
  return { id, name, status_code: 100, containers };
}

async function affected(components: unknown, containers: unknown): Promise<string[]> {
  const incident = {
    _id: 'i1',
    name: 'Calls fail',
    datetime_open: AT,
    messages: [{ details: 'We look.', state: 100, status: 400, datetime: AT }],
    components_affected: components,
    containers_affected: containers,
  };
  const result = {
    status_overall: { status: 'x', status_code: 400, updated: AT },
    status: [row(VOICE, [MELBOURNE, SYDNEY]), row(WEB, [MELBOURNE, PERTH])],
    incidents: [incident],
    maintenance: { active: [], upcoming: [] },
  };
  const page = await vendorWatch('statusio', () => ({ json: { result } }), {
    base: 'https://api.status.io/1.0/status/533c6539221ae15e3f000031',
  });
  await page.look();
  return page.watch.state.snapshot.notices?.flatMap(({ components }) => components ?? []).map(({ name }) => name) ?? [];
}

it.each<[string, unknown, unknown, string[]]>([
  ['its component at its location', [VOICE], [MELBOURNE], ['Voice, Melbourne']],
  ['its component at both locations', [VOICE], [MELBOURNE, SYDNEY], ['Voice, Melbourne', 'Voice, Sydney']],
  ['several components at one location', [VOICE, WEB], [MELBOURNE], ['Voice, Melbourne', 'Web, Melbourne']],
  ['a location without a component', [], [SYDNEY], ['Voice, Sydney']],
  ['components whose locations are not certain, as a whole', [VOICE, WEB], [MELBOURNE, PERTH], ['Voice', 'Web']],
  ['a component at a location that it does not have, as a whole', [VOICE], [PERTH], ['Voice']],
  ['a component without locations, as a whole', [VOICE], null, ['Voice']],
  ['nothing that is named', null, [], []],
])('a notice affects %s', async (_, components, containers, names) => {
  expect(await affected(components, containers)).toEqual(names);
});
