/** What matchers can ask about an alert: each key with every value the alert and its changes have for it. */
import type { AlertView, Change } from './alert.ts';
import type { Facts } from './route.ts';

export function facts(view: AlertView, changes: readonly Change[], labels: Readonly<Record<string, string>>): Facts {
  const components = changes.flatMap(({ transition }) => {
    if (
      transition.subject.startsWith('component/') &&
      'name' in transition.details &&
      transition.details.name !== null
    ) {
      return [transition.subject.slice('component/'.length), transition.details.name];
    }
    if ('components' in transition.details && Array.isArray(transition.details.components)) {
      return transition.details.components.flatMap(({ id, name }) => [id, name]);
    }
    return [];
  });
  const phones = changes.flatMap(({ transition: { details } }) => {
    if ('extension' in details) return [{ extension: details.extension, sites: [details.site, details.address] }];
    if (!('phones' in details) || !Array.isArray(details.phones)) return [];
    const sites = [...details.sites, details.domain.address];
    return details.phones.map(({ extension }) => ({ extension, sites }));
  });
  return {
    ...Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, [value]])),
    severity: [view.severity],
    source: [view.source],
    kind: [...new Set(changes.map(({ transition }) => transition.kind))],
    component: [...new Set(components)],
    extension: [...new Set(phones.map(({ extension }) => extension))],
    site: [...new Set(phones.flatMap(({ sites }) => sites).filter((site) => site !== null))],
  };
}
