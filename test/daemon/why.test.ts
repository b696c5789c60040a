/** Why a loss is blamed on what it is blamed on: one sentence, the same in message, `status`, `check`, page and log. */
import { describe, expect, test } from 'vitest';
import { composeContent } from '../../src/core/wording/message-content.ts';
import { checkLines } from '../../src/cli/status/check-text.ts';
import { formatStatus } from '../../src/cli/status/status-text.ts';
import { logStep } from '../../src/daemon/common/step-log.ts';
import type { Fields, Log } from '../../src/log/log.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import {
  MINUTE,
  phones,
  town,
  type PaperAccount,
  type PaperPhone,
  type PaperTown,
} from '../core/account/paper-town.ts';
import { reportStatus } from '../../src/core/view/status-report.ts';
import type { AccountReport } from '../../src/core/view/status-schema.ts';
import type { SystemStatus } from '../../src/core/view/system-status.ts';
import { statusWith, pageWith } from '../support/system-status.ts';
import { quietLog } from '../support/running-daemon.ts';

const [RICHMOND, CARLTON, GEELONG] = ['203.0.113.7', '203.0.113.8', '198.51.100.3'];
const SPREAD = 'No single site and no single model explains these losses';

interface Scene {
  all: PaperTown;
  account: PaperAccount;
}

async function begin(): Promise<Scene> {
  const all = town();
  await all.sweepPage();
  const given = [...phones(100, 20, RICHMOND), ...phones(200, 20, CARLTON), ...phones(300, 19, GEELONG)];
  const account = all.account('acme', given);
  account.sweep(0);
  return { all, account };
}

async function rounds({ all, account }: Scene, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    all.pass(MINUTE);
    await all.sweepPage();
    account.sweep(0);
  }
}

function at(address: string) {
  return (phone: PaperPhone): boolean => phone.address === address;
}

function status({ all, account }: Scene): SystemStatus {
  return statusWith({ now: all.now(), sources: { provider: all.page, acme: account.state } });
}

function report(scene: Scene): AccountReport {
  return reportStatus(status(scene)).accounts[0]!;
}

/** By what each says it is about. */
function whys(scene: Scene): (string | undefined)[] {
  return report(scene).alerts.map(({ why }) => why);
}

/** Every line of the log so far that tells of a decision, but for what people were told at once. */
function decisions({ account }: Scene): Fields[] {
  const lines: Fields[] = [];
  const log: Log = {
    ...quietLog,
    info: (message, fields = {}) => {
      if (message === 'decision' && fields['decision'] !== 'told') lines.push(fields);
    },
  };
  for (const { out } of account.steps) {
    logStep(log, 'acme', out, () => ({ waiting: new Map(out.state.alerts.map(({ id }) => [id, null])), now: 0 }));
  }
  return lines;
}

function lastMessage({ all }: Scene): string[] {
  const [last] = all.people().slice(-1);
  return last === undefined ? [] : sentences(all, last);
}

function sentences(all: PaperTown, message: Message): string[] {
  return composeContent(message, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() }).sentences;
}

async function page(scene: Scene): Promise<string> {
  return await pageWith(status(scene));
}

