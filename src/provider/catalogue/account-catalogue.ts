/** The account interface: 49 operations, one file a resource. Specification sections 2.B and 4.B. */
import { actionToggles } from './action-toggles.ts';
import { billing } from './billing.ts';
import { callRecordings } from './call-recordings.ts';
import { callTranscripts } from './call-transcripts.ts';
import { extensions } from './extensions.ts';
import { orderNumbers } from './order-numbers.ts';
import { originate } from './originate.ts';
import { phonebookItems } from './phonebook-items.ts';
import { phonebooks } from './phonebooks.ts';
import { registrations } from './registrations.ts';
import { reports } from './reports.ts';
import { skillsets } from './skillsets.ts';
import { sms } from './sms.ts';
import { voicemailExtensions } from './voicemail-extensions.ts';
import { voicemails } from './voicemail.ts';

export const accountCatalogue = {
  ...billing,
  ...orderNumbers,
  ...originate,
  ...actionToggles,
  ...callRecordings,
  ...callTranscripts,
  ...extensions,
  ...phonebooks,
  ...phonebookItems,
  ...registrations,
  ...reports,
  ...skillsets,
  ...sms,
  ...voicemailExtensions,
  ...voicemails,
} as const;

export type AccountCatalogue = typeof accountCatalogue;
export type AccountOperationId = keyof AccountCatalogue;

/** Ids of operations that only read. */
export type AccountReadId = {
  [Id in AccountOperationId]: AccountCatalogue[Id]['effect'] extends 'read' ? Id : never;
}[AccountOperationId];
