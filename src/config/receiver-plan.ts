/** Preview of a configuration's receivers. */
import { listReaches, type Reach } from '../core/alert/route-coverage.ts';
import { createFacts } from '../core/alert/matchers.ts';
import { findReached, type Route } from '../core/alert/route.ts';
import { SELF_NAME } from '../core/engine/self-source.ts';
import { compileGlobs } from '../core/text/glob.ts';
import { formatList } from '../core/text/plain.ts';
import type { Config } from './config.ts';

/** Remarks on receivers and how they are reached. */
export function listReceiverRemarks(config: Config): string[] {
  return [
    ...remarkOnPasswords(config),
    ...remarkOnCustomers(config),
    ...remarkOnPaths(config),
    ...remarkOnProofs(config),
    ...remarkOnWhoIsTold(config),
  ];
}

/** Exchange Online and Outlook.com. The domain's mail exchanger accepts mail without a login. */
const MICROSOFT = /^(smtp|outlook)\.office365\.(com|us)$|^smtp-mail\.outlook\.com$|^(smtp\.)?partner\.outlook\.cn$/i;

/** Source: Microsoft's message MC786329 of 2026-01-27. */
function remarkOnPasswords({ receivers }: Config): string[] {
  return receivers.flatMap((receiver) => {
    if (receiver.type !== 'email' || receiver.smtp.password === null) return [];
    const { host } = receiver.smtp;
    if (!MICROSOFT.test(host.replace(/\.$/, ''))) return [];
    return [
      `receiver ${receiver.name}: signs in to ${host} with a password, which Microsoft turns off by default at the ` +
        'end of December 2026; set up smtp.oauth before (docs: Receivers, Microsoft 365)',
    ];
  });
}

/** Customers without a name for a preset that requires one. */
function remarkOnCustomers({ receivers, accounts }: Config): string[] {
  const labels = [...new Set(accounts.flatMap(({ labels: { customer } }) => customer ?? []))];
  return receivers.flatMap((receiver) => {
    if (receiver.type !== 'http' || !JSON.stringify(receiver.preset.requests).includes('{{customer.')) return [];
    const { customers } = receiver;
    const unmapped = labels.filter((label) => !Object.hasOwn(customers, label));
    if (unmapped.length === 0 || Object.hasOwn(customers, '*')) return [];
    return [
      `receiver ${receiver.name}: customers has no entry for ${formatList(unmapped, 5)}, whose tickets name no customer; ` +
        "add them, or '*' for all others",
    ];
  });
}

/** Sources whose outage would stop every message about it. */
function remarkOnPaths({ route, receivers, statusPages, accounts }: Config): string[] {
  if (route === null) return [];
  const sources = [
    ...statusPages.map(({ name }) => ({ name, labels: {}, upon: [name] })),
    ...accounts.map(({ name, labels, statusPages: pages }) => ({ name, labels, upon: [name, ...pages] })),
  ];
  return sources.flatMap(({ name, labels, upon }) => {
    const given = Object.entries({ ...labels, source: name, severity: 'critical' });
    const facts = createFacts(given.map(([key, value]) => [key, [[value]]] as const));
    const reached = findReached(route, facts, { severity: 'critical', statuses: ['open'] }).filter(
      ({ wanted }) => wanted,
    );
    const ways = receivers.filter((one) => reached.some(({ receiver }) => receiver === one.name));
    const carriers = ways.map(({ carriedBy }) => carriedBy.find((carrier) => upon.includes(carrier)));
    if (ways.length === 0 || carriers.includes(undefined)) return [];
    return [
      `everything critical of ${name} goes to ${formatList(ways.map((way) => way.name))} only, which ` +
        `${formatList([...new Set(carriers.filter((carrier) => carrier !== undefined))])} carries (carried_by), and which ` +
        'would be silent in the outage it announces; add a receiver on another path',
    ];
  });
}

/** A missing proof is reported to the other receivers. */
function remarkOnProofs({ receivers }: Config): string[] {
  const [only, ...others] = receivers;
  if (only === undefined || others.length > 0 || !('prove' in only) || only.prove === null) return [];
  return [`receiver ${only.name}: prove has no other receiver to notify where nobody reads this one; add one`];
}

function remarkOnWhoIsTold(config: Config): string[] {
  const lacking = [
    ...(config.receivers.length === 0 ? ['receivers'] : []),
    ...(config.route === null ? ['route'] : []),
  ];
  if (lacking.length > 0) {
    return [`nobody is told: ${formatList(lacking)} missing; enough to check, but run refuses it`];
  }
  return config.route === null ? [] : remarkOnRoutes(config.route, config);
}

/** Receivers that alerts are escalated to. */
function listEscalated({ escalate, routes }: Route, rotas: Config['rotas']): string[] {
  const named = escalate.flatMap((step) => step.receivers);
  const people = rotas.flatMap(({ name, people: all, fallback }) =>
    named.includes(name) ? [...Object.values(all).flat(), ...fallback] : [],
  );
  return [...named, ...people, ...routes.flatMap((route) => listEscalated(route, rotas))];
}

function remarkOnRoutes(root: Route, { statusPages, accounts, receivers, rotas }: Config): string[] {
  const sources = [
    ...statusPages.map(({ name }) => ({ name, labels: {} })),
    ...accounts.map(({ name, labels }) => ({ name, labels })),
    { name: SELF_NAME, labels: {} },
  ];
  const reaches = listReaches(root, sources);
  const reached = new Set([...reaches.flatMap(({ tells }) => [...tells]), ...listEscalated(root, rotas)]);
  const missed = receivers.map(({ name }) => name).filter((name) => !reached.has(name));
  const names = sources.map(({ name }) => name);
  return [
    ...(missed.length === 0
      ? []
      : [`no route leads to ${missed.length === 1 ? 'the receiver' : 'the receivers'} ${formatList(missed)}`]),
    ...reaches.flatMap((reach) => remarkOnReach(reach, names)),
  ];
}

function remarkOnReach({ route, never, isLeaf, tells, preceded }: Reach, sources: readonly string[]): string[] {
  const { rule, receivers, matchers } = route;
  if (never !== null) {
    if (never.taker !== null) return [`${rule} is never reached: ${never.taker.rule} before it matches everything`];
    const { source } = matchers;
    if (source !== undefined && !sources.some(compileGlobs(source))) {
      return [`${rule} is never reached: no source matches ${formatList(source, Infinity, ' or ')}`];
    }
    const asked = Object.entries(matchers).map(([key, values]) => `${key}=${values.join(',')}`);
    return [`${rule} is never reached: there is nothing with ${formatList(asked)}`];
  }
  if (!isLeaf) return [];
  if (receivers.length === 0) return [`${rule} reaches nobody: its receivers are empty`];
  const silent = receivers.filter((receiver) => !tells.has(receiver));
  if (silent.length === 0) return [];
  const why =
    preceded === null
      ? 'it wants nothing of what gets there (min_severity, events)'
      : `${preceded.rule} leads there before it and wants the same`;
  return [`${rule} never tells ${formatList(silent)} anything: ${why}`];
}
