/** How a customer's account and its alerts stand. */
import type { AccountState } from '../engine/account.ts';
import type { AccountSnapshot } from '../account/snapshot.ts';
import { refuses } from '../observation/health.ts';
import { asUsual } from '../wording/phones.ts';
import { plural } from '../text/plain.ts';
import type { SourceView } from './overview.ts';
import { countPhones } from './account-report.ts';
import type { Standing } from './standing.ts';

export function accountStanding({ snapshot, alerts }: AccountState): Standing {
  const { phones, toggles, refused } = snapshot;
  const wrong = [...lostPhones(snapshot), ...wrongToggles(snapshot)];
  return {
    source: {
      type: 'account',
      title: null,
      state: refuses(refused, 'registrations') ? 'Credentials refused' : registered(snapshot),
      isWell: refused === null && wrong.length === 0,
      url: null,
      facts: [
        ...(phones === null ? [] : [plural(phones.length, 'phone')]),
        ...(toggles === null ? [] : [plural(toggles.length, 'toggle')]),
      ],
      troubled: wrong,
    },
    alerts: alerts.map((alert) => ({
      alert,
      shown: {
        state: alert.status === 'open' ? offline(alert.subjects) : null,
        affected: alert.subjects.flatMap((subject) => calledIn(snapshot, subject)),
        words: null,
        url: null,
      },
      planned: null,
    })),
  };
}

/** How many it costs here; a title may name the first of several losses only. */
function offline(subjects: readonly string[]): string | null {
  const count = subjects.filter((subject) => subject.startsWith('registration/')).length;
  return count === 0 ? null : `${plural(count, 'phone')} offline`;
}

/** What is known and no more: calls are not tested. */
function registered({ phones }: AccountSnapshot): string | null {
  if (phones === null) return null;
  const count = countPhones(phones);
  return `${count.registered} of ${plural(count.total, 'phone')} registered${asUsual(count)}`;
}

function lostPhones(snapshot: AccountSnapshot): SourceView['troubled'] {
  return (snapshot.phones ?? [])
    .filter(({ lost }) => lost !== null)
    .map(({ extension }) => ({ name: phoneName(snapshot, extension), state: 'Offline' }));
}

function wrongToggles({ expectations, toggles }: AccountSnapshot): SourceView['troubled'] {
  return expectations.flatMap(({ toggle, told }) => {
    if (told === null) return [];
    const name = toggles?.find(({ id }) => id === toggle)?.name ?? toggle;
    return [{ name, state: told === 'missing' ? 'Missing' : 'Off schedule' }];
  });
}

function calledIn(snapshot: AccountSnapshot, subject: string): string[] {
  const [what, id] = [subject.slice(0, subject.indexOf('/')), subject.slice(subject.indexOf('/') + 1)];
  if (what === 'registration') return [phoneName(snapshot, id)];
  const toggle = what === 'toggle' ? snapshot.toggles?.find((each) => each.id === id) : undefined;
  return toggle === undefined ? [] : [toggle.name];
}

function phoneName({ extensions }: AccountSnapshot, extension: string): string {
  const name = extensions?.find(({ number }) => number === extension)?.name ?? '';
  return name === '' || name === extension ? extension : `${extension} (${name})`;
}
