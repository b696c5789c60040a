/** Actions on accounts: phones, toggles, extensions, calls and credentials. */
import * as z from 'zod';
import { createAction, durationSchema } from './action.ts';
import type { PhoneSelection } from '../account/registered-phones.ts';
import { SimulatorError } from '../simulator-error.ts';

const account = { account: z.string().optional().describe('name of the account; default: the first') };
const number = z.union([z.string(), z.int().transform(String)]);
const which = {
  ...account,
  extension: z
    .union([number, z.array(number)])
    .optional()
    .describe('extension number or numbers'),
  site: z.string().optional().describe('name or external address of a site'),
  model: z.string().optional().describe('part of the user agent'),
  count: z.int().min(1).optional().describe('only the first so many'),
};
const toggleKey = { ...account, toggle: z.union([z.int(), z.string()]).describe('id or name') };

function selection({ extension, site, model, count }: PhoneSelection): PhoneSelection {
  return { extension, site, model, count };
}

const seconds = (milliseconds: number | undefined): number | undefined =>
  milliseconds === undefined ? undefined : milliseconds / 1000;

const common = {
  ...account,
  ended_ago: durationSchema.optional().describe('default: it ends now'),
  wait: durationSchema.optional().describe('from ringing to answer or giving up'),
  talk: durationSchema.optional(),
  reported_after: durationSchema.optional().describe('how late the reports have it; default as lateness says'),
  billed_after: durationSchema.optional().describe('how late the bill has it'),
};
const call = z.discriminatedUnion('direction', [
  z.strictObject({
    direction: z.literal('incoming'),
    ...common,
    from: number,
    did: number,
    rings: z.array(number),
    answered_by: number.optional(),
    diverted_to: number.optional().describe('an outside number that takes the call'),
    transfer_to: number.optional(),
    skillset: z.string().optional(),
    voicemail: z.boolean().optional(),
    recorded: z.boolean().optional(),
    dialplan: z.string().optional(),
    condition: z.string().optional(),
    cause: z.string().optional().describe('hangup cause of each extension that was tried in vain'),
  }),
  z.strictObject({
    direction: z.literal('outgoing'),
    ...common,
    extension: number,
    caller_id: number,
    to: number,
    answered: z.boolean().optional(),
    recorded: z.boolean().optional(),
  }),
  z.strictObject({
    direction: z.literal('internal'),
    ...common,
    extension: number,
    to: number,
    answered: z.boolean().optional(),
  }),
]);

