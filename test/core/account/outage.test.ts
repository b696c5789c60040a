/** Cause over symptoms: lost phones and the provider's notice, in whatever order they come. */
import { describe, expect, it } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { MINUTE, phones, rounds, SECOND, town, type PaperTown } from './paper-town.ts';

const SUBJECT = 'Registrations failing';

function lines(all: PaperTown): string[] {
  return all.people().map((message) => {
    const told = composeContent(message, {
      timezone: 'Australia/Melbourne',
      instance: 'hq',
      externalUrl: null,
      now: all.now(),
    });
    return `${message.alert.source} #${message.alert.number ?? '-'}: ${told.headline}`;
  });
}

function sentences(all: PaperTown): string[] {
  return all
    .people()
    .map((message) =>
      composeContent(message, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() }).sentences.join(
        ' ',
      ),
    );
}

async function begin(routes?: Parameters<typeof town>[0]) {
  const all = town(routes);
  await all.sweepPage();
  const account = all.account('acme', [
    ...phones(100, 14, '203.0.113.7'),
    ...phones(200, 20, '203.0.113.8'),
    ...phones(300, 18, '198.51.100.3'),
  ]);
  account.sweep(0);
  return { all, account };
}

describe('symptoms first, then their cause', () => {
  it('each is an alert; the cause is told once, the phones stay quiet, each ends by itself', async () => {
    const { all, account } = await begin();
    account.lose(() => true);
    await rounds(all, [account], 7);
    expect(lines(all).slice(2)).toEqual([
      'acme #1: 52 of 52 phones offline: Carlton 20/20, Geelong 18/18, Richmond 14/14 — outage at the provider suspected',
    ]);
    await rounds(all, [account], 14);
    const notice = all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, [account], 1);
    expect(lines(all).slice(3)).toEqual([
      'provider #2: Trouble: Registrations failing — the provider is investigating',
      `acme #1: 52 of 52 phones offline: Carlton 20/20, Geelong 18/18, Richmond 14/14 — the provider confirmed it 21 min after us (#2)`,
    ]);
    expect(sentences(all).at(-1)).toBe(`The trouble is #2 ${SUBJECT}. Next from us: when phones return or stay lost.`);
    const [admitted] = all.events('outage.suspected').slice(-1);
    expect(admitted?.transition.details).toMatchObject({ admitted: { number: 2, minutes_later: 21 } });
    const cause = all.page.alerts[0]?.id;
    expect([admitted?.message.alert.cause, cause]).toEqual([cause, expect.any(String)]);
    account.bringBack(({ address }) => address === '203.0.113.7');
    await rounds(all, [account], 3);
    expect(lines(all)).toHaveLength(5);
    account.bringBack();
    await rounds(all, [account], 1);
    all.world.closeNotice(notice);
    await rounds(all, [account], 2);
    expect(lines(all).slice(5)).toEqual([
      expect.stringMatching(/^acme #1: All 52 phones are online again — after /),
      expect.stringMatching(/^provider #2: Resolved: Registrations failing/),
    ]);
    expect(
      all
        .people()
        .slice(5)
        .map(({ alert }) => alert.resolvedAt === null),
    ).toEqual([false, false]);
    expect([...all.page.alerts, ...account.state.alerts].filter(({ status }) => status === 'open')).toEqual([]);
  });

  it('of an account with one site, whose line was named, are explained and not confirmed by a late notice', async () => {
    const all = town();
    await all.sweepPage();
    const corner = all.account('corner', phones(100, 11, '203.0.113.7'));
    corner.sweep(0);
    corner.lose(() => true);
    await rounds(all, [corner], 30);
    expect(lines(all).at(-1)).toMatch(/^corner #1: 11 of your 11 phones at Richmond are offline/);
    all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, [corner], 2);
    expect(lines(all).at(-1)).toMatch(/the provider’s notice explains it \(#2\)$/);
    expect(all.events('outage.suspected').at(-1)?.transition.details).toMatchObject({ admitted: { minutes_later: 0 } });
  });

  it('go on with another open notice in one message when the first one ends', async () => {
    const { all, account } = await begin();
    account.lose(() => true);
    await rounds(all, [account], 7);
    const first = all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, [account], 2);
    all.world.openNotice({ subject: 'Calls fail', components: [2] });
    await rounds(all, [account], 2);
    const known = lines(all).length;
    all.world.closeNotice(first);
    await rounds(all, [account], 4);
    expect(lines(all).slice(known)).toEqual([
      'provider #2: Resolved: Registrations failing — after 4 min',
      expect.stringMatching(/^acme #1: 52 of 52 phones offline: .* — the provider confirmed it 9 min after us \(#3\)$/),
    ]);
  });

  it('that are published within the same minute are not said to be older', async () => {
    const { all, account } = await begin();
    account.settings = {
      ...account.settings,
      registrations: { ...account.settings.registrations, offlineAfter: 2 * SECOND },
    };
    account.lose(() => true);
    for (let sweep = 0; sweep < 3; sweep += 1) account.sweep(2 * SECOND);
    all.world.openNotice({ subject: SUBJECT, components: [2] });
    all.pass(2 * SECOND);
    await all.sweepPage();
    account.sweep(SECOND);
    expect(lines(all).at(-1)).toBe(
      `acme #1: 52 of 52 phones offline: Carlton 20/20, Geelong 18/18, Richmond 14/14 — the provider’s notice explains it (#2)`,
    );
  });

  it('what is lost later is put down to the cause with no less certainty', async () => {
    const { all, account } = await begin();
    account.lose(({ extension }) => Number(extension) % 3 === 0);
    await rounds(all, [account], 9);
    all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, [account], 1);
    const known = sentences(all).length;
    expect(lines(all).at(-1)).toContain('— the provider confirmed it 9 min after us (#2)');
    account.lose(() => true);
    await rounds(all, [account], 9);
    expect(lines(all).slice(known)).toEqual([
      'acme #1: 52 of 52 phones offline: Carlton 20/20, Geelong 18/18, Richmond 14/14 — the provider confirmed it 9 min after us (#2)',
    ]);
    expect(sentences(all).at(-1)).toContain(`The trouble is #2 ${SUBJECT}.`);
    expect(account.state.alerts[0]?.because).toMatchObject({ kind: 'explained', minutes_later: 9 });
  });

  it('phones that stay lost when the provider says resolved are told once more', async () => {
    const { all, account } = await begin();
    account.lose(() => true);
    await rounds(all, [account], 7);
    const notice = all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, [account], 1);
    account.bringBack(({ extension }) => extension !== '205');
    await rounds(all, [account], 1);
    all.world.closeNotice(notice);
    await rounds(all, [account], 9);
    account.bringBack();
    await rounds(all, [account], 1);
    expect(lines(all).slice(5)).toEqual([
      expect.stringMatching(/^provider #2: Resolved: Registrations failing/),
      'acme #1: 1 of your 52 phones is still offline: 205 (Desk 205) — the provider says it is over',
      expect.stringMatching(/^acme #1: All 52 phones are online again/),
    ]);
  });
});

describe('a cause first, then its symptoms', () => {
  it('is one alert and one thread, resolved by the last of the two', async () => {
    const { all, account } = await begin();
    const notice = all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, [account], 1);
    account.lose(() => true);
    await rounds(all, [account], 7);
    const [opened, mass] = all.people().slice(2);
    expect(mass?.alert).toMatchObject({
      id: opened?.alert.id,
      number: opened?.alert.number,
      title: '52 of 52 phones offline: Carlton 20/20, Geelong 18/18, Richmond 14/14',
      severity: 'critical',
    });
    // The conversation keeps the subject it opened with.
    expect(mass).toMatchObject({ first: false, subject: SUBJECT });
    expect(sentences(all).at(-1)).toBe(
      `The trouble is #1 ${SUBJECT}. Phones go missing at 3 sites, so no single site explains it. Divert the calls that cannot wait.`,
    );
    all.world.closeNotice(notice);
    account.bringBack(({ extension }) => extension !== '205');
    await rounds(all, [account], 3);
    account.bringBack();
    await rounds(all, [account], 1);
    expect(lines(all).slice(2)).toEqual([
      'provider #1: Trouble: Registrations failing — the provider is investigating',
      'acme #1: 52 of 52 phones offline: Carlton 20/20, Geelong 18/18, Richmond 14/14 — the provider has trouble that may explain it (#1)',
      'provider #1: Resolved: Registrations failing',
      'acme #1: 1 of your 52 phones is still offline: 205 (Desk 205) — the provider says it is over',
      expect.stringMatching(/^acme #1: All 52 phones are online again/),
    ]);
    expect(
      all
        .events()
        .filter(
          ({ transition }) =>
            transition.kind === 'notice.closed' ||
            transition.kind.startsWith('registration.') ||
            transition.kind.startsWith('outage.'),
        )
        .map(({ transition, status }) => `${transition.kind} ${status}`),
    ).toEqual([
      'registration.mass update',
      'notice.closed update',
      'registration.restored update',
      'outage.residual update',
      'registration.restored resolved',
    ]);
    expect(
      new Set(
        all
          .people()
          .slice(2)
          .map(({ alert }) => alert.id),
      ).size,
    ).toBe(1);
    expect(
      all
        .people()
        .slice(2)
        .map(({ alert }) => alert.resolvedAt === null),
    ).toEqual([true, true, true, true, false]);
  });

  it('is older than its symptoms: phones are said to be lost since they were', async () => {
    const { all, account } = await begin();
    const notice = all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, [account], 60);
    account.lose(() => true);
    await rounds(all, [account], 7);
    const began = new Date(all.now() - 6 * MINUTE).toISOString();
    expect(all.events('registration.mass').at(-1)?.transition.details).toMatchObject({ since: began });
    const lost = all.people().at(-1)!;
    const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() };
    const text = expect.stringContaining(`${began.slice(11, 16)} UTC`);
    expect(composeContent(lost, setting).facts).toContainEqual(
      expect.objectContaining({
        label: 'Offline since',
        text,
        moments: [{ at: expect.any(Number), text }],
      }),
    );
    all.world.closeNotice(notice);
    account.bringBack();
    await rounds(all, [account], 2);
    expect(lines(all).filter((line) => line.includes('online again'))).toEqual([
      expect.stringMatching(/^acme #1: All 52 phones are online again/),
    ]);
    const back = all.people().find(({ changes }) => changes[0]?.transition.kind === 'registration.restored');
    expect(composeContent(back!, setting).headline).not.toMatch(/after 1 h/);
  });

  it('goes on as the notice when the phones come back before it ends', async () => {
    const { all, account } = await begin();
    const notice = all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, [account], 1);
    account.lose(() => true);
    await rounds(all, [account], 7);
    account.bringBack();
    await rounds(all, [account], 2);
    all.world.closeNotice(notice);
    await rounds(all, [account], 2);
    expect(
      all
        .people()
        .slice(4)
        .map(({ alert }) => [alert.source, alert.resolvedAt === null]),
    ).toEqual([
      ['acme', true],
      ['provider', false],
    ]);
  });

  it('is found where a component is degraded without a notice', async () => {
    const { all, account } = await begin();
    all.world.setComponentState(2, 'degraded');
    await rounds(all, [account], 1);
    account.lose(() => true);
    await rounds(all, [account], 7);
    const ids = all
      .people()
      .slice(2)
      .map(({ alert }) => alert.id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it('is not work that has yet to begin', async () => {
    const { all, account } = await begin();
    all.world.scheduleMaintenance({
      subject: 'Router',
      beginsAt: all.now() + 60 * MINUTE,
      endsAt: all.now() + 120 * MINUTE,
    });
    await rounds(all, [account], 1);
    account.lose(({ address }) => address === '203.0.113.7');
    await rounds(all, [account], 7);
    expect(lines(all).slice(3)).toEqual(['acme #2: 14 of your 14 phones at Richmond are offline']);
  });
});

describe('both in one sweep', () => {
  it('are one alert', async () => {
    const { all, account } = await begin();
    account.lose(() => true);
    await rounds(all, [account], 5);
    all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, [account], 3);
    expect(lines(all).slice(2)).toEqual([
      'provider #1: Trouble: Registrations failing — the provider is investigating',
      'acme #1: 52 of 52 phones offline: Carlton 20/20, Geelong 18/18, Richmond 14/14 — the provider has trouble that may explain it (#1)',
    ]);
  });
});

describe('several accounts of one provider', () => {
  it('with a few lost phones each suspect the provider together, and read nothing of each other', async () => {
    const all = town((source) => (source === 'provider' ? ['people'] : [`people of ${source}`, 'programs']));
    await all.sweepPage();
    const customers = Array.from({ length: 10 }, (_, index) =>
      all.account(`customer-${index}`, phones(100 * index, 2, `192.0.2.${index}`)),
    );
    for (const customer of customers) customer.sweep(0);
    await rounds(all, customers, 1);
    for (const customer of customers.slice(0, 5)) customer.lose(() => true);
    await rounds(all, customers, 8);
    expect(
      all
        .events('outage.suspected')
        .map(({ transition }) => transition.source)
        .toSorted(),
    ).toEqual(customers.slice(0, 5).map(({ name }) => name));
    all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, customers, 2);
    for (const message of all.people()) {
      const [, reader] = message.receiver.split(' of ');
      if (reader === undefined) expect(message.alert.source).toBe('provider');
      else expect(JSON.stringify(message)).not.toMatch(new RegExp(`customer-(?!${reader.slice(-1)})`));
    }
    const told = all.people().filter(({ receiver }) => receiver === 'people of customer-1');
    // What is watched; the loss, with the suspicion in the same message; the notice that explains it.
    expect(told).toHaveLength(3);
  });

  it('read that phones stay lost after the end of the notice, and no suspicion of the provider after that', async () => {
    const all = town((source) => (source === 'provider' ? ['people'] : [`people of ${source}`]));
    await all.sweepPage();
    const customers = Array.from({ length: 6 }, (_, index) =>
      all.account(
        `customer-${index}`,
        [0, 1, 2, 3].flatMap((site) => phones(100 * (index + 1) + 10 * site, 5, `192.0.${site}.${index}`)),
      ),
    );
    for (const customer of customers) customer.sweep(0);
    const notice = all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, customers, 2);
    for (const customer of customers) customer.lose(() => true);
    await rounds(all, customers, 8);
    for (const customer of customers) customer.bringBack();
    await rounds(all, customers, 3);
    const [, second] = customers;
    for (const customer of customers) customer.lose(({ extension }) => /(00|10)$/.test(extension));
    await rounds(all, customers, 7);
    const before = all.people().length;
    all.world.closeNotice(notice);
    await rounds(all, customers, 1);
    for (const customer of customers.slice(2)) customer.lose(({ extension }) => /2[0-2]$/.test(extension));
    await rounds(all, customers, 11);
    const kinds = all
      .people()
      .slice(before)
      .filter(({ receiver }) => receiver === `people of ${second?.name}`)
      .map(({ changes }) => changes.map(({ transition }) => transition.kind));
    expect(kinds).toEqual([['outage.residual']]);
  });

  it('that take part in one alert are each told its end by what they read of it', async () => {
    const all = town((source) => (source === 'provider' ? ['people', 'programs'] : [`people of ${source}`]));
    await all.sweepPage();
    const [one, two] = ['one', 'two'].map((name, index) =>
      all.account(name, phones(100 * (index + 1), 6, `192.0.2.${index}`)),
    );
    for (const account of [one!, two!]) account.sweep(0);
    const notice = all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, [one!, two!], 1);
    for (const account of [one!, two!]) account.lose(() => true);
    await rounds(all, [one!, two!], 7);
    one!.bringBack();
    await rounds(all, [one!, two!], 1);
    all.world.closeNotice(notice);
    await rounds(all, [one!, two!], 2);
    two!.bringBack();
    await rounds(all, [one!, two!], 1);
    const ends = all
      .people()
      .filter(({ alert }) => alert.resolvedAt !== null)
      .map(({ receiver, alert }) => `${receiver}: ${alert.source}`);
    expect(ends).toEqual(['people of one: one', 'people: provider', 'people of two: two']);
  });
});

