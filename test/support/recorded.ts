/** A page at moments of its life, for `replay`: written by hand, in the provider's shapes. */
import { listAnswers, type RecordedStep, type ShownPage } from '../../src/daemon/replay/recorded-source.ts';
import { replayHistory, type ReplayedMessage } from '../../src/daemon/setup/virtual-replay.ts';
import type { Route } from '../../src/core/alert/route.ts';
import { everyone } from './running-daemon.ts';

const ALWAYS = '2020-01-01T00:00:00.000Z';

export interface Moment {
  at: string;
  /** An incident in this state, by subject. */
  incidents?: Record<string, string>;
  /** Names of components that are degraded. */
  degraded?: string[];
}

const COMPONENTS = ['SIP Trunks', 'SMS', 'Portal'];

export function moments(...all: Moment[]): RecordedStep[] {
  const subjects = [...new Set(all.flatMap(({ incidents = {} }) => Object.keys(incidents)))];
  let before: ShownPage | null = null;
  return all.map(({ at, incidents = {}, degraded = [] }) => {
    const components = COMPONENTS.map((name, index) => ({
      id: index + 1,
      name,
      state: degraded.includes(name) ? 'degraded' : 'operational',
      description: '',
      parent_id: null,
      created_at: ALWAYS,
      updated_at: at,
    }));
    const notices = Object.entries(incidents).map(([subject, state]) => ({
      id: 100 + subjects.indexOf(subject),
      type: 'unplanned',
      timeline_state: state === 'resolved' ? 'past_recent' : 'present',
      state,
      subject,
      url: 'https://status.example.com/notices/1',
      began_at: all.find((moment) => moment.incidents?.[subject] !== undefined)?.at ?? at,
      ended_at: state === 'resolved' ? at : null,
      created_at: at,
      updated_at: at,
    }));
    const updates = ({ subject, state }: { subject: string; state: string }): object => {
      const since = all.find((moment) => moment.incidents?.[subject] === state)?.at ?? at;
      return { state, content: `It is ${state}.`, created_at: since, updated_at: since };
    };
    const page = {
      page: {
        name: 'Example',
        state: degraded.length > 0 ? 'degraded' : 'operational',
        url: 'https://status.example.com',
        updated_at: at,
      },
      components,
      notices: notices.map((notice) => ({ ...notice, latest_update: updates(notice) })),
      details: new Map(
        notices.map((notice) => [
          String(notice.id),
          { ...notice, components: [components[0]], updates: [updates(notice)] },
        ]),
      ),
    };
    const answers = listAnswers(page, before);
    before = page;
    return { at: Date.parse(at), account: null, answers };
  });
}

/** Plays the moments through the daemon and returns the messages for people: `HH:MM #1 kind, kind`. */
export async function heard(steps: readonly RecordedStep[], route: Partial<Route> = {}): Promise<string[]> {
  const { messages } = await replayHistory({
    steps,
    recordedFrom: 'https://status.example.com',
    page: {
      name: 'provider',
      baseUrl: 'https://status.example.com',
      intervalMs: 30_000,
      intervalDuringIncidentMs: 10_000,
      unreachableAfterMs: 180_000,
      maintenance: { reminders: [], graceMs: Infinity },
      components: { include: [], exclude: [] },
      labels: {},
    },
    receivers: [{ name: 'ops', audience: 'people' }],
    route: { ...everyone(['ops']), ...route },
    overrides: [],
  });
  return messages.map(line);
}

function line({ at, message }: ReplayedMessage): string {
  const number = message.alert.number === null ? '' : ` #${message.alert.number}`;
  const kinds = message.changes.map(({ transition }) => transition.kind).join(', ');
  const reminder = message.reminder === 0 ? '' : ` (reminder ${message.reminder})`;
  return `${new Date(at).toISOString().slice(11, 16)}${number} ${kinds}${reminder}`;
}
