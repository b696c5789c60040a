/** Errors whose message already says what is wrong and what would be right. */
import { UnreadableCertificates } from '../../daemon/receivers.ts';
import { DiskError } from '../../store/disk.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import { StateRefused } from '../../store/finding.ts';
import { StateInUse } from '../../store/lock.ts';
import { PlaceRefused } from '../../web/serve.ts';

const FOR_PEOPLE = [StateInUse, StateRefused, DiskError, DatabaseError, UnreadableCertificates, PlaceRefused];

export function isForPeople(error: unknown): error is Error {
  return FOR_PEOPLE.some((kind) => error instanceof kind);
}
