/** Every stand-in, by the name of its preset. */
import { autotask } from './autotask.ts';
import { connectwise } from './connectwise.ts';
import { discord } from './discord.ts';
import { freshdesk } from './freshdesk.ts';
import { freshservice } from './freshservice.ts';
import { googlechat } from './googlechat.ts';
import { halopsa } from './halopsa.ts';
import { jira } from './jira.ts';
import { jsm } from './jsm.ts';
import { matrix } from './matrix.ts';
import { mattermost } from './mattermost.ts';
import { ntfy } from './ntfy.ts';
import { pushover } from './pushover.ts';
import { servicenow } from './servicenow.ts';
import { smsClicksend } from './sms-clicksend.ts';
import { smsTwilio } from './sms-twilio.ts';
import type { StandIn } from './stand-in.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';
import type { Desk } from './ticket-desk.ts';
import { zendesk } from './zendesk.ts';
import { zulip } from './zulip.ts';

/** Those of ticket systems. */
export const DESKS: Readonly<Record<string, Desk>> = {
  autotask,
  connectwise,
  freshdesk,
  freshservice,
  halopsa,
  jira,
  servicenow,
  zendesk,
};

export const STAND_INS: Readonly<Record<string, StandIn>> = {
  ...DESKS,
  discord,
  googlechat,
  jsm,
  matrix,
  mattermost,
  ntfy,
  pushover,
  'sms-clicksend': smsClicksend,
  'sms-twilio': smsTwilio,
  teams,
  telegram,
  zulip,
};
