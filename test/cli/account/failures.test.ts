/** What is wrong is said in one sentence on stderr, with the exit code that tells whose mistake it was. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountBench, type AccountBench } from '../../support/account-bench.ts';

let bench: AccountBench;

beforeAll(async () => {
  bench = await accountBench();
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

describe('wrong usage', () => {
  it.each<[string[], string]>([
    [['extension', 'list'], `account has no resource 'extension'; did you mean "extensions"?`],
    [['nonsense'], "account has no resource 'nonsense'; 'linewatch account --help' lists them"],
    [['extensions'], 'account extensions wants one more word: list, create, show, update, delete'],
    [['phonebook'], 'account phonebook wants one more word: list, create, show, update, delete, items'],
    [
      ['extensions', 'shwo', '1'],
      `account extensions has no 'shwo', only list, create, show, update, delete; did you mean "show"?`,
    ],
    [['extensions', 'show'], 'account extensions show wants EXTENSION'],
    [['extensions', 'show', 'x1'], "EXTENSION wants a whole number, not 'x1'"],
    [['extensions', 'show', '-1'], 'EXTENSION must not be negative'],
    [
      ['call-recordings', 'list', '--start-time', '1763600000', '--end-time', '1763500000'],
      '--end-time must not be before --start-time',
    ],
    [
      ['billing', 'calls', 'outgoing', 'list', '2026-11-03 00:00:00', '2026-11-02 00:00:00'],
      'END_DATE must not be before START_DATE',
    ],
    [
      ['phonebook', 'create'],
      "account phonebook create wants --name; 'linewatch account phonebook create --help' says what it means",
    ],
    [
      ['extensions', 'show', '1', '2'],
      "account extensions show takes EXTENSION and not also '2'; fields are written --field value",
    ],
    [
      ['extensions', 'list', '7'],
      "account extensions list takes no ids and not also '7'; fields are written --field value",
    ],
    [
      ['extensions', 'update', '1', '--vm-pasword', '1'],
      '--vm-pasword is no option of account extensions update; did you mean --vm-password?',
    ],
    [
      ['extensions', 'update', '1', '--voice', '1'],
      '--voice is no option of account extensions update; did you mean --voicemail or --voicemail-emails?',
    ],
    [
      ['extensions', 'update', '1', '--vmDelay', '1'],
      '--vmDelay is no option of account extensions update; did you mean --vm-delay?',
    ],
    [
      ['phonebook', 'update', '1', '--zzzzzz', '1'],
      '--zzzzzz is no option of account phonebook update, whose fields are --name',
    ],
    [
      ['phonebook', 'update', '1', '--phonebook', '1'],
      "PHONEBOOK is written without --phonebook, right after 'phonebook update'",
    ],
    [['phonebook', 'update', '1'], 'nothing to change: give at least one of --name'],
    [['phonebook', 'update', '1', '--name', 'a', '--name', 'b'], '--name is given twice'],
    [['phonebook', 'update', '1', '--name'], '--name wants a value'],
    [
      ['phonebook', 'update', '1', '--name', '--yes'],
      '--name wants a value, and --yes looks like an option; if it is meant: --name=VALUE',
    ],
    [
      ['phonebook', '--name', 'a', 'create'],
      '--name is written after the verb: account RESOURCE VERB [IDS] --name VALUE',
    ],
    [
      ['extensions', 'show', '1', '--no-json'],
      '--no-json is no option of account extensions show; did you mean --json?',
    ],
    [['phonebook', 'list', '-j'], 'there is no option -j; options are written --name'],
    [['phonebook', 'list', '--json=1'], '--json takes no value'],
    [['phonebook', 'list', '--columns', 'nam'], `there is no column 'nam'; did you mean "name"?`],
    [
      ['phonebook', 'list', '--columns', 'id', '--json'],
      '--columns is for tables: not with a file, --json or --output',
    ],
    [['extensions', 'update', '1', '--voicemail', 'maybe'], "--voicemail wants true or false, not 'maybe'"],
    [
      ['extensions', 'update', '1', '--agent-status', 'available'],
      `--agent-status wants one of Available, Logged Out, On Break, not 'available'; did you mean "Available"?`,
    ],
    [
      ['extensions', 'update', '1', '--tolls', 'mars'],
      "--tolls wants one of australia_directory, australia_local, australia_mobile, international, not 'mars'",
    ],
    [['extensions', 'update', '1', '--agent-wrap-time', '4'], '--agent-wrap-time must be at least 5 seconds'],
    [
      ['extensions', 'update', '1', '--timezone', 'Mars/Base'],
      '--timezone must be the name of a time zone such as Australia/Melbourne',
    ],
    [
      ['sms', 'send', '--from', '+61480012345'],
      "account sms send wants --to, --body; 'linewatch account sms send --help' says what they mean",
    ],
    [
      ['reports', 'outgoing-calls', 'list', '--time-period', 'today', '--start-time', '1'],
      '--time-period cannot be combined with --start-time or --end-time',
    ],
    [
      ['billing', 'calls', 'outgoing', 'list', '1 January', '2026-01-02 00:00:00'],
      'START_DATE must have the form YYYY-MM-DD HH:MM:SS',
    ],
    [['voicemail', 'show', '..'], 'VOICEMAIL must not be ".."'],
    [
      ['call-transcripts', 'download-vtt', '1', '--json'],
      'account call-transcripts download-vtt brings a file and no JSON; --output FILE says where to',
    ],
    [['phonebook', 'list', '--output', '.'], '--output . is a directory'],
    [
      ['phonebook', 'list', '--output', 'no/such/place'],
      '--output no/such/place cannot be written: there is no such file',
    ],
    [['phonebook', 'list', '--account', 'x'], "there is no account 'x', only head-office"],
  ])('%j', async (words, why) => {
    bench.asked();
    const ran = await bench.run(['--yes', ...words]);
    expect([ran.code, ran.out]).toEqual([2, '']);
    expect(ran.err.startsWith(`linewatch: ${why}`) ? why : ran.err).toBe(why);
    const allowed = words.includes('nam') ? ['phonebook.list'] : [];
    expect(bench.asked()).toEqual(allowed);
  });

  it('is none where what looks like an option was said to be a word', async () => {
    const ran = await bench.run(['skillsets', 'agent-status', 'show', '--', '-x']);
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('there is no such thing (404)') });
  });

  it('is none where options of the program stand after the words', async () => {
    expect(await bench.run(['phonebook', 'list', '--config', 'linewatch.yaml', '--json'])).toMatchObject({ code: 0 });
    expect(await bench.run(['phonebook', 'list', '--config=other.yaml'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('other.yaml'),
    });
    expect(await bench.run(['phonebook', '--version'])).toEqual({ code: 0, out: '1.2.3\n', err: '' });
  });

  it('of a bare account explains it', async () => {
    const ran = await bench.run([]);
    expect(ran).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('Usage: linewatch account RESOURCE VERB'),
    });
  });
});

describe('the account', () => {
  it('is the one that is named, where there are several', async () => {
    await using two = await accountBench(
      ({ accountUrl, token }) =>
        `accounts:\n  - {name: one, base_url: "${accountUrl}", api_key: "wrong"}\n  - {name: two, base_url: "${accountUrl}", api_key: "${token}"}\n`,
    );
    expect(await two.run(['phonebook', 'list'])).toMatchObject({
      code: 2,
      err: 'linewatch: there are several accounts: say which with --account, one of one, two\n',
    });
    expect(await two.run(['phonebook', 'list', '--account', 'two'])).toMatchObject({ code: 0, err: '' });
    const refused = await two.run(['--account', 'one', 'phonebook', 'list']);
    expect(refused).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('the credentials were refused with 401'),
    });
  });

  it('needs a key that can be read, and none to see what would be sent', async () => {
    await using keyless = await accountBench(
      ({ accountUrl }) => `accounts: [{name: a, base_url: "${accountUrl}", api_key: "x\${env:NOT_SET}y"}]\n`,
    );
    const ran = await keyless.run(['phonebook', 'list']);
    expect(ran.code).toBe(2);
    expect(ran.err).toBe(
      "linewatch: account a: ${env:NOT_SET} of api_key cannot be read; 'linewatch config check' says why\n",
    );
    expect((await keyless.run(['phonebook', 'list', '--dry-run'])).code).toBe(0);
  });

  it('has to be configured', async () => {
    await using none = await accountBench(() => 'status_pages: [{name: p, base_url: "https://status.example.com"}]\n');
    expect(await none.run(['phonebook', 'list'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('the configuration has no account'),
    });
  });
});

describe('a failure of the provider', () => {
  it.each<[string, string[], Record<string, unknown>, string, number]>([
    [
      'a 503',
      ['sms', 'send', '--from', '+61480012345', '--to', '+61400000000', '--body', 'x'],
      { kind: 'status', status: 503 },
      'It may have been done all the same',
      1,
    ],
    [
      'a 429',
      ['sms', 'send', '--from', '+61480012345', '--to', '+61400000000', '--body', 'x'],
      { kind: 'rate_limited', retry_after: 1 },
      'too many requests (429)',
      1,
    ],
    [
      'a 503',
      ['order-numbers', 'cancel', '61390004101'],
      { kind: 'status', status: 503 },
      'It may have been done all the same',
      1,
    ],
    [
      'a web page',
      [
        'originate',
        'call-connect',
        '--phone-number',
        '0400000000',
        '--caller-id',
        '61390004100',
        '--dialplan-number',
        '500',
      ],
      { kind: 'html' },
      'It may have been done all the same',
      1,
    ],
    [
      'a 503',
      ['registrations', 'delete', '40001'],
      { kind: 'status', status: 503 },
      'It may have been done all the same',
      1,
    ],
  ])('%s to %j, which acts on the world, is told and never tried again', async (_, words, fault, why, times) => {
    bench.asked();
    const order = bench.provider.simulator.faults.add({ on: 'all', fault: fault as never });
    const ran = await bench.run([...words, '--yes']);
    bench.provider.simulator.faults.remove(order);
    expect([ran.code, ran.out]).toEqual([1, '']);
    expect(ran.err).toContain(why);
    expect(bench.asked()).toHaveLength(times);
  });

  it('that comes too early says for how long, and that nothing was done', async () => {
    const order = bench.provider.simulator.faults.add({
      on: 'phonebook.create',
      fault: { kind: 'rate_limited', retry_after: 120 },
    });
    const ran = await bench.run(['phonebook', 'create', '--name', 'x', '--yes']);
    bench.provider.simulator.faults.remove(order);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('The provider wants to be asked again in 2 min at the earliest.');
    expect(ran.err).not.toContain('It may have been done');
  });

  it('names fields as they are typed, and what cannot be typed as the provider does', async () => {
    const errors = { 'voicemail_emails.0': ['Must be a mail address.'], group_id: ['Unknown.'] };
    const order = bench.provider.simulator.faults.add({
      on: 'extensions.update',
      fault: { kind: 'status', status: 422, body: { message: 'The given data was invalid.', errors } },
    });
    const ran = await bench.run(['extensions', 'update', '40001', '--voicemail-emails', 'a@b.example', '--yes']);
    bench.provider.simulator.faults.remove(order);
    expect(ran.err).toContain('\n  --voicemail-emails: Must be a mail address.\n  group_id: Unknown.\n');
  });

  it('is tried again where that only reads', async () => {
    bench.asked();
    bench.provider.simulator.faults.add({ on: 'phonebook.list', times: 1, fault: { kind: 'status', status: 503 } });
    expect(await bench.run(['phonebook', 'list'])).toMatchObject({ code: 0, err: '' });
    expect(bench.asked()).toEqual(['phonebook.list', 'phonebook.list']);
  });

  it('is told in its own words', async () => {
    const ran = await bench.run([
      'sms',
      'send',
      '--from',
      '+61400000001',
      '--to',
      '+61400000000',
      '--body',
      'x',
      '--yes',
    ]);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('refused with 400');
    expect(ran.err).toContain('The number +61400000001 is not SMS capable or was not found in this service.');
    const cancel = await bench.run(['order-numbers', 'cancel', '61399999999', '--yes']);
    expect(cancel).toMatchObject({
      code: 1,
      err: expect.stringContaining('The number does not belong to this service.'),
    });
  });

  it('leaves no half of a file, and an older one as it was', async () => {
    await writeFile(join(bench.directory, 'kept.vtt'), 'before');
    const ran = await bench.run(['call-transcripts', 'download-vtt', '1', '--output', 'kept.vtt']);
    expect(ran.code).toBe(1);
    expect((await readdir(bench.directory)).toSorted()).toEqual(['kept.vtt', 'linewatch.yaml']);
  });

  it('in part is said, and the rest is shown', async () => {
    const order = bench.provider.simulator.faults.add({ on: 'phonebook.list', fault: { kind: 'junk_rows' } });
    const ran = await bench.run(['phonebook', 'list']);
    bench.provider.simulator.faults.remove(order);
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/^id +name\n/);
    expect(ran.err).toMatch(/^linewatch: the answer is not as documented in \d+ places?: /);
  });

  it('brings no control characters of the provider to the terminal', async () => {
    const order = bench.provider.simulator.faults.add({
      on: 'phonebook.list',
      fault: { kind: 'status', status: 200, body: [{ id: 1, name: 'a\u001b[31mred\u001b]0;title\u0007\nb\u202e' }] },
    });
    const ran = await bench.run(['phonebook', 'list']);
    bench.provider.simulator.faults.remove(order);
    // oxlint-disable-next-line no-control-regex -- what must not be there
    expect(ran.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(ran.out).toContain('red');
  });
});
