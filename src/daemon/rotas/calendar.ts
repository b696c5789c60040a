/** Shifts in an iCalendar (RFC 5545): events with repetitions, exceptions and time zones. */
import { isTimeZone } from '../../core/text/time-zone.ts';
import type { Shift } from '../../core/outbox/rota.ts';
import { DAY } from '../../core/text/duration.ts';

export interface CalendarRules {
  /** Receivers by the person's name in the calendar. */
  people: Readonly<Record<string, readonly string[]>>;
  /** Zone of floating times and whole days. */
  timezone: string;
  /** Range of the requested shifts, epoch milliseconds. */
  from: number;
  until: number;
}

/** Limit for rules that repeat an event every second for ever. */
const MOST_STEPS = 20_000;

/** Null if the text is not a calendar, or repeats its events too often. */
export async function readShifts(text: string, rules: CalendarRules): Promise<Shift[] | null> {
  const { default: ical } = await import('ical.js');
  let steps = 0;

  /** Its own zone by name, else by the definition in the calendar. */
  function instantOf(time: InstanceType<typeof ical.Time>, zoneName: string | undefined): number {
    const { year, month, day, hour, minute, second, isDate, zone } = time;
    const local = Temporal.PlainDateTime.from(
      isDate ? { year, month, day } : { year, month, day, hour, minute, second },
    );
    const isDefined = zone.tzid !== 'floating';
    const isOwnZone = !isDate && zoneName !== undefined && isTimeZone(zoneName);
    if (isOwnZone) return local.toZonedDateTime(zoneName).epochMilliseconds;
    return isDate || !isDefined ? local.toZonedDateTime(rules.timezone).epochMilliseconds : time.toUnixTime() * 1000;
  }

  try {
    const calendar = new ical.Component(ical.parse(text) as unknown[]);
    if (calendar.name !== 'vcalendar') return null;
    const components = calendar.getAllSubcomponents('vevent');
    const events = components.map((component) => new ical.Event(component));
    const shifts: Shift[] = [];
    for (const event of events) {
      if (event.isRecurrenceException()) continue;
      for (const other of events) {
        if (other.uid === event.uid && other.isRecurrenceException()) event.relateException(other);
      }
      const iterator = event.iterator();
      for (let start = iterator.next(); start; start = iterator.next()) {
        steps += 1;
        if (steps > MOST_STEPS) return null;
        const { item, startDate, endDate } = event.getOccurrenceDetails(start);
        const zoneOfItem = zoneOf(item.component, 'dtstart');
        const begins = instantOf(startDate, zoneOfItem);
        const ends = instantOf(endDate, zoneOf(item.component, 'dtend') ?? zoneOfItem);
        if (instantOf(start, zoneOf(event.component, 'dtstart')) > rules.until + DAY) break;
        const isOff = String(item.component.getFirstPropertyValue('status')).toUpperCase() === 'CANCELLED';
        if (isOff || ends <= rules.from || begins >= rules.until || ends <= begins) continue;
        const person = toPerson(item.summary);
        shifts.push({ begins, ends, person, receivers: receiversOf(person, rules.people) });
      }
    }
    return shifts.toSorted((a, b) => a.begins - b.begins);
  } catch {
    // An external calendar: whatever the error, it cannot be used.
    return null;
  }
}

interface HasProperties {
  getFirstProperty(name: string): { getFirstParameter(name: string): string } | null;
}

function zoneOf(component: HasProperties, property: 'dtstart' | 'dtend'): string | undefined {
  return component.getFirstProperty(property)?.getFirstParameter('tzid');
}

function toPerson(summary: unknown): string {
  return typeof summary === 'string' ? summary.trim().slice(0, 200) : '';
}

/** The longest name in the event's title, ignoring case. */
function receiversOf(person: string, people: CalendarRules['people']): readonly string[] {
  const title = ` ${person.toLowerCase().replaceAll(/[^\p{L}\p{N}@.]+/gu, ' ')} `;
  const names = Object.keys(people).toSorted((a, b) => b.length - a.length);
  const found = names.find((name) =>
    title.includes(
      ` ${name
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}@.]+/gu, ' ')} `,
    ),
  );
  return found === undefined ? [] : (people[found] ?? []);
}
