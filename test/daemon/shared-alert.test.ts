/** A notice of the provider's and the phones it costs are one alert: page, metrics, `status` and digest show it once. */
import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alert/alert.ts';
import { joinParts } from '../../src/core/alert/joined-alert.ts';
import { formatStatus } from '../../src/cli/status/status-text.ts';
import { reportStatus, type StatusReport } from '../../src/core/view/status-report.ts';
import { composeDigest } from '../../src/core/view/daily-digest.ts';
import { createOwnState } from '../../src/core/engine/self-source.ts';
import { createMetrics } from '../../src/web/data/metrics.ts';
import type { SystemStatus } from '../../src/core/view/system-status.ts';
import { statusWith, pageWith } from '../support/system-status.ts';
import { HOUR, MINUTE, type PaperAccount, type PaperTown, phones, START, town } from '../core/account/paper-town.ts';

const SUBJECT = 'Inbound calls failing in Melbourne';
const LOSS = '34 of 34 phones offline: Carlton 20/20, Richmond 14/14';
const LEFT = 'Still offline: 104 (Desk 104)';

interface Scene {
  all: PaperTown;
  account: PaperAccount;
  notice: number;
  opened: number;
}

/** The provider has a notice, and every phone is lost under it. */
async function lost(): Promise<Scene> {
  const all = town();
  await all.sweepPage();
  const account = all.account('acme', [...phones(100, 14, '203.0.113.7'), ...phones(200, 20, '203.0.113.8')]);
  account.sweep(0);
  const notice = all.world.openNotice({ subject: SUBJECT, content: 'We are looking.', components: [2] });
  const opened = all.now();
  await rounds(all, account, 1);
  account.lose(() => true);
  await rounds(all, account, 7);
  return { all, account, notice, opened };
}

async function residual(): Promise<Scene> {
  const scene = await lost();
  scene.account.bringBack(({ extension }) => extension !== '104');
  scene.all.world.closeNotice(scene.notice, { content: 'It is mended.' });
  await rounds(scene.all, scene.account, 2);
  return scene;
}

async function rounds(all: PaperTown, account: PaperAccount, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    all.pass(MINUTE);
    await all.sweepPage();
    account.sweep(0);
  }
}

function status({ all, account }: Scene, silence?: Record<string, string[]>): SystemStatus {
  const muting = { id: 's1', from: 0, until: START + 24 * HOUR, comment: '', createdAt: 0, expiredAt: null };
  const silences = silence === undefined ? [] : [{ ...muting, matchers: silence }];
  const sources = { provider: all.page, acme: account.state };
  return statusWith({ now: all.now(), sources, own: { ...createOwnState(), silences } });
}

async function page(scene: Scene, silence?: Record<string, string[]>): Promise<string> {
  return await pageWith(status(scene, silence));
}

