/** `accounts[].calls`, `spend` and `skillsets`: callers who were missed, what calls cost, and agents. All of it is off by default. */
import * as z from 'zod';
import {
  calendarRanges,
  date,
  duration,
  flag,
  list,
  number,
  optional,
  or,
  settings,
  text,
  timezone,
} from './fields.ts';
import { DAY, MINUTE } from '../../core/text/duration.ts';

const calls = settings({
  missed: flag({ title: 'Missed', description: 'Tell who was missed while phones were lost.', default: false }),
  routes: flag({ title: 'Routes', description: 'Tell of numbers whose callers reach nobody.', default: false }),
  keep: duration(
    { title: 'Keep', description: 'How long calls are kept; sums without numbers stay.', default: '35d' },
    { atLeast: 7 * DAY, atMost: 400 * DAY },
  ),
  country: text(
    { title: 'Country', description: 'Country code of the account, without +.', default: '61', examples: ['61', '64'] },
    (value) => (/^[1-9]\d{0,2}$/.test(value) ? null : 'a country code is one to three digits without +, such as 61'),
  ),
  billing_timezone: optional(
    timezone({
      title: 'Billing time zone',
      description: 'Of the times of charges, until they are matched with calls; default: that of the instance.',
    }),
  ),
  unreachable_causes: or(
    [],
    list(
      {
        title: 'Unreachable causes',
        description: 'More causes of a hangup that mean that no phone was reached.',
        examples: [['RECOVERY_ON_TIMER_EXPIRE']],
      },
      text({ title: 'Cause', description: 'As the report of missed calls writes it.' }),
    ),
  ),
}).meta({ title: 'Calls', description: 'Reports of calls, which are personal data; default: none is read.' });

const numberGlob = text({ title: 'Number', description: 'Digits with * for any others.' }, (value) =>
  /^[0-9*?]+$/.test(value) ? null : 'write digits without + and blanks, and * for any others, such as 44*',
);

const amount = { above: 0, atMost: 10_000_000 };

const spend = settings({
  daily: number({ title: 'Daily', description: 'Warn at 80 % of it, critical at 100 %.' }, amount).optional(),
  monthly: number({ title: 'Monthly', description: 'Warn at 80 % and at 100 % of it.' }, amount).optional(),
  currency: text({ title: 'Currency', description: 'Written before amounts.', default: 'AUD' }, (value) =>
    /^[A-Z]{3}$/.test(value) ? null : 'a currency is three capital letters, such as AUD',
  ),
  alarm: number(
    { title: 'Alarm', description: 'Charges to destinations never called before that are critical.', default: 10 },
    amount,
  ),
  hotline: optional(text({ title: 'Hotline', description: 'Of the provider, for suspected fraud.' })),
  premium: or(
    ['19*'],
    list(
      { title: 'Premium', description: 'Premium numbers, as dialled at home.', examples: [['19*', '0900*']] },
      numberGlob,
    ),
  ),
  allow: or(
    [],
    list(
      { title: 'Allow', description: 'Destinations that are no fraud.', examples: [[{ to: '44*' }]] },
      settings({ to: numberGlob }).meta({ title: 'Destination' }),
    ),
  ),
}).meta({ title: 'Spend', description: 'Call charges, their limits, and fraud; default: neither is watched.' });

const skillset = settings({
  staffed: calendarRanges(
    { title: 'Staffed', description: 'When agents should be there.' },
    { title: 'Range', description: 'A calendar range.', examples: ['Mon-Fri 08:00-18:00'] },
    'the list is empty; name at least one range',
  ),
  except: or(
    [],
    list(
      { title: 'Except', description: 'Days without agents.', examples: [['2026-12-25']] },
      date({ title: 'Date', description: 'A day.' }),
    ),
  ),
  at_least: number(
    { title: 'At least', description: 'So many agents who can take calls.', default: 1 },
    { atLeast: 1, whole: true },
  ),
  for: duration(
    { title: 'For', description: 'How long there may be fewer before that is told.', default: '5m' },
    { atMost: DAY, atLeast: MINUTE },
  ),
}).meta({ title: 'Skillset' });

export const callFields = {
  calls: optional(calls),
  spend: optional(spend),
  skillsets: or(
    {},
    z.record(z.string(), skillset).meta({
      title: 'Skillsets',
      description: 'By name or id: when they should have agents; default: none is watched.',
      examples: [{ Support: { staffed: ['Mon-Fri 08:00-18:00'], at_least: 1, for: '5m' } }],
    }),
  ),
};