describe('a loss that a notice of the provider explains', () => {
  async function explained() {
    const { all, account } = await begin();
    const notice = all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, [account], 1);
    return { all, account, notice };
  }

  function told(all: PaperTown): string[] {
    return lines(all).filter((line) => line.startsWith('acme') && !line.includes('Watching'));
  }

  it('and grows from a part of the account to all of it is told of the growth, with its numbers', async () => {
    const { all, account } = await explained();
    account.lose(({ extension }) => Number(extension) % 100 < 7);
    await rounds(all, [account], 7);
    expect(told(all)).toHaveLength(1);
    account.lose(() => true);
    await rounds(all, [account], 7);
    expect(told(all)).toHaveLength(2);
    expect(told(all).at(-1)).toContain('52 of 52 phones');
  });

  it('and doubles is told again, but not for every phone', async () => {
    const { all, account } = await explained();
    const [first, second] = [6, 13];
    account.lose(({ extension }) => Number(extension) % 100 < first);
    await rounds(all, [account], 7);
    const before = told(all).length;
    account.lose(({ extension }) => extension === '210');
    await rounds(all, [account], 7);
    expect(told(all)).toHaveLength(before);
    account.lose(({ extension }) => Number(extension) % 100 < second);
    await rounds(all, [account], 7);
    expect(told(all).length).toBeGreaterThan(before);
    const read = all.events('registration.mass').at(-1)?.transition.details;
    expect(read).toMatchObject({ down: 3 * second });
  });
});

