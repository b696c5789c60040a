/** `database`: state in PostgreSQL, shared by several members. */
import type * as z from 'zod';
import { MINUTE, SECOND } from '../../core/text/duration.ts';
import { duration, explainEmpty, number, optional, settings, text } from './fields.ts';

export const databaseSchema = settings({
  url: text(
    {
      title: 'Address',
      description: 'postgres://user:password@host:5432/name?sslmode=verify-full&sslrootcert=/path. A secret.',
      examples: ['${credential:database}'],
    },
    addressAdvice,
  ),
  lease: duration(
    {
      title: 'Lease',
      description: 'So long after the last sign of life of the member that watches, another may take over.',
      default: '6s',
    },
    { atLeast: 4 * SECOND, atMost: 5 * MINUTE },
  ),
  shards: number(
    {
      title: 'Shards',
      description:
        'So many parts of the sources, each led by one member at a time: the members share the watch. What belongs together (a page and its accounts, all of one origin) stays together. The same for all members.',
      default: 1,
      examples: [3],
    },
    { atLeast: 1, atMost: 32, whole: true },
  ),
  member: optional(
    text(
      { title: 'Member', description: "What this member is called among the others; default the host's name." },
      (value) =>
        /^[^\s/\p{Cc}]{1,100}$/u.test(value) ? null : 'a member is one word without "/", at most 100 characters',
    ),
  ),
}).meta({
  title: 'Database',
  description: 'PostgreSQL 14 or later, shared by all members; default: files in state_dir.',
});

export type DatabaseConfig = z.output<typeof databaseSchema>;

/** Never quotes the value, which contains a password. */
function addressAdvice(value: string): string | null {
  const trouble = explainEmpty(value);
  if (trouble !== null) return trouble;
  if (!/^postgres(?:ql)?:\/\//.test(value)) return 'it is no address of a database; it has to start with postgres://';
  if (!URL.canParse(value)) return 'it is not a valid address; write it as in postgres://user:password@host:5432/name';
  const { hostname, pathname } = new URL(value);
  if (hostname === '') return 'the address names no host';
  return pathname.length > 1 ? null : 'the address names no database; add it after the host, as in /linewatch';
}