describe('a site', () => {
  const WHY = '20 of 20 at Richmond, 0 of 39 elsewhere';

  async function lost(): Promise<Scene> {
    const scene = await begin();
    scene.account.lose(at(RICHMOND));
    await rounds(scene, 8);
    return scene;
  }

  test('is named for the same numbers wherever its alert is shown', async () => {
    const scene = await lost();
    const reader = { timezone: 'UTC', now: scene.all.now() };
    const one = report(scene);
    expect(one.alerts).toMatchObject([{ number: 1, why: WHY }]);
    const base = { instance: 'hq', running: true, started_at: null, sources: [], deliveries: [] };
    const status = formatStatus({ ...base, accounts: [one] }, reader, '/state');
    expect(status[status.findIndex((line) => line.includes('#1 ')) + 1]).toBe(`      why: ${WHY}`);
    const check = checkLines({ verdict: 'critical', sources: [], accounts: [{ ...one, verdict: 'critical' }] }, reader);
    expect(check.at(-1)).toBe(`    why: ${WHY}`);
    expect(lastMessage(scene)).toContain(`${WHY}.`);
    expect(await page(scene)).toContain(`<dd>${WHY}</dd>`);
    expect(decisions(scene)).toEqual([
      { source: 'acme', decision: 'named', alert: 1, cause: 'site Richmond', why: WHY },
    ]);
  });

  test('that goes out phone by phone is named for the numbers of its latest loss, and so its messages say', async () => {
    const scene = await begin();
    scene.account.lose((phone) => at(RICHMOND)(phone) && Number(phone.extension) < 108);
    await rounds(scene, 8);
    expect(whys(scene)).toEqual(['8 of 20 at Richmond, 0 of 39 elsewhere']);
    scene.account.lose(at(RICHMOND));
    await rounds(scene, 8);
    expect(whys(scene)).toEqual([WHY]);
    expect(lastMessage(scene)).toContain(`${WHY}.`);
    expect(decisions(scene).filter(({ decision }) => decision !== 'held')).toHaveLength(1);
  });

  test('beside another is told from it: neither is elsewhere', async () => {
    const scene = await begin();
    scene.account.lose((phone) => !at(GEELONG)(phone));
    await rounds(scene, 8);
    expect(whys(scene)).toEqual(
      expect.arrayContaining([
        '20 of 20 at Richmond, 20 of 20 at Carlton, 0 of 19 elsewhere',
        '20 of 20 at Carlton, 20 of 20 at Richmond, 0 of 19 elsewhere',
      ]),
    );
  });

  test('whose phones come back says of when its numbers are, and nothing when all are back', async () => {
    const scene = await lost();
    scene.account.bringBack(({ extension }) => Number(extension) < 112);
    await rounds(scene, 2);
    expect(whys(scene)).toEqual([`${WHY} when it last grew`]);
    scene.account.bringBack();
    await rounds(scene, 2);
    expect(report(scene).alerts).toEqual([]);
    expect(scene.account.state.alerts.map(({ because }) => because)).toEqual([undefined]);
    scene.account.lose((phone) => at(RICHMOND)(phone) && Number(phone.extension) < 110);
    await rounds(scene, 8);
    expect(whys(scene)).toEqual(['10 of 20 at Richmond, 0 of 39 elsewhere']);
  });

  test('keeps its reason over a restart, before and after the first look', async () => {
    const scene = await lost();
    scene.account.restart();
    expect(whys(scene)).toEqual([WHY]);
    await rounds(scene, 1);
    expect(whys(scene)).toEqual([WHY]);
    expect(decisions(scene)).toHaveLength(1);
  });

  test('that was named before its numbers were remembered has none, nor those of what is left of it', async () => {
    const scene = await lost();
    // As it was read from the disk: a step gets it frozen.
    scene.account.restart();
    for (const alert of scene.account.state.alerts) delete alert.because;
    for (const group of scene.account.state.snapshot.groups) delete group.why;
    expect(whys(scene)).toEqual([undefined]);
    expect(await page(scene)).not.toContain('<dt>Why</dt>');
    scene.account.bringBack(({ extension }) => Number(extension) < 112);
    await rounds(scene, 2);
    expect(whys(scene)).toEqual([undefined]);
  });
});

test('a cause that is corrected has another reason, and the log says what it was before', async () => {
  const scene = await begin();
  scene.account.lose(at(RICHMOND));
  await rounds(scene, 8);
  scene.account.lose(() => true);
  await rounds(scene, 8);
  expect(whys(scene)).toEqual([SPREAD]);
  // While the others are only missing, nothing is taken back.
  expect(decisions(scene).filter(({ decision }) => decision === 'changed')).toEqual([
    { source: 'acme', decision: 'changed', alert: 1, cause: 'the provider', why: SPREAD, before: 'site Richmond' },
  ]);
  const before = 'First told as “at Richmond”; the losses no longer fit that.';
  expect(scene.all.people().flatMap((message) => sentences(scene.all, message))).toContain(before);
});