describe('what stays lost after the provider’s end', () => {
  async function over(left: (extension: number) => boolean) {
    const { all, account } = await begin();
    const notice = all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, [account], 1);
    account.lose(() => true);
    await rounds(all, [account], 7);
    account.bringBack(({ extension }) => !left(Number(extension)));
    await rounds(all, [account], 1);
    all.world.closeNotice(notice);
    await rounds(all, [account], 2);
    const severities = (): string[] =>
      all.people().flatMap(({ alert, changes }) => {
        const [{ transition }] = changes as [(typeof changes)[number]];
        const [kind] = /outage\.residual|registration\.restored/.exec(transition.kind) ?? [];
        return kind === undefined || alert.source !== 'acme' ? [] : [`${kind} ${alert.severity}`];
      });
    return { all, account, severities };
  }

  it('is a warning for one phone, and ends as critical as it was', async () => {
    const { all, account, severities } = await over((extension) => extension === 205);
    expect(severities()).toEqual(['outage.residual warning']);
    account.bringBack();
    await rounds(all, [account], 1);
    expect(severities().at(-1)).toBe('registration.restored critical');
  });

  it('is critical while it is a mass loss by the settings, and a warning once it is none', async () => {
    const { all, account, severities } = await over((extension) => extension < 200);
    expect(severities()).toEqual(['outage.residual critical']);
    account.bringBack(({ extension }) => Number(extension) > 101);
    await rounds(all, [account], 2);
    expect(severities().at(-1)).toBe('registration.restored warning');
  });
});
