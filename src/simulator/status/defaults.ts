/** The components of a hosted-telephony provider, for worlds that name none of their own. */
import type { ComponentDraft } from './components.ts';

export const DEFAULT_PAGE_NAME = 'Southern Cross Voice';

export const DEFAULT_COMPONENTS: readonly ComponentDraft[] = [
  { id: 101, name: 'SIP Trunks', description: 'Calls to and from the public network' },
  { id: 102, name: 'SIP Trunks – Melbourne', parent: 101, description: 'mel1 and mel2' },
  { id: 103, name: 'SIP Trunks – Sydney', parent: 101, description: 'syd1 and syd2' },
  { id: 104, name: 'SIP Trunks – Perth', parent: 101, description: 'per1' },
  { id: 110, name: 'Hosted PBX', description: 'Extensions, queues, voicemail' },
  { id: 111, name: 'Registrations', parent: 110, description: 'Desk phones and softphones signing in' },
  { id: 112, name: 'Call Queues', parent: 110, description: '' },
  { id: 113, name: 'Voicemail', parent: 110, description: '' },
  { id: 120, name: 'SMS', description: 'Messages to and from Australian mobiles' },
  { id: 130, name: 'Number Porting', description: '' },
  { id: 140, name: 'Customer Portal', description: 'portal and dashboard' },
  { id: 141, name: 'Account API', description: '' },
];
