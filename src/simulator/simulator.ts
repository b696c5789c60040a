/**
 * The embedded provider: one world behind the provider's HTTP, for tests, for the demo and for whoever wants
 * to see how a client behaves. It answers without a socket too (`app.request`), but for faults of the
 * connection it has to listen on a port.
 */
import { Hono } from 'hono';
import { statusCatalogue } from '../provider/catalogue/status.ts';
import { type Clock, type Timers, systemClock, systemTimers } from './clock.ts';
import { controlPlane } from './control/plane.ts';
import { type Bindings, createExchange } from './exchange.ts';
import { type FaultBoard, createFaultBoard } from './fault/board.ts';
import { type RequestLog, createRequestLog } from './request-log.ts';
import { addRoutes } from './routes.ts';
import { type ScenarioRun } from './scenario/run.ts';
import { type ComponentDraft } from './status/components.ts';
import { DEFAULT_COMPONENTS, DEFAULT_PAGE_NAME } from './status/defaults.ts';
import { DEFAULT_LINKS, type LinkStyle } from './status/links.ts';
import { canonicalPath, notThere, statusAnswers } from './status/operations.ts';
import { type StatusWorld, createStatusWorld } from './status/world.ts';

export interface SimulatorOptions {
  /** Default: the system's. Tests give their own and move it. */
  clock?: Partial<Clock> | undefined;
  timers?: Timers | undefined;
  /** Same seed, same world. Default 1. */
  seed?: number | undefined;
  page?: { name?: string | undefined; url?: string | undefined } | undefined;
  /** Default: a dozen components of a telephony provider; an empty list for none. */
  components?: readonly ComponentDraft[] | undefined;
  links?: Partial<LinkStyle> | undefined;
  /** Whether answers carry an ETag. Default: no, as nothing of the kind is documented. */
  validators?: boolean | undefined;
}

export interface Simulator {
  clock: Clock;
  timers: Timers;
  status: StatusWorld;
  faults: FaultBoard;
  log: RequestLog;
  /** Names given to notices by scenarios and the control plane. */
  noticeRefs: Map<string, number>;
  setLinks: (links: Partial<LinkStyle>) => void;
  setValidators: (on: boolean) => void;
  /** The scenario being told, if any; set by whoever runs one. */
  scenario: () => ScenarioRun | null;
  setScenario: (run: ScenarioRun | null) => void;
  app: Hono<Bindings>;
}

export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const clock: Clock = { ...systemClock, ...options.clock };
  const timers = options.timers ?? systemTimers;
  const status = createStatusWorld({
    clock,
    name: options.page?.name ?? DEFAULT_PAGE_NAME,
    url: options.page?.url,
    components: options.components ?? DEFAULT_COMPONENTS,
  });
  const faults = createFaultBoard(Object.keys(statusCatalogue));
  const log = createRequestLog();
  let links: LinkStyle = { ...DEFAULT_LINKS, ...options.links };
  let validators = options.validators ?? false;
  let scenario: ScenarioRun | null = null;

  const app = new Hono<Bindings>({ getPath: (request) => canonicalPath(new URL(request.url).pathname) });
  const exchange = createExchange({ clock, timers, faults, log, validators: () => validators });
  addRoutes(
    statusCatalogue,
    statusAnswers(status, () => links),
    {
      app,
      exchange,
      admit: () => null,
      refuse: (operation, input) => (operation.id === 'notices.show' && 'id' in input.errors ? notThere(404) : null),
    },
  );
  app.route(
    '/_control',
    controlPlane(() => simulator),
  );
  app.notFound((context) => exchange(context, null, () => Promise.resolve(notThere(404))));

  const simulator: Simulator = {
    clock,
    timers,
    status,
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
