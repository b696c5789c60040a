/** A list of registrations that stands still, or that is cut at its tail, is no evidence of a loss; a dead site is. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LASTS_MS, LIST_KINDS } from '../nights/kinds-lists.ts';
import { night, type Night } from '../nights/night.ts';
import { play, type Change, type Read, type Told as AllTold } from '../nights/play.ts';
import { MINUTE } from '../nights/town.ts';
import { runs } from '../support/runs.ts';

type Told = Pick<AllTold, 'read' | 'heard'>;

const seed = fc.readConfigureGlobal()?.seed ?? 1;

async function nightsOf(kind: keyof typeof LIST_KINDS): Promise<{ night: Night; at: number; told: Told }[]> {
  const played = [];
  for (let index = 0; index < runs(20).numRuns; index += 1) {
    const scene = { at: 0 };
    const one = night(kind, seed * 100 + index, (each) => {
      scene.at = each.at;
      LIST_KINDS[kind](each);
    });
    const { read, heard } = await play(one);
    // The last answer is repeated after the night.
    const isOfNight = (each: { at: number }): boolean => each.at <= one.end;
    played.push({ night: one, at: scene.at, told: { read: read.filter(isOfNight), heard: heard.filter(isOfNight) } });
  }
  return played;
}

function changesOf({ read }: Told): (Change & { said: Read })[] {
  return read.flatMap((said) => said.changes.map((change) => ({ ...change, said })));
}

const isOfPhones = ({ kind }: Change): boolean => /^(registration|outage)\./.test(kind);

describe('a list that stands still', () => {
  test('is told as a list that cannot be read, once, after the threshold, and its end when it moves', async () => {
    for (const { at, told } of await nightsOf('a list that stands still')) {
      const changes = changesOf(told).filter(({ kind }) => kind !== 'source.baseline');
      expect(changes.map(({ kind }) => kind)).toEqual(['source.unreachable', 'source.recovered']);
      const [unreachable, recovered] = changes;
      expect(unreachable?.said.text).toContain('stands still');
      expect((unreachable?.said.at ?? 0) - at).toBeLessThanOrEqual(9 * MINUTE);
      expect((recovered?.said.at ?? 0) - at).toBeGreaterThanOrEqual(LASTS_MS);
    }
  }, 600_000);

  test('hides a loss no longer than that: people know that nothing is known', async () => {
    for (const { at, told } of await nightsOf('a list that stands still while everything dies')) {
      const changes = changesOf(told);
      const unreachable = changes.find(({ kind }) => kind === 'source.unreachable');
      expect((unreachable?.said.at ?? Infinity) - at).toBeLessThanOrEqual(9 * MINUTE);
      const ofPhones = changes.filter(isOfPhones);
      expect(ofPhones.filter(({ kind }) => kind === 'registration.restored')).toEqual([]);
      const first = ofPhones[0]?.said.at ?? 0;
      expect(first - at).toBeGreaterThanOrEqual(LASTS_MS);
      expect(first - at - LASTS_MS).toBeLessThanOrEqual(9 * MINUTE);
    }
  }, 600_000);
});

describe('a list that ends amid a site', () => {
  test('accuses nothing and is told as one that may be cut', async () => {
    for (const { told } of await nightsOf('a list that is cut amid a site')) {
      const changes = changesOf(told);
      expect(changes.filter(isOfPhones)).toEqual([]);
      const unreachable = changes.find(({ kind }) => kind === 'source.unreachable');
      expect(unreachable?.said.text).toContain('the list may be cut');
    }
  }, 600_000);
});

describe('a site with the highest numbers', () => {
  test.each(['the site with the highest numbers dies', 'most of the site with the highest numbers dies'] as const)(
    'is named as ever: %s',
    async (kind) => {
      for (const { night: one, told } of await nightsOf(kind)) {
        const changes = changesOf(told);
        expect(changes.filter((change) => change.kind === 'source.unreachable')).toEqual([]);
        const named = changes.flatMap(({ details: { domain } }) => (domain?.kind === 'site' ? [domain.name] : []));
        expect(named).toContain(one.causes[0]?.name);
      }
    },
    600_000,
  );
});
