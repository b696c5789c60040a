/**
 * The embedded provider: one world behind the provider's HTTP, for tests, for the demo and for whoever wants
 * to see how a client behaves. It answers without a socket too (`app.request`), but for faults of the
 * connection it has to listen on a port.
 */
import { Hono } from 'hono';
import { accountCatalogue } from '../provider/catalogue/account-catalogue.ts';
import { statusCatalogue } from '../provider/catalogue/status-catalogue.ts';
import { type AccountOptions, createAccounts } from './account/account-world.ts';
import { refuseUnknownRoute } from './account/refusal.ts';
import { ACCOUNT_PATH, addAccountRoutes } from './account/account-routes.ts';
import { type SimulatorClock, type Timers, systemClock, systemTimers } from './simulator-clock.ts';
import { createControlPlane } from './control/plane.ts';
import { type Bindings, createExchange } from './simulated-exchange.ts';
import { createFaultBoard } from './fault/fault.ts';
import { createRequestLog } from './request-log.ts';
import { addRoutes } from './routes.ts';
import type { ScenarioRun, Simulation } from './simulation.ts';
import { DEFAULT_COMPONENTS, DEFAULT_PAGE_NAME, type ComponentDraft } from './status/components.ts';
import { DEFAULT_LINKS, type LinkStyle } from './status/links.ts';
import { toCanonicalPath, refuseUnknownPath, createStatusAnswers } from './status/status-answers.ts';
import { createStatusWorld } from './status/world.ts';
import { addVendorRoutes } from './vendors/vendor-routes.ts';
import { VENDORS } from './vendors/vendors.ts';

export interface SimulatorOptions {
  /** The page of another vendor is answered in place of the provider's, from the same world. */
  as?: keyof typeof VENDORS | undefined;
  /** Default: the system's. Tests give their own and move it. */
  clock?: Partial<SimulatorClock> | undefined;
  timers?: Timers | undefined;
  /** Same seed, same world. Default 1. */
  seed?: number | undefined;
  page?: { name?: string | undefined; url?: string | undefined } | undefined;
  /** Default: a dozen components of a telephony provider; an empty list for none. */
  components?: readonly ComponentDraft[] | undefined;
  /** How many notices of the last year the page has behind it. Default 0. */
  past?: number | undefined;
  links?: Partial<LinkStyle> | undefined;
  /** Whether answers carry an ETag. Default: where the vendor's do; of the provider's nothing of the kind is documented. */
  validators?: boolean | undefined;
  /** Default: one account of 24 extensions with the token `simulated-token-1`. */
  accounts?: readonly AccountOptions[] | undefined;
  /** Beyond it an account's requests get 429 with Retry-After. Default: no limit, as none is documented. */
  accountRequestsPerMinute?: number | undefined;
}

export interface Simulator extends Simulation {
  app: Hono<Bindings>;
}

/** Throws `SimulatorError` for what contradicts itself: two accounts of one token, two components of one id. */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const clock: SimulatorClock = { ...systemClock, ...options.clock };
  const timers = options.timers ?? systemTimers;
  const status = createStatusWorld({
    clock,
    name: options.page?.name ?? DEFAULT_PAGE_NAME,
    url: options.page?.url,
    components: options.components ?? DEFAULT_COMPONENTS,
    past: options.past,
    seed: options.seed,
  });
  const faults = createFaultBoard([...Object.keys(statusCatalogue), ...Object.keys(accountCatalogue)]);
  const log = createRequestLog();
  const accounts = createAccounts(clock, options.seed ?? 1);
  for (const draft of options.accounts ?? [{}]) accounts.open(draft);
  let links: LinkStyle = { ...DEFAULT_LINKS, ...options.links };
  const vendor = options.as === undefined ? null : VENDORS[options.as];
  let validators = options.validators ?? vendor?.validators ?? false;
  let scenario: ScenarioRun | null = null;

  const getPath = (request: Request): string => {
    const { pathname } = new URL(request.url);
    return vendor === null ? toCanonicalPath(pathname) : pathname;
  };
  const app = new Hono<Bindings>({ getPath });
  const exchange = createExchange({ clock, timers, faults, log, validators: () => validators });
  if (vendor === null) {
    const answers = createStatusAnswers(status, () => links);
    addRoutes(statusCatalogue, answers, {
      app,
      exchange,
      admit: () => null,
      refuse: (operation, input) =>
        operation.id === 'notices.show' && 'id' in input.errors ? refuseUnknownPath() : null,
    });
  } else {
    addVendorRoutes(vendor, { app, exchange, status, shows: Object.keys(statusCatalogue) });
  }
  app.route(
    '/_control',
    createControlPlane(() => simulator),
  );
  addAccountRoutes({ app, exchange, accounts, clock, perMinute: options.accountRequestsPerMinute ?? null });
  const elsewhere = vendor?.elsewhere ?? refuseUnknownPath;
  app.notFound((context) =>
    exchange(context, null, ({ url }) =>
      Promise.resolve(ACCOUNT_PATH.test(url.pathname) ? refuseUnknownRoute(url.pathname) : elsewhere()),
    ),
  );

  const simulator: Simulator = {
    clock,
    timers,
    status,
    accounts,
    faults,
    log,
    noticeRefs: new Map(),
    setLinks(changed) {
      links = { ...links, ...changed };
    },
    setValidators(on) {
      validators = on;
    },
    scenario: () => scenario,
    setScenario(run) {
      scenario = run;
    },
    app,
  };
  return simulator;
}
