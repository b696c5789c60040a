/** The values of every kind of change in words: from what, to what. */
import { expect, test } from 'vitest';
import { createPlainTitle } from '../../../src/core/alert/titles.ts';
import { KINDS } from '../../../src/core/transition/kind.ts';
import { formatChangeValues } from '../../../src/core/wording/change-words.ts';
import { createSampleMessage } from '../../../src/core/wording/samples/samples.ts';
import type { Setting } from '../../../src/core/wording/wording.ts';

const NOW = Date.parse('2026-03-24T03:43:00.000Z');
const SETTING: Setting = { timezone: 'Australia/Melbourne', now: NOW, names: () => null, customer: () => null };

test('each kind says what changed, in words', () => {
  const said = KINDS.map((kind) => {
    const [change] = createSampleMessage(kind, 'mail', NOW).changes;
    if (change === undefined) throw new RangeError(`${kind} has no sample`);
    return `${kind} — ${createPlainTitle(change.transition)}: ${formatChangeValues(change.transition, SETTING)}`;
  });
  expect(said).toMatchInlineSnapshot(`
    [
      "page.state — Example Telecom (test): operational → degraded",
      "page.remains — Example Telecom (test): still degraded",
      "page.renamed — Example Telecom (test): “Example Tel” → “Example Telecom (test)”",
      "component.state — SIP Trunks Sydney (test): operational → degraded",
      "component.remains — SIP Trunks Sydney (test): still degraded",
      "component.added — SIP Trunks Perth (test): not there → operational",
      "component.removed — SIP Trunks Perth (test): operational → not there",
      "component.renamed — SIP Trunks Sydney (test): “SIP Sydney” → “SIP Trunks Sydney (test)”",
      "component.moved — SIP Trunks Sydney (test): the top level → Voice",
      "notice.opened — Inbound calls failing on Sydney SIP trunks (test): investigating",
      "notice.state — Inbound calls failing on Sydney SIP trunks (test): identified → recovering",
      "notice.update — Inbound calls failing on Sydney SIP trunks (test): identified",
      "notice.reopened — Inbound calls failing on Sydney SIP trunks (test): resolved → investigating",
      "notice.closed — Inbound calls failing on Sydney SIP trunks (test): recovering → resolved",
      "notice.withdrawn — Inbound calls failing on Sydney SIP trunks (test): investigating → withdrawn",
      "notice.unlisted — Inbound calls failing on Sydney SIP trunks (test): recovering → no longer listed",
      "notice.replaced — Inbound calls failing on Sydney SIP trunks (test): notice 4700 → notice 4711",
      "notice.rescheduled — Core router replacement in Melbourne (test): Wed 25 Mar 14:43–16:43 AEDT → Thu 26 Mar 14:43–16:43 AEDT",
      "notice.impact — Inbound calls failing on Sydney SIP trunks (test): SIP Trunks Sydney → SIP Trunks Sydney and Hosted PBX Sydney",
      "notice.subject — Inbound calls failing on Sydney SIP trunks (test): “Problems with inbound calls” → “Inbound calls failing on Sydney SIP trunks (test)”",
      "notice.type — Inbound calls failing on Sydney SIP trunks (test): planned → unplanned",
      "notice.edited — Inbound calls failing on Sydney SIP trunks (test): “Some calls fail.” → “Some inbound calls to Sydney numbers fail.”",
      "maintenance.reminder — Core router replacement in Melbourne (test): 24 h left",
      "maintenance.late — Core router replacement in Melbourne (test): 20 min late",
      "maintenance.overrun — Core router replacement in Melbourne (test): 20 min over its end",
      "source.baseline — Watching Example Telecom (test): 60 components, 2 notices, 1 open",
      "source.schema — test answers outside its specification: 1 oddity that lasts",
      "source.unreachable — test: read → not read: no answer within 15 s",
      "source.recovered — test: not read: no answer within 15 s → read",
      "source.credentials — test: accepted → refused: the credentials were refused with 401",
      "source.accepted — test: refused: the credentials were refused with 401 → accepted",
      "source.changed — test: “Example Telecom (test)” → “Somebody Else (test)”",
      "registration.lost — Extension 101 (Reception (test)): registered → offline",
      "registration.restored — Extension 101 (Reception (test)): offline → registered",
      "registration.mass — Phones at Richmond: 14 of 14 → 0 of 14 registered",
      "registration.removed — Extension 101 (Reception (test)): offline → no longer there",
      "registration.device — Extension 101 (Reception (test)) has a new device: Yealink SIP-T46S 66.85.0.5 → Yealink SIP-T46S 66.86.0.15",
      "registration.network — Extension 101 (Reception (test)) is in a new network: 203.0.113.0/24 → 198.51.100.0/24",
      "registration.moved — Phones at Richmond: 203.0.113.7 → 192.0.2.77",
      "registration.flapping — Extension 101 (Reception (test)): 3 losses",
      "outage.suspected — Phones: 14 phones offline",
      "outage.residual — Phones: 14 phones still offline",
      "toggle.state — Toggle “After hours (test)”: off → on",
      "toggle.renamed — Toggle “After hours (test)”: “After hours” → “After hours (test)”",
      "toggle.added — Toggle “Public holiday (test)”: not there → off",
      "toggle.removed — Toggle “Public holiday (test)”: off → not there",
      "toggle.off_schedule — Toggle “After hours (test)”: off, expected on",
      "toggle.on_schedule — Toggle “After hours (test)”: on, as expected",
      "toggle.missing — Toggle “After hours (test)”: missing, expected on",
      "calls.missed — Missed callers: 1 caller waiting",
      "spend.limit — AUD 41.20 of 50 in call charges today: 80 % of the limit",
      "spend.forecast — Call charges this month: up to AUD 720",
      "calls.stale — Report of outgoing calls: no call for 4 hours",
      "fraud.suspected — Fraud suspected: 14 calls to Cuba (+53): 14 calls",
      "route.dead — Callers of 1300 ••• 019 (Main line, Business hours) reach nobody: 5 callers",
      "agents.none — Support is without an agent: 0 agents",
      "alert.acknowledged — Inbound calls failing on Sydney SIP trunks (test): nobody → alex (test)",
      "receiver.failed — Deliveries to test-receiver fail: taking messages → Slack says that this webhook no longer exists (404 no_service)",
      "receiver.recovered — Deliveries to test-receiver fail: Slack says that this webhook no longer exists (404 no_service) → taking messages",
      "receiver.unproved — Nobody has shown that messages to test-receiver are read: not proved",
      "receiver.proved — Nobody has shown that messages to test-receiver are read: not proved → proved",
      "linewatch.state — Linewatch: its state cannot be written to disk (test)",
      "linewatch.config — Linewatch: reloaded (test)",
      "linewatch.leader — Linewatch: first (test) → second (test)",
    ]
  `);
});