function cards(body: string): string[] {
  return [...body.matchAll(/<article[^>]*\bid="alert-\d+"[\s\S]*?<\/article>/g)].map(([card]) =>
    card
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

/** The matchers that the links to a new silence propose. */
/** The source that each link to the form of a silence names. */
function silenceLinks(body: string): string[] {
  return [...body.matchAll(/href="silences\?([^"]*)"[^>]*>Silence…/g)].map(
    ([, query = '']) => query.split('&amp;').find((field) => field.startsWith('source=')) ?? '',
  );
}

function report(scene: Scene): StatusReport {
  return reportStatus(status(scene));
}

function entries(scene: Scene): unknown[] {
  const { sources, accounts } = report(scene);
  return [...sources, ...accounts].flatMap(({ name, alerts }) => alerts.map((alert) => [name, alert]));
}

function lines(scene: Scene): string[] {
  return formatStatus(report(scene), { timezone: 'UTC', now: scene.all.now() }, '/state').filter((line) =>
    /#1|nothing open/.test(line),
  );
}

function digest(scene: Scene): string[] {
  const { what, reason } = composeDigest(status(scene), 'UTC');
  return [what, ...reason.split('\n').map((line) => line.replace(/, [^,]*UTC$/, ''))];
}

async function openCounts(scene: Scene): Promise<string[]> {
  const text = await createMetrics('1').text(status(scene));
  return text.split('\n').filter((line) => /^linewatch_open_alerts.* [1-9]/.test(line));
}

describe('while the provider’s notice costs phones', () => {
  test('there is one card: one’s own loss leads, and the provider’s words and link stay', async () => {
    const scene = await lost();
    const { open } = status(scene);
    expect(open).toMatchObject([
      {
        number: 1,
        severity: 'critical',
        title: LOSS,
        startedAt: scene.opened,
        state: 'Investigating · 34 phones offline',
        words: { text: 'We are looking.' },
        url: expect.stringContaining('/'),
        parts: [{ source: 'acme' }, { source: 'provider' }],
      },
    ]);
    expect(open[0]?.affected).toEqual(expect.arrayContaining(['104 (Desk 104)', 'Hosted PBX']));
    const body = await page(scene);
    expect(cards(body)).toEqual([
      expect.stringMatching(/^Critical #1 since .* Example Telecom: Inbound calls failing /),
    ]);
    expect(cards(body)[0]).toContain('We are looking.');
    expect(body).toMatch(/<h1[^>]*>(?:<(?!\/h1)|[^<])*34 of 34 phones offline/);
    expect(silenceLinks(body)).toEqual(['source=acme']);
    expect(body).toContain('Open status page');
    expect(body.match(/id="alert-1"/g)).toHaveLength(1);
    expect(body).toContain('<title>34 of 34 phones offline · ');
  });

  test('each part is muted by itself', async () => {
    const scene = await lost();
    const provider = await page(scene, { source: ['provider'] });
    expect(cards(provider)[0]).toContain('by silence s1');
    expect(silenceLinks(provider)).toEqual(['source=acme']);
    expect(silenceLinks(await page(scene, { source: ['acme'] }))).toEqual(['source=provider']);
  });

  test('it is one entry of the status, one of the digest, and counted once', async () => {
    const scene = await lost();
    expect(entries(scene)).toEqual([
      [
        'acme',
        expect.objectContaining({ number: 1, severity: 'critical', title: LOSS, sources: ['acme', 'provider'] }),
      ],
    ]);
    expect(lines(scene)).toEqual([
      '    takes part in #1, see acme',
      expect.stringContaining(`    #1 critical: ${LOSS} (with provider), `),
      `      why: The provider has trouble that may explain it: #1 ${SUBJECT}`,
    ]);
    expect(digest(scene)).toEqual([
      'daily digest — watching 2 sources, 34 of 34 phones offline, 1 open, nothing ended in 24 hours',
      '20 of 20 at 203.0.113.8 and 14 of 14 at 203.0.113.7, since 01:02.',
      'With an incident at Example Telecom.',
      'To do: Nothing to do at your sites. Example Telecom knows of the fault. Divert the calls that cannot wait.',
      `Open: #1 critical: ${LOSS} (acme, provider)`,
    ]);
    expect(await openCounts(scene)).toEqual(['linewatch_open_alerts{source="acme",severity="critical"} 1']);
  });
});

describe('after the provider’s end with a phone that stays lost', () => {
  test('the card says what is left, how bad that is, and nothing of it is over yet', async () => {
    const scene = await residual();
    const { open, ended } = status(scene);
    expect(open).toMatchObject([
      {
        number: 1,
        severity: 'warning',
        title: LEFT,
        startedAt: scene.opened,
        state: '1 phone offline',
        affected: ['104 (Desk 104)'],
        words: { text: 'It is mended.' },
        parts: [{ source: 'acme' }],
      },
    ]);
    expect(ended).toEqual([]);
    expect(cards(await page(scene))).toHaveLength(1);
  });

  test('status, digest and metrics say the same', async () => {
    const scene = await residual();
    expect(entries(scene)).toEqual([
      ['acme', expect.objectContaining({ number: 1, severity: 'warning', title: LEFT, sources: ['acme'] })],
    ]);
    expect(lines(scene)).toEqual(['  nothing open', expect.stringContaining(`    #1 warning: ${LEFT}, `)]);
    expect(digest(scene)).toEqual([
      'daily digest — watching 2 sources, 1 of 34 phones offline, 1 open, nothing ended in 24 hours',
      `${LEFT}, since 01:02.`,
      'Left by an incident at Example Telecom.',
      'To do: Restart the phones that are still offline: Example Telecom says that its incident is over.',
      `Open: #1 warning: ${LEFT} (acme)`,
    ]);
    expect(await openCounts(scene)).toEqual(['linewatch_open_alerts{source="acme",severity="warning"} 1']);
  });
});

test('when all is back it has ended once, under the name of what it was', async () => {
  const scene = await residual();
  scene.account.bringBack();
  await rounds(scene.all, scene.account, 2);
  const { open, ended } = status(scene);
  expect(open).toEqual([]);
  expect(ended).toMatchObject([
    { number: 1, title: SUBJECT, severity: 'critical', sources: ['provider', 'acme'], state: 'Resolved' },
  ]);
  expect(digest(scene)[0]).toBe('daily digest — watching 2 sources, nothing open, 1 ended in 24 hours');
});

test('a loss that is over leaves the provider’s part', async () => {
  const scene = await lost();
  scene.account.bringBack();
  await rounds(scene.all, scene.account, 2);
  expect(status(scene).open).toMatchObject([
    { title: SUBJECT, state: 'Investigating', severity: 'critical', parts: [{ source: 'provider' }] },
  ]);
});

test('losses of several accounts are one card that names the worst and counts the others', () => {
  const part = (source: string, number: number, more: Partial<Alert>): Alert =>
    ({
      id: 'a',
      number: 1,
      source,
      status: 'open',
      family: 'phones',
      severity: 'warning',
      title: `${number} phones offline`,
      startedAt: number,
      resolvedAt: null,
      ...more,
    }) as Alert;
  const alerts = [
    part('provider', 9, { family: 'notice', title: SUBJECT, severity: 'critical' }),
    part('acme', 3, {}),
    part('zenith', 5, { severity: 'critical' }),
    part('over', 1, { status: 'resolved', resolvedAt: 8, severity: 'critical' }),
    part('other', 7, { id: 'b', number: 2 }),
  ];
  expect(joinParts(alerts)).toMatchObject([
    {
      number: 1,
      status: 'open',
      title: '5 phones offline, and 1 more loss',
      severity: 'critical',
      startedAt: 3,
      resolvedAt: null,
      sources: ['zenith', 'acme', 'provider'],
    },
    { number: 2, title: '7 phones offline', sources: ['other'] },
  ]);
  const over = alerts.map((alert) => ({ ...alert, status: 'resolved' as const, resolvedAt: 10 + alert.startedAt }));
  expect(joinParts(over)[0]).toMatchObject({ title: SUBJECT, startedAt: 1, resolvedAt: 19 });
});
