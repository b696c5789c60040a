/** Actions on the status page: notices, components, the page itself, and link styles. */
import * as z from 'zod';
import { createAction, durationSchema } from './action.ts';
import type { Simulation } from '../simulation.ts';
import { LAST_PAGE_STYLES, NEXT_PAGE_STYLES } from '../status/links.ts';
import { NOTICE_TYPES } from '../status/notices.ts';
import { SimulatorError } from '../simulator-error.ts';

const componentKey = z.union([z.int(), z.string()]).describe('id or name');
const noticeKey = z
  .union([z.int(), z.string()])
  .optional()
  .describe('id, or the name given as ref when it was opened; default: the notice opened last');
const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const state = z.string().min(1);

const content = z.strictObject({
  state: state.optional().describe('any string; unknown states exist'),
  content: z.string().optional().describe('text of the update'),
  subject: z.string().optional(),
  type: z.enum(NOTICE_TYPES).optional(),
  components: z.array(componentKey).optional(),
  begins_at: time.optional(),
  ends_at: time.optional(),
  begins_in: durationSchema.optional().describe('in place of begins_at, from now'),
  ends_in: durationSchema.optional().describe('in place of ends_at, from now'),
});
const existing = { notice: noticeKey };

function noticeId(simulation: Simulation, key: number | string | undefined): number {
  if (typeof key === 'number') return key;
  const id = key === undefined ? simulation.status.latestNotice() : simulation.noticeRefs.get(key);
  if (id !== null && id !== undefined) return id;
  throw new SimulatorError(
    key === undefined ? 'No notice has been opened yet.' : `No notice was opened with ref ${JSON.stringify(key)}.`,
  );
}

type NoticeContent = z.output<typeof content>;

function revision(
  simulation: Simulation,
  given: NoticeContent,
): Omit<NoticeContent, `${'begins' | 'ends'}_${'at' | 'in'}`> & {
  beginsAt: number | undefined;
  endsAt: number | undefined;
} {
  const { begins_at, ends_at, begins_in, ends_in, ...rest } = given;
  const now = simulation.clock.now();
  return {
    ...rest,
    beginsAt: begins_in === undefined ? begins_at : now + begins_in,
    endsAt: ends_in === undefined ? ends_at : now + ends_in,
  };
}

export const statusActions = {
  open_notice: createAction(
    'Open a notice: an incident, planned work (with a window) or a general notice',
    z.strictObject({
      ...content.shape,
      ref: z.string().optional().describe('a name for later actions'),
      id: z.int().optional(),
      subject: z.string(),
      began_ago: durationSchema.optional().describe('it really began this long ago'),
    }),
    (simulation, { ref, id, began_ago, ...given }) => {
      const notice = simulation.status.openNotice({
        ...revision(simulation, given),
        subject: given.subject,
        id,
        beganAt: began_ago === undefined ? undefined : simulation.clock.now() - began_ago,
      });
      if (ref !== undefined) simulation.noticeRefs.set(ref, notice);
      return { notice };
    },
  ),
  update_notice: createAction(
    'Change a notice; with content an update is appended, without one it changes silently',
    z.strictObject({ ...existing, ...content.shape }),
    (simulation, { notice, ...given }) => {
      simulation.status.updateNotice(noticeId(simulation, notice), revision(simulation, given));
    },
  ),
  close_notice: createAction(
    'End a notice: resolved or complete unless told otherwise',
    z.strictObject({ ...existing, state: state.optional(), content: z.string().optional() }),
    (simulation, { notice, ...end }) => {
      simulation.status.closeNotice(noticeId(simulation, notice), end);
    },
  ),
  edit_update: createAction(
    'Rewrite an update in place; index counts from the oldest, -1 is the newest',
    z.strictObject({ ...existing, index: z.int().default(-1), content: z.string() }),
    (simulation, { notice, index, content: text }) => {
      simulation.status.editUpdate(noticeId(simulation, notice), index, text);
    },
  ),
  review_notice: createAction(
    'Append a review to a notice without changing its state',
    z.strictObject({ ...existing, content: z.string() }),
    (simulation, { notice, content: text }) => {
      simulation.status.appendReview(noticeId(simulation, notice), text);
    },
  ),
  withdraw_notice: createAction('Delete a notice', z.strictObject(existing), (simulation, { notice }) => {
    simulation.status.withdrawNotice(noticeId(simulation, notice));
  }),
  archive_notice: createAction(
    'Take a notice out of the list; its detail answers 404 or 410',
    z.strictObject({ ...existing, status: z.union([z.literal(404), z.literal(410)]).default(404) }),
    (simulation, { notice, status }) => {
      simulation.status.archiveNotice(noticeId(simulation, notice), status);
    },
  ),
  hide_notice: createAction(
    'Take a notice out of the list only',
    z.strictObject(existing),
    (simulation, { notice }) => {
      simulation.status.hideNotice(noticeId(simulation, notice));
    },
  ),
  restore_notice: createAction('Bring an archived notice back', z.strictObject(existing), (simulation, { notice }) => {
    simulation.status.restoreNotice(noticeId(simulation, notice));
  }),
  add_component: createAction(
    'Add a component',
    z.strictObject({
      name: z.string(),
      id: z.int().optional(),
      parent: componentKey.optional(),
      description: z.string().optional(),
      state: state.optional(),
    }),
    (simulation, draft) => ({ component: simulation.status.addComponent(draft) }),
  ),
  remove_component: createAction(
    'Remove a component',
    z.strictObject({ component: componentKey }),
    (simulation, given) => {
      simulation.status.removeComponent(given.component);
    },
  ),
  rename_component: createAction(
    'Rename a component',
    z.strictObject({ component: componentKey, name: z.string() }),
    (simulation, { component, name }) => {
      simulation.status.renameComponent(component, name);
    },
  ),
  move_component: createAction(
    'Put a component under another, or at the top with null',
    z.strictObject({ component: componentKey, parent: componentKey.nullable() }),
    (simulation, { component, parent }) => {
      simulation.status.moveComponent(component, parent);
    },
  ),
  component_state: createAction(
    "Set a component's state by hand; null gives it back to the notices",
    z.strictObject({ component: componentKey, state: state.nullable() }),
    (simulation, given) => {
      simulation.status.setComponentState(given.component, given.state);
    },
  ),
  page_state: createAction(
    "Set the page's state by hand; null gives it back to the notices",
    z.strictObject({ state: state.nullable() }),
    (simulation, given) => {
      simulation.status.setPageState(given.state);
    },
  ),
  rename_page: createAction('Rename the page', z.strictObject({ name: z.string() }), (simulation, { name }) => {
    simulation.status.renamePage(name);
  }),
  touch: createAction('Move every updated_at and nothing else', z.strictObject({}), (simulation) => {
    simulation.status.touch();
  }),
  reorder: createAction('Turn the order of both lists around', z.strictObject({}), (simulation) => {
    simulation.status.reorder();
  }),
  links: createAction(
    'Choose how links are written',
    z.strictObject({
      href: z.enum(['bare', 'api']).optional(),
      next_page: z.enum(NEXT_PAGE_STYLES).optional(),
      last_page: z.enum(LAST_PAGE_STYLES).optional(),
      self: z.enum(['unversioned', 'api', 'bare']).optional(),
    }),
    (simulation, { href, next_page, last_page, self }) => {
      simulation.setLinks({
        ...(href !== undefined && { href }),
        ...(next_page !== undefined && { nextPage: next_page }),
        ...(last_page !== undefined && { lastPage: last_page }),
        ...(self !== undefined && { self }),
      });
    },
  ),
};
