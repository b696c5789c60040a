/** From entries to the tree of routes, with what children inherit filled in. */
import type { Matchers, RouteConfig, SeverityOverride } from './config.ts';
import { ms } from './duration.ts';
import { asList } from './fields.ts';
import type { Merged } from './merged.ts';
import { formatPath } from './path.ts';
import { resolveRanges } from './resolve-range.ts';
import type { RootRouteEntry, RouteEntry, SeverityOverrideEntry } from './route-schema.ts';

const REPEAT = 4 * 3_600_000;
const GROUP_WAIT = 10_000;

type Inherited = Pick<
  RouteConfig,
  'receivers' | 'groupWait' | 'urgentGroupWait' | 'repeatInterval' | 'minSeverity' | 'events' | 'quietHours'
>;

/** Null without a root route. Children from included files follow those of the main file. */
export function resolveRoute({ main, top, routes }: Merged, timezone: string): RouteConfig | null {
  if (top.route === undefined) return null;
  const start: Inherited = {
    receivers: [],
    groupWait: GROUP_WAIT,
    urgentGroupWait: 0,
    repeatInterval: REPEAT,
    minSeverity: null,
    events: null,
    quietHours: null,
  };
  // What the root says is the rule from which urgent matters are the exception; only a child speaks for them as well.
  const own = { ...inherit(top.route, start, timezone), urgentGroupWait: 0 };
  const children = routes.map(({ entry, file, path }) => {
    const rule = formatPath(path);
    return resolveChild(entry, own, timezone, file === main ? rule : `${file.shown}: ${rule}`);
  });
  return { rule: 'route', matchers: {}, ...own, continue: false, routes: children };
}

function resolveChild(entry: RouteEntry, parent: Inherited, timezone: string, rule: string): RouteConfig {
  const own = inherit(entry, parent, timezone);
  const routes = (entry.routes ?? []).map((child, index) =>
    resolveChild(child, own, timezone, `${rule}.routes[${index}]`),
  );
  return { rule, matchers: resolveMatchers(entry.matchers ?? {}), ...own, continue: entry.continue ?? false, routes };
}

function inherit(entry: RootRouteEntry | RouteEntry, parent: Inherited, timezone: string): Inherited {
  const { receivers, group_wait: wait, repeat_interval: repeat, min_severity: least, events } = entry;
  return {
    receivers: receivers === undefined ? parent.receivers : [...new Set(receivers)],
    groupWait: wait === undefined ? parent.groupWait : ms(wait, GROUP_WAIT),
    urgentGroupWait: wait === undefined ? parent.urgentGroupWait : ms(wait, GROUP_WAIT),
    repeatInterval: repeat === undefined ? parent.repeatInterval : (repeat === 0 ? 0 : ms(repeat, REPEAT)) || null,
    minSeverity: least ?? parent.minSeverity,
    events: events ?? parent.events,
    quietHours: resolveQuietHours(entry.quiet_hours, timezone) ?? parent.quietHours,
  };
}

function resolveQuietHours(entry: RouteEntry['quiet_hours'], timezone: string): RouteConfig['quietHours'] {
  if (entry === undefined) return null;
  const { during, let_through: through = 'critical' } = entry;
  const hours = { ranges: resolveRanges(during), except: [], timezone: entry.timezone ?? timezone };
  return { hours, letThrough: through === 'none' ? null : through };
}

function resolveMatchers(entry: Readonly<Record<string, string | string[]>>): Matchers {
  return Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, asList<string>(value)]));
}

export function resolveOverrides(entries: readonly SeverityOverrideEntry[]): SeverityOverride[] {
  return entries.map(({ matchers, severity }, index) => ({
    rule: `severity_overrides[${index}]`,
    matchers: resolveMatchers(matchers),
    severity,
  }));
}
