/** Events of the two nights that are shown at a terminal. */
import { HOUR } from './paper-daemon.ts';
import type { NightPhone, NightPlan } from './told-night.ts';

const AROUND = `
instance: hq
timezone: Australia/Melbourne
state_dir: ./state
status_pages:
  - {name: provider, base_url: "https://provider.example.test/"}
  - {name: carrier, type: statuspage, base_url: "https://carrier.example.test/"}
`;
const EXPECT = 'toggles: {expect: [{toggle: After hours, on_during: ["Mon-Sun 17:30-08:30"]}]}';

function desks(account: string, first: number, count: number, address: string, what: string): NightPhone[] {
  return Array.from({ length: count }, (_, place) => ({
    account,
    extension: String(first + place),
    address,
    name: `${what} ${place + 1}`,
  }));
}

/** Every kind of alert there is, some of them over. */
export const COMPANY: NightPlan = {
  yaml: `${AROUND}
accounts:
  - name: acme
    display_name: Acme Pty Ltd
    base_url: "https://acme.example.test"
    api_key: sample
    status_page: provider
    status_pages: [provider, carrier]
    sites: {"203.0.113.7": Richmond, "203.0.113.8": Parramatta Distribution Centre, "198.51.100.3": Perth}
    ${EXPECT}
receivers:
  - {name: ops-slack, type: slack, webhook_url: "https://hooks.slack.com/services/T0/B0/sample"}
  - {name: ops-mail, type: email, smtp: {host: mail.example.com, username: x, password: sample}, from: l@example.com, to: [ops@example.com]}
  - {name: bus, type: webhook, url: "https://bus.example.com/linewatch"}
route: {receivers: [ops-slack, ops-mail, bus], repeat_interval: 1h}
`,
  phones: [
    ...desks('acme', 101, 20, '203.0.113.7', 'Reception and sales desk'),
    ...desks('acme', 201, 20, '203.0.113.8', 'Warehouse'),
    ...desks('acme', 301, 19, '198.51.100.3', 'Desk'),
  ],
  async story(stage) {
    const { page, carrier, lost, phones, receivers, pass } = stage;
    await pass(15);
    const work = page.scheduleMaintenance({
      subject: 'Core router replacement in Melbourne',
      content: 'We replace a core router. Calls in progress may drop once, and new calls go through at once.',
      components: ['Hosted PBX'],
      beginsAt: stage.now() + HOUR,
      endsAt: stage.now() + 2 * HOUR,
    });
    await pass(5);
    for (const phone of phones.filter(({ extension }) => extension === '305')) lost.add(phone);
    await pass(10);
    lost.clear();
    page.setComponentState('Fax Gateway', 'degraded');
    const fibre = carrier.openNotice({
      subject: 'Fibre cut near Ballarat',
      content: 'A fibre is cut.',
      components: ['Fibre Victoria'],
    });
    await pass(20);
    carrier.closeNotice(fibre, { content: 'The fibre is spliced, and all services are back.' });
    await pass(30);
    page.updateNotice(work, { state: 'underway', content: 'The work has begun.' });
    const calls = page.openNotice({
      subject: 'Inbound calls failing on Melbourne SIP trunks',
      content: 'Some inbound calls to Melbourne numbers are not delivered. We are looking for the cause.',
      components: ['SIP Trunks Melbourne', 'SIP Registration'],
    });
    await pass(3);
    for (const phone of phones.filter(({ extension }) => Number(extension) < 218)) lost.add(phone);
    await pass(12);
    page.updateNotice(calls, {
      state: 'identified',
      content: 'A border controller drops registrations of many customers.',
    });
    await pass(5);
    page.editUpdate(calls, -1, 'A border controller dropped the registrations of a few customers.');
    await stage.acknowledge(5, 'alex', 'on the phone with the carrier');
    const refused = {
      kind: 'permanent',
      code: 'other',
      reason: 'Slack says that this webhook no longer exists (404 no_service)',
    } as const;
    receivers.get('ops-slack')!.conduct = () => refused;
    stage.switched.set('acme', false);
    stage.isCarrierThere = false;
    page.setComponentState('Fax Gateway', null);
    await pass(40);
    page.updateNotice(work, { state: 'complete', content: 'The router is replaced.' });
    lost.clear();
    for (const phone of phones.filter(({ extension }) => extension.startsWith('11'))) lost.add(phone);
    page.updateNotice(calls, { state: 'recovering', content: 'Most phones are registered again.' });
    await pass(65);
  },
};

const CUSTOMERS = [
  'Abbott Lawyers',
  'Barossa Wine Cooperative',
  'City Dental',
  'Doncaster Veterinary Hospital',
  'Eastern Freight',
  'Fitzroy Books',
  'Geelong Steel',
  'Hawthorn Medical Centre',
  'Inner West Plumbing',
  'Jackson and Daughters Removals',
  'Kew Kindergarten',
  'Latrobe Timber',
  'Mildura Fruit Growers',
  'Northcote Bakery',
  'Ocean Grove Surf School',
  'Preston Motors',
  'Queenscliff Ferries',
  'Richmond Physiotherapy',
  'Shepparton Packaging',
  'Toorak Travel',
].map((name) => ({ name, id: name.toLowerCase().split(' ')[0] ?? '' }));

const ADDRESSES = CUSTOMERS.map((_, place) => `203.0.113.${place + 10}`);

/** A firm that looks after twenty customers: the provider's trouble hits most, and one has its own. */
export const FIRM: NightPlan = {
  yaml: `${AROUND}
accounts:
${CUSTOMERS.map(
  ({ name, id }, place) =>
    `  - {name: ${id}, display_name: ${name}, labels: {customer: ${id}}, base_url: "https://api.example.test", api_key: sample${place}, status_page: provider, sites: {"${ADDRESSES[place]}": ${name.split(' ').at(-1)} Office}, ${EXPECT}}`,
).join('\n')}
receivers:
  - {name: ops-slack, type: slack, webhook_url: "https://hooks.slack.com/services/T0/B0/sample"}
${CUSTOMERS.map(
  ({ id }) =>
    `  - {name: ${id}-mail, type: email, smtp: {host: mail.example.com, username: x, password: sample}, from: l@example.com, to: [it@${id}.example.com]}`,
).join('\n')}
route:
  receivers: [ops-slack]
  routes:
${CUSTOMERS.map(({ id }) => `    - {matchers: {customer: [${id}]}, receivers: [${id}-mail], continue: true}`).join('\n')}
`,
  phones: CUSTOMERS.flatMap(({ id }, place) =>
    desks(id, 100 * (place + 1), 6 + (place % 5), ADDRESSES[place] ?? '', 'Desk'),
  ),
  async story({ page, lost, phones, receivers, switched, pass }) {
    await pass(15);
    for (const phone of phones.filter(({ account }) => account === 'kew')) lost.add(phone);
    await pass(20);
    page.openNotice({
      subject: 'Registrations failing in Victoria',
      content: 'Phones of many customers cannot register. We are looking for the cause.',
      components: ['SIP Registration'],
    });
    await pass(2);
    for (const phone of phones.filter(({ account }) => account < 'j')) lost.add(phone);
    receivers.get('eastern-mail')!.conduct = () => ({
      kind: 'transient',
      code: 'other',
      reason: 'The mail server answered 451: try again later',
      retryAfterMs: null,
    });
    switched.set('toorak', false);
    await pass(30);
  },
};
