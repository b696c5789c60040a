/**
 * Pictures of the page for README.md and the documents: the page itself, of nights that are the same on every machine, with
 * its own style sheet, as SVG. No browser draws them, so that every run of the tests can compare them.
 */
import { HOUR, MINUTE, phones, rounds, SETTINGS, town, type PaperPhone } from '../core/account/paper-town.ts';
import { firmNight } from '../support/firm-statuses.ts';
import { pageWith, statusWith } from '../support/system-status.ts';
import { STYLE } from '../../src/web/look/style.ts';

const WIDTH = 1280;
const HEIGHT = 1000;
const FIRM_HEIGHT = 1470;
const REM = 16;

const SITES = { '203.0.113.7': 'Richmond', '203.0.113.8': 'Parramatta', '198.51.100.3': 'Carlton' };
const ALWAYS_OFF = { ranges: [], except: [], timezone: 'Australia/Melbourne' };

/** A provider's outage with the phones it costs at each site, and planned work to come. */
export async function pagePicture(): Promise<string> {
  const all = town();
  await all.sweepPage();
  const [richmond = '', parramatta = '', carlton = ''] = Object.keys(SITES);
  const given = [...phones(1001, 20, richmond), ...phones(1021, 20, parramatta), ...phones(1041, 19, carlton)];
  const account = all.account('head-office', given, {
    ...SETTINGS,
    sites: SITES,
    expectations: [{ toggle: '301', hours: ALWAYS_OFF, grace: HOUR, severity: 'warning' }],
  });
  account.toggles = [{ id: '301', name: 'After hours', status: false }];
  await rounds(all, [account], 10);
  all.world.scheduleMaintenance({
    subject: 'Customer Portal database upgrade',
    beginsAt: all.now() + 26 * HOUR,
    endsAt: all.now() + 28 * HOUR,
  });
  all.world.openNotice({
    subject: 'Inbound calls failing in Melbourne',
    content:
      'We are receiving reports of inbound calls failing on our Melbourne trunks. Our engineers are investigating.',
    components: [2],
  });
  const left: Readonly<Record<string, number>> = { [richmond]: 7, [parramatta]: 8, [carlton]: 7 };
  const kept = new Map<string, number>();
  account.lose(({ address }: PaperPhone) => {
    const count = (kept.get(address) ?? 0) + 1;
    kept.set(address, count);
    return count > (left[address] ?? 0);
  });
  await rounds(all, [account], 12);
  const status = statusWith({
    now: all.now(),
    timezone: 'Australia/Melbourne',
    startedAt: all.now() - 90 * MINUTE,
    sources: { provider: all.page, 'head-office': account.state },
    sites: SITES,
    receivers: [
      {
        name: 'ops-slack',
        type: 'slack',
        isRemoved: false,
        state: { refused: [], failing: null, stuck: null },
        waiting: [],
      },
    ],
  });
  return asSvg(await pageWith(status), HEIGHT);
}

/** A firm's twenty customers in a provider's outage, with one dead site that is not the provider's. */
export async function firmPicture(): Promise<string> {
  const { status, history } = firmNight();
  return asSvg(await pageWith(status, {}, history), FIRM_HEIGHT);
}

/** The body of a page and its style sheet in an SVG, which is XML. */
export function asSvg(page: string, height: number): string {
  const [, body = ''] = /<body>([^]*)<\/body>/.exec(page) ?? [];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">
<style><![CDATA[${styleFor(WIDTH)}]]></style>
<foreignObject width="${WIDTH}" height="${height}">
<body xmlns="http://www.w3.org/1999/xhtml">${asXml(body)}</body>
</foreignObject>
</svg>
`;
}

/** An image has the width of its place and not its own, and follows no colour scheme but that of its surroundings. */
function styleFor(width: number): string {
  const always = (holds: boolean): string => `(width ${holds ? '>=' : '<'} 0px)`;
  return STYLE.replaceAll(/\(width (<|>=) ([\d.]+)rem\)/g, (_all, sign: string, rem: string) =>
    always(sign === '<' ? width < Number(rem) * REM : width >= Number(rem) * REM),
  )
    .replaceAll(/([\d.]+)vw\b/g, (_all, share: string) => `${(Number(share) * width) / 100}px`)
    .replaceAll('(prefers-color-scheme:dark)', always(false))
    .replaceAll('color-scheme:light dark', 'color-scheme:light');
}

const VOID = ['br', 'hr', 'img', 'input', 'link', 'meta'];

/** Our own pages are nearly XML: what is missing are values of attributes and ends of empty elements. Links lead nowhere. */
function asXml(html: string): string {
  return html
    .replaceAll(/<(script|noscript)\b[^]*?<\/\1>/g, '')
    .replaceAll(/<a class="skip"[^]*?<\/a>/g, '')
    .replaceAll(
      /<([a-z][\w-]*)((?:\s+[^\s=<>/]+(?:="[^"]*")?)*)\s*(\/?)>/g,
      (_all, name: string, given: string, end: string) => {
        const attributes = [...given.matchAll(/([^\s=<>/]+)(?:=("[^"]*"))?/g)]
          .filter(([, key]) => !(name === 'a' && key === 'href') && key !== 'data-live' && key !== 'xmlns')
          .map(([, key = '', value = '""']) => ` ${key}=${value}`);
        // HTML knows by itself whose elements these are.
        const space = name === 'svg' ? ' xmlns="http://www.w3.org/2000/svg"' : '';
        return `<${name}${space}${attributes.join('')}${end !== '' || VOID.includes(name) ? '/' : ''}>`;
      },
    )
    .replaceAll(/[ \t]*\n\s*/g, '\n');
}
