import { describe, expect, test } from 'vitest';
import type { AlertView, Change } from '../../../src/core/alert/alert.ts';
import type { Route } from '../../../src/core/alert/route.ts';
import { SELF_NAME } from '../../../src/core/engine/self-source.ts';
import { findAddressees } from '../../../src/core/outbox/routing.ts';
import { createSampleMessage } from '../../../src/core/wording/samples/samples.ts';
import type { Kind, Severity, Status } from '../../../src/core/transition/kind.ts';
import { routingTo } from '../../support/routing.ts';
import { everyone } from '../../support/running-daemon.ts';

const { receivers: RECEIVERS } = routingTo(['slack', 'mail', 'programs', 'test-receiver']);

interface Given {
  source?: string;
  kind?: Kind;
  severity?: Severity;
  status?: Status;
  told?: readonly string[];
  labels?: Record<string, string>;
  resolvedAt?: number | null;
}

function routed(root: Route, given: Given): string[] {
  return waits(root, given).map(([receiver]) => receiver);
}

function waits(root: Route, given: Given): [string, number][] {
  const sample = createSampleMessage(given.kind ?? 'notice.opened', 'slack', 0);
  const view: AlertView = {
    ...sample.alert,
    source: given.source ?? 'provider',
    severity: given.severity ?? 'critical',
    resolvedAt: given.resolvedAt ?? null,
  };
  const changes: Change[] = sample.changes.map(({ transition }) => ({
    transition: { ...transition, source: transition.kind === 'linewatch.config' ? SELF_NAME : view.source },
    status: given.status ?? 'open',
  }));
  const routing = { root, receivers: RECEIVERS, labels: given.labels ?? {} };
  return findAddressees(routing, view, changes, [...(given.told ?? [])]).map(({ receiver, groupWaitMs }) => [
    receiver,
    groupWaitMs,
  ]);
}

const child = (change: Partial<Route>): Route => ({ ...everyone([]), ...change });

describe('the tree', () => {
  test("the root's receivers hear of what no child matches", () => {
    const root = {
      ...everyone(['mail']),
      routes: [child({ matchers: { source: ['head-office'] }, receivers: ['slack'] })],
    };
    expect(routed(root, {})).toEqual(['mail']);
  });

  test('the first child that matches wins', () => {
    const routes = [
      child({ matchers: { severity: ['critical'] }, receivers: ['slack'] }),
      child({ receivers: ['programs'] }),
    ];
    expect(routed({ ...everyone(['mail']), routes }, {})).toEqual(['slack']);
    expect(routed({ ...everyone(['mail']), routes }, { severity: 'info' })).toEqual(['programs']);
  });

  test('unless it says continue', () => {
    const routes = [child({ receivers: ['slack'], continue: true }), child({ receivers: ['programs'] })];
    expect(routed({ ...everyone(['mail']), routes }, {})).toEqual(['slack', 'programs']);
  });

  test('keys are and-ed, values or-ed, globs and labels count', () => {
    const root = {
      ...everyone([]),
      routes: [child({ matchers: { customer: ['ac*', 'b'], kind: ['notice.*'] }, receivers: ['slack'] })],
    };
    expect(routed(root, { labels: { customer: 'acme' } })).toEqual(['slack']);
    expect(routed(root, { labels: { customer: 'other' } })).toEqual([]);
    expect(routed(root, { labels: { customer: 'acme' }, kind: 'source.unreachable' })).toEqual([]);
  });
});

describe('what a route wants', () => {
  test('a least severity', () => {
    const root = { ...everyone(['slack']), minSeverity: 'warning' as const };
    expect(routed(root, { severity: 'info' })).toEqual([]);
    expect(routed(root, { severity: 'warning' })).toEqual(['slack']);
  });

  test('whoever was told hears the rest, though the alert would not reach it now', () => {
    const root = { ...everyone(['slack']), minSeverity: 'warning' as const };
    expect(routed(root, { severity: 'info', status: 'resolved', told: ['slack', 'mail'] })).toEqual(['slack', 'mail']);
  });

  test('some events only, also for whoever was told', () => {
    const root = { ...everyone(['slack']), events: ['opened', 'resolved'] as const };
    expect(routed(root, { status: 'open' })).toEqual(['slack']);
    expect(routed(root, { status: 'update', told: ['slack'] })).toEqual([]);
    expect(routed(root, { status: 'resolved', told: ['slack'] })).toEqual(['slack']);
  });

  test('whoever was told of the beginning is told the end, or it would stand for ever', () => {
    const root = { ...everyone(['slack']), events: ['opened'] as const };
    expect(routed(root, { status: 'resolved', told: ['slack'] })).toEqual(['slack']);
    expect(routed(root, { status: 'update', told: ['slack'] })).toEqual([]);
    expect(routed(root, { status: 'resolved' })).toEqual([]);
  });

  test('of several routes to one receiver the first that wants the change counts', () => {
    const ends = child({ receivers: ['slack'], events: ['resolved'], continue: true, groupWait: 1 });
    const severe = child({ receivers: ['slack'], minSeverity: 'critical', continue: true, groupWait: 2 });
    const rest = child({ receivers: ['slack'], groupWait: 3 });
    const root = { ...everyone(['mail']), routes: [ends, severe, rest] };
    const way = (severity: Severity, status: Status): unknown =>
      waits(root, { kind: 'source.unreachable', severity, status });
    expect(way('warning', 'open')).toEqual([['slack', 3]]);
    expect(way('warning', 'resolved')).toEqual([['slack', 1]]);
  });

  test('the end of what is no longer watched is an end', () => {
    const root = { ...everyone(['slack']), events: ['opened', 'resolved'] as const };
    const ended = { kind: 'linewatch.config', status: 'info', told: ['slack'] } as const;
    expect(routed(root, { ...ended, resolvedAt: 0 })).toEqual(['slack']);
    expect(routed(root, ended)).toEqual([]);
  });
});

describe('what Linewatch says of the alert of a source that is no longer watched', () => {
  const root = {
    ...everyone(['mail', 'programs']),
    routes: [child({ matchers: { customer: ['acme'] }, receivers: ['slack'] })],
  };
  const ended = { kind: 'linewatch.config', status: 'info', resolvedAt: 0 } as const;

  test('is for those who were told of it, although the labels are gone that led to them', () => {
    expect(routed(root, { ...ended, told: ['slack'] })).toEqual(['slack']);
    expect(routed(root, { ...ended, told: ['slack', 'programs'] })).toEqual(['slack', 'programs']);
  });

  test('is for nobody where nobody was told, or nobody is there who was', () => {
    expect(routed(root, ended)).toEqual([]);
    expect(routed(root, { ...ended, told: ['gone'] })).toEqual([]);
  });

  test('is no rule for what it says of itself', () => {
    const own = { ...ended, source: SELF_NAME, resolvedAt: null };
    expect(routed(root, own)).toEqual(['mail', 'programs']);
    expect(routed(root, { ...own, resolvedAt: 0, told: ['slack'] })).toEqual(['mail', 'programs', 'slack']);
  });
});

describe('a receiver that fails', () => {
  test('is announced on the others', () => {
    expect(routed(everyone(['test-receiver', 'slack', 'mail']), { kind: 'receiver.failed' })).toEqual([
      'slack',
      'mail',
    ]);
  });

  test('and on everybody else when its route leads nowhere else', () => {
    expect(routed(everyone(['test-receiver']), { kind: 'receiver.failed' })).toEqual(['slack', 'mail', 'programs']);
  });
});
