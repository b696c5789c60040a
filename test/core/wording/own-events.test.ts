/** Events of Linewatch itself as people read them. */
import { describe, expect, it } from 'vitest';
import { describeOwnEvent, type OwnEvent } from '../../../src/core/wording/own-events.ts';

describe('an event of Linewatch itself', () => {
  it.each<[OwnEvent, string, string]>([
    [
      { code: 'history replaced', why: 'It is damaged.', setAside: 'history.db.1' },
      'its history was begun anew',
      'It is damaged. It was put aside as history.db.1; everything else goes on.',
    ],
    [
      { code: 'history replaced', why: 'It was taken away.', setAside: null },
      'its history was begun anew',
      'It was taken away. Everything else goes on.',
    ],
    [
      { code: 'loop failed', loop: 'the watch over hq', error: 'TypeError' },
      'the watch over hq met an unforeseen error (TypeError)',
      'It is tried again with growing rests; everything else goes on. The log says more.',
    ],
    [
      { code: 'loop recovered', loop: 'the watch over hq', error: null },
      'the watch over hq works again',
      'It had met an unforeseen error (not an error).',
    ],
    [
      { code: 'state unsaved', why: null },
      'its state cannot be saved',
      'The disk refused. Alerts go out from memory and may repeat after a restart.',
    ],
  ])('%j', (event, what, reason) => {
    expect(describeOwnEvent(event)).toEqual({ what, reason });
  });

  it('lists at most ten alerts of dropped messages', () => {
    const alerts = Array.from({ length: 12 }, (_, index) => ({ number: index + 1, title: 'Lost' }));
    const { what, reason } = describeOwnEvent({
      code: 'messages dropped',
      count: 13,
      receivers: [
        { receiver: 'ops', count: 12 },
        { receiver: 'desk', count: 1 },
      ],
      alerts,
    });
    expect(what).toBe('13 messages were given up');
    expect(reason.split('\n')).toHaveLength(12);
    expect(reason.split('\n')[0]).toBe('They waited too long or were too many: 12 for ops, 1 for desk.');
    expect(reason).not.toContain('#11 ');
  });
});
