/** Secrets stay hidden unless asked for, and the key even then. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maskAnswer } from '../../../src/cli/account/masked-output.ts';
import { accountCatalogue } from '../../../src/provider/catalogue/account-catalogue.ts';
import { accountBench, OPERATIONS, type AccountBench } from '../../support/account-bench.ts';

let bench: AccountBench;

beforeAll(async () => {
  bench = await accountBench();
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

describe('answers', () => {
  const secretive = [
    ['extensions.show', 'vm_password'],
    ['voicemail-extensions.show', 'vm_password'],
    ['voicemail.show', 'stream_url'],
  ] as const;

  it.each(secretive)('%s hides %s in tables and in JSON', async (id, field) => {
    const open = JSON.parse((await bench.run(['--json', '--show-secrets', ...bench.words(id)])).out) as Record<
      string,
      string
    >;
    const value = open[field] ?? '';
    expect(value).toMatch(/^\d{4}$|^http/);
    const [table, json] = [await bench.run(bench.words(id)), await bench.run(['--json', ...bench.words(id)])];
    expect(JSON.parse(json.out)).toMatchObject({ [field]: '[hidden]' });
    expect(table.out).toMatch(new RegExp(`^${field} +\\[hidden\\]$`, 'm'));
    expect((await bench.run(['--show-secrets', ...bench.words(id)])).out).toContain(value);
  });

  it('hides them in a file too, which is for its owner alone', async () => {
    const ran = await bench.run(['--output', 'messages.json', ...bench.words('voicemail.list')]);
    expect([ran.code, ran.out]).toEqual([0, '']);
    const file = join(bench.directory, 'messages.json');
    const messages = JSON.parse(await readFile(file, 'utf8')) as { stream_url: string }[];
    expect(new Set(messages.map((message) => message.stream_url))).toEqual(new Set(['[hidden]']));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('hides signatures of addresses, and what looks like a secret where nothing is documented', () => {
    const answer = [
      {
        transcript_id: 1,
        vtt_url: 'https://files.example.com/1.vtt?X-Signature=abc&Expires=9',
        recording_url: 'https://files.example.com/1.wav',
        summary: 'see https://files.example.com/x#token=1 for more',
        sip_password: 'hunter2',
        nested: { api_key: 'k', token: null, keywords: 'billing' },
      },
    ];
    expect(maskAnswer(accountCatalogue['call-transcripts.list'], answer)).toEqual([
      {
        transcript_id: 1,
        vtt_url: 'https://files.example.com/1.vtt?[hidden]',
        recording_url: '[hidden]',
        summary: 'see https://files.example.com/x?[hidden] for more',
        sip_password: '[hidden]',
        nested: { api_key: '[hidden]', token: null, keywords: 'billing' },
      },
    ]);
  });
});

describe('what is typed', () => {
  const create = ['extensions', 'create', '--name', 'X', '--area-code', '613', '--timezone', 'UTC'];
  const rest = ['--customer-location-id', '1', '--emergency-dial-number', '000', '--user-id', '2002'];

  it('may come from standard input, without its line break', async () => {
    const ran = await bench.run([...create, ...rest, '--password', '-', '--dry-run', '--show-secrets', '--json'], {
      typed: 'from a pipe\n',
    });
    expect(JSON.parse(ran.out)).toMatchObject({ body: { password: 'from a pipe' } });
  });

  it('may be typed at the terminal, where it is not shown', async () => {
    const ran = await bench.run([...create, ...rest, '--password', '-', '--yes'], {
      isTerminal: true,
      typed: 'unseen words\n',
    });
    expect(ran.code).toBe(0);
    expect(ran.err).toBe('--password: \n');
    expect(ran.out + ran.err).not.toContain('unseen');
  });

  it('may be a code with a leading zero', async () => {
    const words = ['voicemail-extensions', 'update', '52001', '--vm-password', '-', '--yes'];
    expect((await bench.run(words, { typed: '0123' })).code).toBe(0);
    const shown = await bench.run(['voicemail-extensions', 'show', '52001', '--json', '--show-secrets']);
    expect(JSON.parse(shown.out)).toMatchObject({ vm_password: '0123' });
  });

  it.each([
    [
      ['--password', '-', '--vm-password', '-'],
      'x\n',
      'standard input can be read for --password or --vm-password, not for both',
    ],
    [['--password', '-'], '', '--password - found nothing on standard input'],
  ])('%j is refused', async (words, typed, why) => {
    const ran = await bench.run([...create, ...rest, ...words, '--yes'], { typed });
    expect(ran).toMatchObject({ code: 2, err: `linewatch: ${why}\n` });
  });

  it('is quoted in no error', async () => {
    const secret = 'planted-secret-9';
    const wrong = await bench.run(['extensions', 'update', '40001', '--vm-password', secret, '--yes']);
    expect(wrong).toMatchObject({ code: 2, err: 'linewatch: --vm-password must be 4 digits\n' });
    const fault = bench.provider.simulator.faults.add({
      on: 'extensions.create',
      fault: {
        kind: 'status',
        status: 422,
        body: { message: `${secret} is weak`, errors: { password: [`not ${secret}`] } },
      },
    });
    const refused = await bench.run([...create, ...rest, '--password', secret, '--yes']);
    bench.provider.simulator.faults.remove(fault);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('[hidden] is weak');
    expect(refused.err).toContain('--password: not [hidden]');
    expect(refused.err).not.toContain(secret);
  });
});

describe('the key', () => {
  it.each(OPERATIONS.map(({ id }) => id))('is in no dry run of %s', async (id) => {
    const ran = await bench.run(['--dry-run', '--show-secrets', ...bench.words(id)]);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain('authorization: Bearer [hidden]');
    expect(ran.out + ran.err).not.toContain(bench.provider.token);
  });
});
