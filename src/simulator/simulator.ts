/**
 * The embedded provider: one world behind the provider's HTTP interfaces, for tests, the demo and experiments.
 * `app.request` works without a socket, but connection faults need a port.
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
  /** Answers as another vendor's page, from the same world. */
  as?: keyof typeof VENDORS | undefined;
  /** Default: the system's clock. Tests pass their own. */
  clock?: Partial<SimulatorClock> | undefined;
  timers?: Timers | undefined;
  /** Determines the world. Default 1. */
  seed?: number | undefined;
  page?: { name?: string | undefined; url?: string | undefined } | undefined;
  /** Default: a dozen components of a telephony provider; an empty list for none. */
  components?: readonly ComponentDraft[] | undefined;
  /** Number of closed notices of the last year. Default 0. */
  past?: number | undefined;
  links?: Partial<LinkStyle> | undefined;
  /** True if responses carry an ETag. Default: as the vendor does; the provider documents none. */
  validators?: boolean | undefined;
  /** Default: one account of 24 extensions with the token `simulated-token-1`. */
  accounts?: readonly AccountOptions[] | undefined;
}

export interface Simulator extends Simulation {
  app: Hono<Bindings>;
}

/** Throws `SimulatorError` for contradictions such as duplicate tokens or component ids. */
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
  addAccountRoutes({ app, exchange, accounts });
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
