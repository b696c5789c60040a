/**
 * The end of one part of an alert is an update of it while another part is open. Programs, the history and `replay` say
 * the same of each transition.
 */
import { expect, test } from 'vitest';
import { createStatusWorld } from '../support/status-world.ts';
import { accountsOf, TOWN } from '../support/paper-accounts.ts';
import {
  HOUR,
  MINUTE,
  paperDisk,
  paperReceiver,
  START,
  startPaperDaemon,
  virtualClock,
} from '../support/paper-daemon.ts';
import { readHistory, recordedHistory, transitionsIn } from '../support/recorded-history.ts';

const ENDS = ['notice.closed', 'registration.restored'];
const EVERYBODY: ReadonlySet<string> = new Set(
  TOWN.flatMap(({ account, extension }) => (account === 'acme' ? [extension] : [])),
);
const NOBODY: ReadonlySet<string> = new Set();

type Ended = [kind: string, source: string, status: string];

interface Told {
  history: Ended[];
  programs: Ended[];
  entered: Ended[];
}

type Trouble = 'notice' | 'phones';

/** The provider publishes a notice, an account loses all its phones, or both; then `ends` happen an hour apart. */
async function play(begins: readonly Trouble[], ends: readonly Trouble[]): Promise<Told> {
  const clock = virtualClock(START);
  const components = [{ id: 1, name: 'SIP Registration' }];
  const world = createStatusWorld({ clock, name: 'Provider', components });
  const programs = paperReceiver('programs', 'programs');
  const { history, directory } = recordedHistory(START, undefined, { now: clock.now, monotonic: clock.monotonic });
  const entered: Told['entered'] = [];
  let lost = NOBODY;
  const paper = await startPaperDaemon({
    source: world,
    receivers: [programs],
    clock,
    disk: paperDisk(),
    intervalMs: MINUTE,
    options: {
      history,
      accounts: accountsOf(() => lost, MINUTE),
      observer: {
        entered: (_source, changes) =>
          entered.push(...changes.map(({ transition, status }) => endOf({ transition, status }))),
      },
    },
  });
  await paper.pass(10 * MINUTE);
  let notice = 0;
  for (const trouble of begins) {
    if (trouble === 'phones') lost = EVERYBODY;
    else notice = world.openNotice({ subject: 'Calls fail', content: 'One.', components: ['SIP Registration'] });
    await paper.pass(2 * MINUTE);
  }
  await paper.pass(HOUR);
  for (const trouble of ends) {
    if (trouble === 'phones') lost = NOBODY;
    else world.closeNotice(notice, { content: 'Two.' });
    await paper.pass(HOUR);
  }
  await paper.stop();
  await history.close();
  const recorded = await readHistory(directory, (reader) => transitionsIn(reader));
  const isEnd = ([kind]: Ended): boolean => ENDS.includes(kind);
  return {
    history: recorded.map(endOf).filter(isEnd),
    programs: programs.taken.flatMap(({ changes }) => changes.map(endOf)).filter(isEnd),
    entered: entered.filter(isEnd),
  };
}

function endOf({ transition, status }: { transition: { kind: string; source: string }; status: string }): Ended {
  return [transition.kind, transition.source, status];
}

test('the provider’s end is an update while phones of the same alert are lost', async () => {
  const { history, programs, entered } = await play(['notice', 'phones'], ['notice', 'phones']);
  expect(programs).toEqual([
    ['notice.closed', 'provider', 'update'],
    ['registration.restored', 'acme', 'resolved'],
  ]);
  expect(history).toEqual(programs);
  expect(entered).toEqual(programs);
});

test('the last phone is an update while the provider’s notice is open', async () => {
  const { history, programs, entered } = await play(['notice', 'phones'], ['phones', 'notice']);
  expect(programs).toEqual([
    ['registration.restored', 'acme', 'update'],
    ['notice.closed', 'provider', 'resolved'],
  ]);
  expect(history).toEqual(programs);
  expect(entered).toEqual(programs);
});

test.each([
  ['notice', 'notice.closed', 'provider'],
  ['phones', 'registration.restored', 'acme'],
] as const)('the end of an alert that has one part, of %s, is resolved', async (trouble, kind, source) => {
  const { history, programs, entered } = await play([trouble], [trouble]);
  expect(programs).toEqual([[kind, source, 'resolved']]);
  expect(history).toEqual(programs);
  expect(entered).toEqual(programs);
});
