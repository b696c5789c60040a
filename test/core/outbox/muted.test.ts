/** What silences keep from one receiver: never what comes before something that may go, and nothing of another alert. */
import { expect, test } from 'vitest';
import type { AlertView } from '../../../src/core/alert/alert.ts';
import type { Message } from '../../../src/core/outbox/message.ts';
import { withoutMuted } from '../../../src/core/outbox/muted.ts';
import { selectNextSending } from '../../../src/core/outbox/queue.ts';
import { updateThreadSubjects, withSubject } from '../../../src/core/outbox/thread-subject.ts';
import { change, message, notice, NOW, queueRules } from '../../support/messages.ts';

function word(id: string, alert: Partial<AlertView> = {}, rest: Partial<Message> = {}): Message {
  const said = change('notice.update', `notice/${id}`, { from: 'a', to: 'a', details: notice() }, 'update', NOW);
  return message([said], { id: 'alert 1', number: 1, ...alert }, { id, promisedAt: NOW, dueAt: NOW, ...rest });
}

const isWarning = (_message: Message, latest: () => Message): boolean => latest().alert.severity === 'warning';
const ids = (messages: readonly Message[]): string[] => messages.map(({ id }) => id);

test('an alert is judged as it stands now: what it was before goes along, and stays where it is calmer by now', () => {
  const [mild, worse] = [word('mild', { severity: 'warning' }), word('worse', { severity: 'critical' })];
  expect(ids(withoutMuted([mild], isWarning).open)).toEqual([]);
  expect(ids(withoutMuted([mild, worse], isWarning).open)).toEqual(['mild', 'worse']);
  expect(ids(withoutMuted([worse, mild], isWarning).open)).toEqual([]);
});

test('a message that may go takes all earlier ones of its alert along, and none of another alert and none after it', () => {
  const all = [word('1'), word('2', { id: 'alert 2', number: 2 }), word('3'), word('4')];
  const { open, isMuted } = withoutMuted(all, ({ id }) => id !== '3');
  expect(ids(open)).toEqual(['1', '3']);
  expect(all.map((each) => isMuted(each))).toEqual([true, true, false, true]);
});

test('each source’s part of an alert stands for itself, and the order is that of the whole alert', () => {
  const [page, account] = [word('page', { severity: 'warning' }), word('account', { source: 'acme' })];
  expect(ids(withoutMuted([account, page], isWarning).open)).toEqual(['account']);
  expect(ids(withoutMuted([page, account], isWarning).open)).toEqual(['page', 'account']);
});

test('what is about no alert is muted by itself', () => {
  const none: Partial<AlertView> = { id: 'phones of the day', number: null };
  const all = [word('acme', { ...none, source: 'acme' }), word('zenith', { ...none, source: 'zenith' })];
  const isAcme = ({ alert }: Message): boolean => alert.source === 'acme';
  expect(ids(withoutMuted(all, isAcme).open)).toEqual(['zenith']);
});

test.each(['people', 'programs'] as const)('%s get it in order, and nothing that is muted blocks it', (audience) => {
  const all = [word('1', { severity: 'warning' }), word('2'), word('3', { id: 'alert 2', number: 2 })];
  const rules = queueRules({
    audience,
    batch: 100,
    isHeld: (one, latest) => isWarning(one, latest) || one.id === '3',
    wasHeld: ({ id }) => id === '1',
  });
  expect(selectNextSending(all, rules)?.settles).toEqual(['1', '2']);
});

test('what was in flight when the process ended goes again as it was, although a silence mutes a part of it by now', () => {
  const all = [word('1'), word('2')];
  const both = selectNextSending(all, queueRules({ isBacklog: () => true }));
  const bundles = [{ id: both?.messages[0]?.id ?? '', of: both?.settles ?? [] }];
  const isHeld = ({ id }: Message): boolean => id === '2';
  expect(selectNextSending(all, queueRules({ bundles, isHeld }))).toEqual(both);
  expect(selectNextSending(all, queueRules({ isHeld }))?.settles).toEqual(['1']);
  expect(selectNextSending(all, queueRules({ bundles, isHeld: () => true }))).toBeNull();
});

test('a source of which much is muted is no flood', () => {
  const loud = Array.from({ length: 21 }, (_, index) => word(`loud ${index}`, { id: `alert ${index}`, number: index }));
  const calm = word('calm', { id: 'calm', number: 99, source: 'acme' });
  const isHeld = ({ id }: Message): boolean => id !== 'loud 0' && id !== 'calm';
  expect(selectNextSending([...loud, calm], queueRules({ isHeld }))?.settles).toEqual(['loud 0']);
  expect(selectNextSending([...loud, calm], queueRules())?.settles).toEqual(['calm']);
});

test('alerts that are muted still are in no summary of those that passed in another silence', () => {
  const over = (number: number): Message =>
    word(`${number}`, { id: `alert ${number}`, number, resolvedAt: NOW }, { first: true });
  const rules = queueRules({ wasHeld: () => true, isHeld: ({ id }) => id === '2' });
  expect(selectNextSending([over(1), over(2), over(3)], rules)?.settles).toEqual(['1', '3']);
});

test('a thread has the title of its first message as that goes out, and keeps it', () => {
  const first = word('1', { title: 'Extension 101 offline' }, { first: true, subject: 'Extension 101 offline' });
  const grown = word('2', { title: '14 phones offline' }, { subject: 'Extension 101 offline' });
  const [sent] = selectNextSending([first, grown], queueRules({ isBacklog: () => true }))?.messages ?? [];
  if (sent === undefined) throw new Error('both go');
  const opening = withSubject(sent);
  expect(opening.subject).toBe('14 phones offline');
  const known = updateThreadSubjects([], [opening], [first, grown]);
  expect(known).toEqual([{ alert: 'alert 1', subject: '14 phones offline' }]);
  expect(withSubject(word('3', {}, { subject: 'Extension 101 offline' }), known).subject).toBe('14 phones offline');
  expect(withSubject(grown).subject).toBe('Extension 101 offline');
  expect(updateThreadSubjects([], [withSubject(first)], [first])).toEqual([]);
});
