/** `rotas`: calendars that say who is on duty. */
import * as z from 'zod';
import { list, name, oneOrMore, optional, or, settings, text, timezone } from './fields.ts';

const receiver = text({ title: 'Receiver', description: 'Name of a receiver.' });

export const rotaSchema = settings({
  name: name({ title: 'Name', description: 'Its name in escalate; no receiver has it.' }),
  calendar: text({
    title: 'Calendar',
    description: 'An iCalendar file, relative to this file, or the address of one, read every 15 minutes.',
    examples: ['./on-call.ics', '${credential:rota}'],
  }),
  people: z.record(z.string(), oneOrMore({ title: 'Receivers', description: 'Of this person.' }, receiver)).meta({
    title: 'People',
    description: 'Receivers by the name that stands in the title of the events.',
    examples: [{ alice: ['alice-phone'], bob: ['bob-phone'] }],
  }),
  fallback: or(
    [],
    list({ title: 'Fallback', description: 'Receivers at times without anybody in the calendar.' }, receiver),
  ),
  timezone: optional(
    timezone({
      title: 'Time zone',
      description: 'Of whole days and of times without a zone; default that of the instance.',
    }),
  ),
}).meta({ id: 'rota', title: 'Rota' });