export const accountActions = {
  lose_phones: createAction(
    'Phones lose their registration; all of them unless told which',
    z.strictObject({
      ...which,
      lingers: z.boolean().optional().describe('stay listed until their expiry, as after a power cut'),
      returns_in: durationSchema.optional().describe('come back by themselves after this time'),
    }),
    (simulation, { account: name, lingers, returns_in, ...given }) => ({
      phones: simulation.accounts
        .account(name)
        .world.phones.lose(selection(given), { lingers, returnsIn: seconds(returns_in) }),
    }),
  ),
  return_phones: createAction(
    'Phones register again',
    z.strictObject(which),
    (simulation, { account: name, ...given }) => ({
      phones: simulation.accounts.account(name).world.phones.bringBack(selection(given)),
    }),
  ),
  reboot_phones: createAction(
    'Phones reboot and come back some seconds later',
    z.strictObject(which),
    (simulation, { account: name, ...given }) => ({
      phones: simulation.accounts.account(name).world.phones.reboot(selection(given)),
    }),
  ),
  upgrade_phones: createAction(
    'Phones get another firmware',
    z.strictObject({ ...which, firmware: z.string() }),
    (simulation, { account: name, firmware, ...given }) => ({
      phones: simulation.accounts.account(name).world.phones.upgrade(selection(given), firmware),
    }),
  ),
  move_phones: createAction(
    'Phones are seen from another external address',
    z.strictObject({ ...which, address: z.string() }),
    (simulation, { account: name, address, ...given }) => ({
      phones: simulation.accounts.account(name).world.phones.renumber(selection(given), address),
    }),
  ),
  phone_agent: createAction(
    'Phones send this user agent, whatever it is',
    z.strictObject({ ...which, user_agent: z.string() }),
    (simulation, { account: name, user_agent, ...given }) => ({
      phones: simulation.accounts.account(name).world.phones.setAgent(selection(given), user_agent),
    }),
  ),
  miss_phones: createAction(
    'The next listings leave healthy phones out, as while they refresh',
    z.strictObject({ ...which, listings: z.int().min(1).optional() }),
    (simulation, { account: name, listings, ...given }) => ({
      phones: simulation.accounts.account(name).world.phones.missOnce(selection(given), listings),
    }),
  ),
  toggle: createAction(
    'Set a toggle; status may be anything the interface might write',
    z.strictObject({ ...toggleKey, status: z.union([z.boolean(), z.number(), z.string(), z.null()]) }),
    (simulation, { account: name, toggle, status }) => {
      simulation.accounts.account(name).world.setToggle(toggle, status);
    },
  ),
  add_toggle: createAction(
    'Add a toggle',
    z.strictObject({ ...account, name: z.string(), status: z.boolean().default(false) }),
    (simulation, given) => ({
      toggle: simulation.accounts.account(given.account).world.toggles.add(given.name, given.status),
    }),
  ),
  rename_toggle: createAction(
    'Rename a toggle',
    z.strictObject({ ...toggleKey, name: z.string() }),
    (simulation, { account: owner, toggle, name }) => {
      simulation.accounts.account(owner).world.toggles.get(toggle).name = name;
    },
  ),
  remove_toggle: createAction('Delete a toggle', z.strictObject(toggleKey), (simulation, { account: name, toggle }) => {
    const { toggles } = simulation.accounts.account(name).world;
    toggles.remove(toggles.get(toggle));
  }),
  agent_status: createAction(
    'An agent changes status',
    z.strictObject({ ...account, extension: number, status: z.string() }),
    (simulation, { account: name, extension, status }) => {
      const { extensions } = simulation.accounts.account(name).world;
      const found = extensions.byNumber(extension);
      if (found === undefined) throw new SimulatorError(`There is no extension ${extension}.`);
      extensions.update(found, { agent_mode: true, agent_status: status });
    },
  ),
  place_call: createAction(
    'Record a call; it shows up in charges, reports, recordings and voicemail',
    call,
    (simulation, given) => {
      const { world } = simulation.accounts.account(given.account);
      const times = {
        endedAt: given.ended_ago === undefined ? undefined : world.seconds() - given.ended_ago / 1000,
        waitSeconds: seconds(given.wait),
        talkSeconds: seconds(given.talk),
        reportedAfter: seconds(given.reported_after),
        billedAfter: seconds(given.billed_after),
      };
      if (given.direction === 'internal') {
        const { direction, extension, to, answered } = given;
        return { uuid: world.placeCall({ ...times, direction, extension, to, answered }) };
      }
      if (given.direction === 'outgoing') {
        const { direction, extension, caller_id: callerId, to, answered, recorded } = given;
        return { uuid: world.placeCall({ ...times, direction, extension, callerId, to, answered, recorded }) };
      }
      const { direction, from, did, rings, skillset, voicemail, recorded, dialplan, condition, cause } = given;
      return {
        uuid: world.placeCall({
          ...times,
          direction,
          from,
          did,
          rings,
          skillset,
          voicemail,
          recorded,
          dialplan,
          condition,
          cause,
          answeredBy: given.answered_by,
          divertedTo: given.diverted_to,
          transferTo: given.transfer_to,
        }),
      };
    },
  ),
  fraud: createAction(
    'A stolen password: calls to one country, in a burst that begins now; they show up as they end',
    z.strictObject({
      ...account,
      extension: number,
      caller_id: number,
      country: number.default('53').describe('its code'),
      calls: z.int().min(1).max(1000).default(14),
      over: durationSchema.optional().describe('from the first to the last; default 45m'),
      talk: durationSchema.optional().describe('of each; default 6m'),
      numbers: z.int().min(1).default(3).describe('so many different ones'),
    }),
    (simulation, given) => {
      const { world } = simulation.accounts.account(given.account);
      const [over, talk] = [seconds(given.over) ?? 2700, seconds(given.talk) ?? 360];
      const called = Array.from({ length: given.numbers }, () => `${given.country}7${world.random.digits(7)}`);
      const uuids = Array.from({ length: given.calls }, (_, index) =>
        world.placeCall({
          direction: 'outgoing',
          extension: given.extension,
          callerId: given.caller_id,
          to: called[index % called.length] ?? '',
          talkSeconds: talk,
          endedAt: world.seconds() + talk + (over * index) / given.calls,
        }),
      );
      return { uuids };
    },
  ),
  lateness: createAction(
    'How late calls from now on are in reports and on the bill, and whether they are there at all',
    z.strictObject({
      ...account,
      reports: durationSchema.optional().describe('at most; each call draws its own'),
      charges: durationSchema.optional().describe('at most'),
      unreported: z.boolean().optional().describe('calls fail before they reach the account'),
      still: z.boolean().optional().describe('reports show nothing new from now on'),
    }),
    (simulation, { account: name, reports, charges, unreported, still }) => {
      const { lateness, seconds: now } = simulation.accounts.account(name).world;
      lateness.reports = seconds(reports) ?? lateness.reports;
      lateness.charges = seconds(charges) ?? lateness.charges;
      lateness.unreported = unreported ?? lateness.unreported;
      if (still !== undefined) lateness.stillSince = still ? now() : null;
    },
  ),
  correct_charge: createAction(
    'The provider corrects a charge, or lists it twice',
    z.strictObject({
      ...account,
      uuid: z.string(),
      charge: z.number().optional().describe('dollars; negative for a credit'),
      twice: z.boolean().optional(),
    }),
    (simulation, { account: name, uuid, charge, twice }) => {
      simulation.accounts.account(name).world.calls().correct(uuid, { charge, twice });
    },
  ),
  token: createAction(
    'Change the token of an account; null refuses every token',
    z.strictObject({ ...account, token: z.string().nullable() }),
    (simulation, { account: name, token }) => {
      simulation.accounts.account(name).token = token;
    },
  ),
  quirks: createAction(
    'Ways in which the registration listing departs from its documentation',
    z.strictObject({
      ...account,
      empty_map_as_list: z.boolean().optional(),
      lone_registration_as_object: z.boolean().optional(),
    }),
    (simulation, { account: name, empty_map_as_list, lone_registration_as_object }) => {
      const { quirks } = simulation.accounts.account(name).world;
      quirks.emptyMapAsList = empty_map_as_list ?? quirks.emptyMapAsList;
      quirks.loneRegistrationAsObject = lone_registration_as_object ?? quirks.loneRegistrationAsObject;
    },
  ),
};
