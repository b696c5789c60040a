import { describe, expect, it } from 'vitest';
import { openLog, type LogOutput, type OpenLog } from '../../src/log/open-log.ts';
import type { LogFormat } from '../../src/log/log.ts';

const SECRET = 'hunter2-of-the-webhook';
const NOON = Date.UTC(2026, 0, 1, 12);

async function opened(format: LogFormat, output: Partial<LogOutput> = {}): Promise<{ log: OpenLog; lines: string[] }> {
  const lines: string[] = [];
  const sink: LogOutput = {
    isTerminal: false,
    colour: false,
    isJournal: false,
    write: (text) => lines.push(text),
    ...output,
  };
  const redact = (text: string): string => text.replaceAll(SECRET, '[secret]');
  return { lines, log: await openLog(sink, { level: 'info', format, redact }, { now: () => NOON }) };
}

/** What HTTP and mail libraries throw: everything they had at hand hangs on the error. */
function errorFullOfSecrets(): Error {
  const error = new Error(
    `POST https://user:${SECRET}@hooks.example.com/T/${SECRET}?token=${SECRET} failed\nBearer ${SECRET}`,
  );
  return Object.assign(error, {
    code: 'ETIMEDOUT',
    options: { headers: { authorization: `Bearer ${SECRET}` }, url: `https://x/?k=${SECRET}` },
    response: { body: SECRET, request: { [SECRET]: SECRET } },
    cause: new Error(SECRET),
    errors: [new Error(SECRET)],
  });
}

describe('the log', () => {
  it('writes one JSON line an event, with level, time, message and fields', async () => {
    const { log, lines } = await opened('auto');
    log.child({ source: 'head-office' }).warn('100 % of %s read', { phones: 52, level: 'mine', nothing: undefined });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.endsWith('\n')).toBe(true);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'warn',
      time: '2026-01-01T12:00:00.000Z',
      msg: '100 % of %s read',
      source: 'head-office',
      phones: 52,
      level_: 'mine',
    });
  });

  it.each(['json', 'pretty'] as const)('gives no planted secret away as %s, and stays on one line', async (format) => {
    const { log, lines } = await opened(format);
    const circular: Record<string, unknown> = { note: SECRET };
    circular['self'] = circular;
    log.error(`could not deliver to ${SECRET}`, {
      error: errorFullOfSecrets(),
      webhook_url: 'https://hooks.example.com/unknown-to-the-redaction',
      headers: { Authorization: 'Basic unknown-to-the-redaction', accept: '*/*' },
      url: new URL(`https://u:unknown-to-the-redaction@h/p?unknown-to-the-redaction#x`),
      list: [SECRET, new Map([['api_key', 'unknown-to-the-redaction']]), new Set([SECRET])],
      [`key ${SECRET}`]: { [SECRET]: 1 },
      circular,
    });
    expect(lines).toHaveLength(1);
    const [line = ''] = lines;
    expect(line).not.toContain(SECRET);
    expect(line).not.toContain('unknown-to-the-redaction');
    expect(line.trimEnd()).not.toContain('\n');
    expect(line).toContain('ETIMEDOUT');
    expect(line).toContain('open-log.test.ts');
    expect(line).toContain('*/*');
  });

  it('begins each line with its priority where the journal reads, JSON only where it is asked for', async () => {
    const { log, lines } = await opened('json', { isJournal: true, isTerminal: true });
    log.reconfigure({ level: 'debug', redact: (text) => text });
    log.debug('a');
    log.info('b');
    log.warn('c');
    log.error('d');
    expect(lines.map((line) => line.slice(0, 4))).toEqual(['<7>{', '<6>{', '<4>{', '<3>{']);
  });

  it('writes the journal sentences, with the fields behind them', async () => {
    const { log, lines } = await opened('auto', { isJournal: true, isTerminal: true });
    const say = (): string => `Opened #2: calls ${SECRET}\nfail (provider)`;
    log.info('transition', { kind: 'notice.opened', from: null, to: 'identified', names: ['a', 'b'], n: 2 }, say);
    log.warn('delivery failed', { reason: 'no "way"', error: new Error('gone\naway') });
    expect(lines[0]).toBe(
      '<6>Opened #2: calls [secret] fail (provider) event=transition kind=notice.opened to=identified names=a,b n=2\n',
    );
    expect(lines[1]).toMatch(
      /^<4>Delivery failed reason="no \\"way\\"" error="Error: gone\\naway at .*open-log\.test\.ts.*"\n$/,
    );
  });

  it('gives the journal whole entries where it takes them, and writes a line where it does not', async () => {
    const entries: string[] = [];
    let takes = true;
    const journal = (entry: Buffer): boolean => takes && entries.push(entry.toString('latin1')) > 0;
    const { log, lines } = await opened('auto', { isJournal: true, journal });
    log.info('transition', { source: 'provider', retryInMs: 5, 'odd key': true }, () => 'One sentence');
    log.error('two', { text: 'a\nb' });
    takes = false;
    log.info('three');
    expect(entries).toEqual([
      'MESSAGE=One sentence\nPRIORITY=6\nSYSLOG_IDENTIFIER=linewatch\nLINEWATCH_EVENT=transition\n' +
        'LINEWATCH_SOURCE=provider\nLINEWATCH_RETRY_IN_MS=5\nLINEWATCH_ODD_KEY=true\n',
      'MESSAGE=Two\nPRIORITY=3\nSYSLOG_IDENTIFIER=linewatch\nLINEWATCH_TEXT\n\x03\0\0\0\0\0\0\0a\nb\n',
    ]);
    expect(lines).toEqual(['<6>Three\n']);
  });

  it('keeps messages and fields for programs, and never makes a sentence for them', async () => {
    const { log, lines } = await opened('auto');
    log.info('transition', { source: 'provider' }, () => {
      throw new Error('nobody reads it');
    });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'transition', source: 'provider' });
  });

  it('is readable on a terminal', async () => {
    const { log, lines } = await opened('auto', { isTerminal: true });
    log.info('sweep done', { source: 'provider' });
    expect(lines[0]).toMatch(/^\[[-\d]+ [:\d]+\] INFO: sweep done \{"source":"provider"\}\n$/);
  });

  it('follows a reload in level and secrets, in children made before it too', async () => {
    const { log, lines } = await opened('json');
    const child = log.child({ source: 'a' });
    child.debug('not yet');
    log.reconfigure({ level: 'debug', redact: (text) => text.replaceAll('rotated', '[secret]') });
    child.debug('now', { key: 'rotated' });
    log.reconfigure({ level: 'error', redact: (text) => text });
    child.warn('not any more');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"key":"[secret]"');
  });

  it.each([[undefined], [null], ['a text'], [{ message: SECRET }], [Object.create(null)], [Symbol('x')]])(
    'says something of whatever was thrown: %s',
    async (thrown) => {
      const { log, lines } = await opened('json');
      log.error('failed', { error: thrown });
      expect(lines).toHaveLength(1);
      expect(lines[0]).not.toContain(SECRET);
    },
  );
});