describe('the provider', () => {
  test('is suspected, admits it, and says that it is over: each is a decision with its reason', async () => {
    const scene = await begin();
    const { all, account } = scene;
    account.lose(() => true);
    await rounds(scene, 8);
    expect(whys(scene)).toEqual([SPREAD]);
    const notice = all.world.openNotice({ subject: 'Registrations fail', components: [2] });
    await rounds(scene, 2);
    const admitted = 'The provider confirmed it 8 min after us: #2 Registrations fail';
    expect(whys(scene)).toEqual([admitted]);
    account.restart();
    expect(whys(scene)).toEqual([admitted]);
    account.bringBack(({ extension }) => extension !== '104');
    all.world.closeNotice(notice);
    await rounds(scene, 2);
    expect(whys(scene)).toEqual(['Provider says it is over']);
    expect(decisions(scene).filter(({ decision }) => decision !== 'held')).toMatchObject([
      { decision: 'named', cause: 'the provider', why: SPREAD },
      { decision: 'changed', cause: '#2', why: admitted, before: 'the provider' },
      { decision: 'changed', cause: 'the account', why: 'Provider says it is over', before: '#2' },
    ]);
  });

  test('whose notice explains a loss: what people are not told of meanwhile is in the log, with the reason', async () => {
    const scene = await begin();
    const { all, account } = scene;
    all.world.openNotice({ subject: 'Registrations fail', components: [2] });
    await rounds(scene, 1);
    account.lose(() => true);
    await rounds(scene, 8);
    const why = 'The provider has trouble that may explain it: #1 Registrations fail';
    expect(whys(scene)).toEqual([why]);
    account.bringBack(({ extension }) => extension === '104');
    await rounds(scene, 2);
    expect(decisions(scene)).toEqual([
      { source: 'acme', decision: 'named', alert: 1, cause: '#1', why },
      {
        source: 'acme',
        decision: 'held',
        reason: 'explained',
        alert: 1,
        cause: '#1',
        why,
        kind: 'registration.restored',
        subject: 'registrations',
      },
    ]);
  });
});

test('of a single phone that is lost nothing is blamed; one that follows soon is held, and the log says so', async () => {
  const scene = await begin();
  scene.account.lose(({ extension }) => ['100', '101'].includes(extension));
  await rounds(scene, 8);
  expect(whys(scene)).toEqual([undefined]);
  scene.account.lose(({ extension }) => extension === '102');
  scene.account.settings = {
    ...scene.account.settings,
    registrations: { ...scene.account.settings.registrations, mass: { count: 50, percent: 90 } },
  };
  await rounds(scene, 8);
  expect(decisions(scene)).toEqual([
    {
      source: 'acme',
      decision: 'held',
      reason: 'held',
      alert: 1,
      cause: null,
      why: 'the message will be sent within 20 min, as little has changed since the last one',
      due: expect.any(String),
      kind: 'registration.lost',
      subject: 'registration/102',
    },
  ]);
});

test('of a loss that would move too often the log has an error, and of any other none', () => {
  const errors: [message: string, fields: Fields | undefined][] = [];
  const log: Log = { ...quietLog, error: (message, fields) => void errors.push([message, fields]) };
  const step = { entered: [], decisions: [] };
  logStep(log, 'acme', { ...step, refusedMoves: [] }, () => ({ waiting: new Map(), now: 0 }));
  expect(errors).toEqual([]);
  const refusedMoves = [{ alert: 2, reason: 'too_many_moves', into: 1 }] as const;
  logStep(log, 'acme', { ...step, refusedMoves }, () => ({ waiting: new Map(), now: 0 }));
  expect(errors).toEqual([
    [
      'a loss would move to another alert once more within an hour: it stays where it is',
      { source: 'acme', alert: 2, reason: 'too_many_moves', into: 1 },
    ],
  ]);
});
