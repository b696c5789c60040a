/** Rare events of a provider's notices, whose messages must be as plain as all others. */
import { toTimestamp } from '../../src/core/transition/details.ts';
import { describeOwnEvent } from '../../src/core/wording/own-events.ts';
import { change, HOUR, message, MINUTE, notice, NOW, OPENED, update, work, WORK_ALERT } from './messages.ts';
import type { Story } from './stories.ts';

function told(story: Story['message']): Story {
  return { message: story, now: NOW };
}

const NEWS = {
  id: '600500',
  type: 'general',
  state: null,
  subject: 'New numbers for our support desk',
  url: 'https://status.example.test/notices/600500',
  began_at: null,
} as const;

function underway(began: number): ReturnType<typeof work> {
  return work({
    state: 'underway',
    timeline_state: 'present',
    begins_at: toTimestamp(NOW - 2 * HOUR),
    ends_at: toTimestamp(NOW + HOUR),
    began_at: toTimestamp(began),
  });
}

export const RARE_STORIES: Readonly<Record<string, () => Story>> = {
  'notice-reopened': () =>
    told(
      message([
        change(
          'notice.reopened',
          'notice/600301',
          {
            from: 'resolved',
            to: 'identified',
            details: notice(
              { state: 'identified' },
              { updates: [update('identified', 'Calls to Sydney fail again. We are back at work.', 2)] },
            ),
          },
          'open',
        ),
      ]),
    ),
  'notice-back-to-investigating': () =>
    told(
      message([
        change(
          'notice.state',
          'notice/600301',
          {
            from: 'recovering',
            to: 'investigating',
            details: notice({}, { updates: [update('investigating', 'The repair did not hold.', 1)] }),
          },
          'update',
        ),
      ]),
    ),
  'notice-false-alarm': () =>
    told(
      message(
        [
          change(
            'notice.closed',
            'notice/600301',
            {
              from: 'investigating',
              to: 'false_alarm',
              details: notice(
                { state: 'false_alarm', timeline_state: 'past_recent', ended_at: toTimestamp(NOW) },
                { updates: [update('false_alarm', 'A probe of ours was at fault, not the service.', 0)] },
              ),
            },
            'resolved',
          ),
        ],
        { resolvedAt: NOW },
      ),
    ),
  'notice-edited': () =>
    told(
      message([
        change(
          'notice.edited',
          'notice/600301',
          {
            from: OPENED,
            to: 'Inbound calls to Sydney and Newcastle numbers fail with a busy tone. Our engineers are looking into it.',
            details: notice(),
          },
          'info',
        ),
      ]),
    ),
  'notice-type': () =>
    told(
      message([
        change(
          'notice.type',
          'notice/600301',
          { from: 'planned', to: 'unplanned', details: notice({ state: 'investigating' }) },
          'update',
        ),
      ]),
    ),
  'notice-unknown-state': () =>
    told(
      message(
        [
          change(
            'notice.opened',
            'notice/600301',
            {
              from: null,
              to: 'under_observation',
              details: notice(
                { state: 'under_observation' },
                { updates: [update('under_observation', 'We watch the trunks in Sydney closely.', 1)] },
              ),
            },
            'open',
          ),
        ],
        { severity: 'warning' },
        { first: true },
      ),
    ),
  'general-opened': () =>
    told(
      message(
        [
          change(
            'notice.opened',
            'notice/600500',
            {
              from: null,
              to: null,
              details: notice(NEWS, {
                components: [],
                updates: [update(null, 'From Monday you reach us under 1300 555 019.', 1)],
              }),
            },
            'open',
          ),
        ],
        { severity: 'info', number: 20, title: NEWS.subject, startedAt: NOW },
        { first: true },
      ),
    ),
  'maintenance-reminder': () =>
    told(
      message(
        [
          change(
            'maintenance.reminder',
            'notice/600400',
            {
              from: null,
              to: 3600,
              details: {
                ...work({ begins_at: toTimestamp(NOW + HOUR), ends_at: toTimestamp(NOW + 3 * HOUR) }),
                milliseconds: HOUR,
              },
            },
            'info',
          ),
        ],
        WORK_ALERT,
      ),
    ),
  'maintenance-late': () =>
    told(
      message(
        [
          change(
            'maintenance.late',
            'notice/600400',
            {
              from: null,
              to: 15 * 60,
              details: {
                ...work({ begins_at: toTimestamp(NOW - 15 * MINUTE), ends_at: toTimestamp(NOW + 2 * HOUR) }),
                milliseconds: 15 * MINUTE,
              },
            },
            'update',
          ),
        ],
        WORK_ALERT,
      ),
    ),
  'maintenance-back-to-scheduled': () =>
    told(
      message(
        [
          change(
            'notice.state',
            'notice/600400',
            {
              from: 'underway',
              to: 'scheduled',
              details: { ...underway(NOW - HOUR), notice: { ...underway(NOW - HOUR).notice, state: 'scheduled' } },
            },
            'update',
          ),
        ],
        { ...WORK_ALERT, startedAt: NOW - HOUR },
      ),
    ),
  'alert-acknowledged': () =>
    told(
      message([
        change(
          'alert.acknowledged',
          'alert/12',
          {
            from: null,
            to: 'alex',
            details: {
              number: 12,
              title: 'Inbound calls failing in Sydney',
              comment: 'On the phone with the carrier, 5 min.',
            },
          },
          'update',
        ),
      ]),
    ),
  'receiver-proof-asked': () =>
    told(
      message(
        [
          change(
            'linewatch.state',
            'linewatch',
            {
              from: null,
              to: describeOwnEvent({ code: 'proof asked', receiver: 'ops-mail' }).what,
              details: {
                reason: describeOwnEvent({ code: 'proof asked', receiver: 'ops-mail' }).reason,
                proof: { receiver: 'ops-mail', url: 'https://lw.example.test/seen/k3y' },
              },
            },
            'info',
          ),
        ],
        { number: null, source: 'linewatch', title: 'Linewatch', severity: 'info' },
      ),
    ),
  'receiver-unproved': () =>
    told(
      message(
        [
          change(
            'receiver.unproved',
            'receiver/ops-mail',
            {
              from: null,
              to: toTimestamp(NOW - 24 * HOUR),
              details: { receiver: 'ops-mail', seen: toTimestamp(NOW - 8 * 24 * HOUR) },
            },
            'open',
          ),
        ],
        {
          source: 'linewatch',
          title: 'Nobody has shown that messages to ops-mail are read',
          severity: 'warning',
          startedAt: NOW - 24 * HOUR,
        },
      ),
    ),
  'maintenance-complete-early': () =>
    told(
      message(
        [
          change(
            'notice.closed',
            'notice/600400',
            {
              from: 'underway',
              to: 'complete',
              details: work({
                ...underway(NOW - 2 * HOUR).notice,
                state: 'complete',
                timeline_state: 'past_recent',
                ended_at: toTimestamp(NOW),
              }),
            },
            'resolved',
          ),
        ],
        { ...WORK_ALERT, startedAt: NOW - 2 * HOUR, resolvedAt: NOW },
      ),
    ),
};
