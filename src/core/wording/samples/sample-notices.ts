/** Sample content of changes of notices; all of it is invented. */
import type { Kind, Severity, Status } from '../../transition/kind.ts';
import { createNoticeDetails, createUpdateDetails, createWorkDetails } from './sample-parts.ts';
import type { ContentOf } from '../../transition/transition.ts';
import { toTimestamp, type NoticeDetails, type UpdateDetails } from '../../transition/details.ts';
import { HOUR, MINUTE, SECOND } from '../../text/duration.ts';

type Sample<K extends Kind> = ContentOf<K> & { subject: string; status: Status; severity: Severity };
export type Samples<K extends Kind> = { [P in K]: (now: number) => Sample<P> };

export const SUBJECT = 'Inbound calls failing on Sydney SIP trunks (test)';
export const NOTICE_PAGE = 'https://status.example.com/notices/4711';

type NoticeValues = Partial<NoticeDetails['notice']>;

function createIncident(state: string, now: number, updates: UpdateDetails[], own: NoticeValues = {}): NoticeDetails {
  const components = [
    { id: '11', name: 'SIP Trunks Sydney' },
    { id: '12', name: 'Hosted PBX Sydney' },
  ];
  return createNoticeDetails(
    now,
    { id: '4711', subject: SUBJECT, url: NOTICE_PAGE, state, ...own },
    { components, updates },
  );
}

function createWork(now: number, own: NoticeValues = {}): NoticeDetails {
  return createWorkDetails(
    now,
    {
      id: '4800',
      subject: 'Core router replacement in Melbourne (test)',
      url: 'https://status.example.com/notices/4800',
      ...own,
    },
    { components: [{ id: '21', name: 'SIP Trunks Melbourne' }] },
  );
}

function createWindow(now: number, from: number, to: number) {
  return { begins_at: toTimestamp(now + from), ends_at: toTimestamp(now + to) };
}

const INVESTIGATING = 'We are aware that some inbound calls to Sydney numbers fail. Our engineers are investigating.';
const FOUND = 'A faulty line card has been found. Traffic is being moved to a second path.';
const MOVED = 'Traffic has been moved. Calls are connecting; we keep watching.';
const FIXED = 'The line card has been replaced and all calls connect. We are sorry for the disruption.';

const notice = { subject: 'notice/4711', status: 'update', severity: 'critical' } as const;
const work = { subject: 'notice/4800', status: 'update', severity: 'info' } as const;

export const noticeSamples: Samples<Extract<Kind, `notice.${string}` | `maintenance.${string}`>> = {
  'notice.opened': (now) => ({
    ...notice,
    status: 'open',
    from: null,
    to: 'investigating',
    details: createIncident('investigating', now, [
      createUpdateDetails('investigating', INVESTIGATING, now - 2 * MINUTE),
    ]),
  }),
  'notice.state': (now) => ({
    ...notice,
    from: 'identified',
    to: 'recovering',
    details: createIncident('recovering', now, [createUpdateDetails('recovering', MOVED, now - 2 * MINUTE)]),
  }),
  'notice.update': (now) => ({
    ...notice,
    from: 'identified',
    to: 'identified',
    details: createIncident('identified', now, [createUpdateDetails('identified', FOUND, now - 2 * MINUTE)]),
  }),
  'notice.reopened': (now) => ({
    ...notice,
    status: 'open',
    from: 'resolved',
    to: 'investigating',
    details: createIncident('investigating', now, [
      createUpdateDetails('investigating', 'Calls are failing again. We are looking into it.', now - 2 * MINUTE),
    ]),
  }),
  'notice.closed': (now) => ({
    ...notice,
    status: 'resolved',
    from: 'recovering',
    to: 'resolved',
    details: createIncident('resolved', now, [createUpdateDetails('resolved', FIXED, now - MINUTE)], {
      timeline_state: 'past_recent',
      ended_at: toTimestamp(now - MINUTE),
    }),
  }),
  'notice.withdrawn': (now) => ({
    ...notice,
    status: 'resolved',
    from: 'investigating',
    to: null,
    details: createIncident('investigating', now, []),
  }),
  'notice.unlisted': (now) => ({
    ...notice,
    status: 'resolved',
    from: 'recovering',
    to: null,
    details: { ...createIncident('recovering', now, []), verdict: 'over', milliseconds: 15 * MINUTE },
  }),
  'notice.replaced': (now) => ({
    ...notice,
    from: '4700',
    to: '4711',
    details: createIncident('identified', now, [createUpdateDetails('identified', FOUND, now - 2 * MINUTE)]),
  }),
  'notice.rescheduled': (now) => ({
    ...work,
    from: createWindow(now, 24 * HOUR, 26 * HOUR),
    to: createWindow(now, 48 * HOUR, 50 * HOUR),
    details: { ...createWork(now, createWindow(now, 48 * HOUR, 50 * HOUR)), revision: 1 },
  }),
  'notice.impact': (now) => ({
    ...notice,
    from: ['11'],
    to: ['11', '12'],
    details: createIncident('identified', now, []),
  }),
  'notice.subject': (now) => ({
    ...notice,
    from: 'Problems with inbound calls',
    to: SUBJECT,
    details: createIncident('identified', now, []),
  }),
  'notice.type': (now) => ({
    ...notice,
    from: 'planned',
    to: 'unplanned',
    details: createIncident('investigating', now, []),
  }),
  'notice.edited': (now) => ({
    ...notice,
    status: 'info',
    from: 'Some calls fail.',
    to: 'Some inbound calls to Sydney numbers fail.',
    details: createIncident('identified', now, []),
  }),
  'maintenance.reminder': (now) => ({
    ...work,
    status: 'info',
    from: null,
    to: (24 * HOUR) / SECOND,
    details: { ...createWork(now), milliseconds: 24 * HOUR },
  }),
  'maintenance.late': (now) => ({
    ...work,
    from: null,
    to: (20 * MINUTE) / SECOND,
    details: { ...createWork(now, createWindow(now, -20 * MINUTE, 100 * MINUTE)), milliseconds: 20 * MINUTE },
  }),
  'maintenance.overrun': (now) => ({
    ...work,
    severity: 'warning',
    from: null,
    to: (20 * MINUTE) / SECOND,
    details: {
      ...createWork(now, {
        state: 'underway',
        timeline_state: 'present',
        ...createWindow(now, -140 * MINUTE, -20 * MINUTE),
        began_at: toTimestamp(now - 140 * MINUTE),
      }),
      milliseconds: 20 * MINUTE,
    },
  }),
};
