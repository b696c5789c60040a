/** What Slack's answer means. Source of the codes: Slack's "Sending messages using incoming webhooks", error handling. */
import { outcomeOf } from '../http-outcome.ts';
import type { Answer } from '../../net/exchange.ts';
import type { Outcome } from '../receiver.ts';

const CODES: ReadonlyMap<string, string> = new Map([
  ['invalid_payload', 'it cannot read the message'],
  ['invalid_blocks', 'it does not accept the layout of the message'],
  ['invalid_attachments', 'it does not accept the layout of the message'],
  ['no_text', 'it misses a text'],
  ['too_many_attachments', 'it finds too many attachments'],
  ['user_not_found', 'the person to be addressed does not exist'],
  ['channel_not_found', 'the channel does not exist any more'],
  ['channel_is_archived', 'the channel is archived; reopen it or make a webhook for another one'],
  ['posting_to_general_channel_denied', 'it does not let us post to the general channel'],
  ['action_prohibited', 'an administrator of the workspace does not allow it'],
  ['no_service', 'this webhook is disabled, removed or wrong; make a new one and configure it'],
  ['no_service_id', 'the webhook’s address is incomplete'],
  ['no_active_hooks', 'this webhook is disabled; make a new one and configure it'],
  ['no_team', 'the workspace does not exist any more'],
  ['team_disabled', 'the workspace is disabled'],
  ['invalid_token', 'the webhook’s address is wrong or has been revoked; make a new one and configure it'],
  ['rollup_error', 'it has trouble of its own'],
  ['rate_limited', 'it asks us to slow down'],
]);

export function slackOutcome(answer: Answer, now: number): Outcome {
  // Only codes known here are repeated: an answer from elsewhere might echo the address and the secret in it.
  const code = answer.text.trim();
  const words = CODES.get(code);
  return outcomeOf('Slack', answer, now, words === undefined ? null : `${words} (${code})`);
}
