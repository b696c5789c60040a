/** One wording for every kind; a kind without one does not compile. */
import type { Change } from '../alert/alert.ts';
import type { Kind, Status } from '../transition/kind.ts';
import type { Transition } from '../transition/transition.ts';
import { componentWording } from './component.ts';
import { credentialsWording } from './credentials.ts';
import { itselfWording } from './itself.ts';
import { maintenanceWording } from './maintenance.ts';
import { noticeChangeWording } from './notice-change.ts';
import { noticeWording } from './notice.ts';
import { outageWording } from './outage.ts';
import { registrationWording } from './registration.ts';
import { sourceWording } from './source.ts';
import { toggleWording } from './toggle.ts';
import type { Setting, Tellers, Wording } from './wording.ts';

const TELLERS: Tellers<Kind> = {
  ...componentWording,
  ...noticeWording,
  ...noticeChangeWording,
  ...maintenanceWording,
  ...sourceWording,
  ...credentialsWording,
  ...registrationWording,
  ...outageWording,
  ...toggleWording,
  ...itselfWording,
};

/** The wording of one change. */
export function tell({ transition, status }: Change, setting: Setting): Wording {
  // The table pairs each kind with the teller of that very kind; the compiler cannot follow the pairing.
  const teller = TELLERS[transition.kind] as (transition: Transition, setting: Setting, status: Status) => Wording;
  return teller(transition, setting, status);
}
