/** The status interface: four operations that read. Specification sections 2.A and 4.A. */
import * as z from 'zod';
import { integer, stateText, text, timestamp } from '../field-kinds.ts';
import { describeOperations } from '../operation.ts';

const PAGE_STATES = ['operational', 'degraded', 'under_maintenance'] as const;
export const NOTICE_TYPES = ['planned', 'unplanned'] as const;
export const TIMELINE_STATES = ['future', 'present', 'past_recent', 'past_distant'] as const;
const NOTICE_STATES = [
  'investigating',
  'identified',
  'recovering',
  'resolved',
  'false_alarm',
  'scheduled',
  'underway',
  'complete',
] as const;

const linkAndCount = z.looseObject({
  href: text('Relative path of the collection.'),
  count: integer('How many records the collection holds.'),
});

export const pageSchema = z.looseObject({
  name: text('Title of the status page.'),
  state: stateText(PAGE_STATES, 'State of the whole page.'),
  url: text('Public address of the page.'),
  links: z.looseObject({ components: linkAndCount, notices: linkAndCount }),
  created_at: timestamp('When the page was created.'),
  updated_at: timestamp('When the page last changed.'),
});

export const componentSchema = z.looseObject({
  id: integer('Id of the component.'),
  state: stateText(PAGE_STATES, 'State of the component.'),
  name: text('Name of the component.'),
  description: text('What the component is.'),
  parent_id: integer('Id of the parent component; null for a top-level component.').nullable(),
  created_at: timestamp('When the component was created.'),
  updated_at: timestamp('When the component last changed.'),
});

export const updateSchema = z.looseObject({
  state: stateText(NOTICE_STATES, 'State of the notice as of this update.'),
  content: text('What the provider says.'),
  created_at: timestamp('When the update was posted.'),
  updated_at: timestamp('When the update was last rewritten.'),
});

const noticeFields = {
  id: integer('Id of the notice.'),
  type: stateText(NOTICE_TYPES, 'Incident (unplanned) or maintenance (planned).'),
  timeline_state: stateText(TIMELINE_STATES, 'Where the notice stands in time.'),
  state: stateText(NOTICE_STATES, 'How far the work on it has come.'),
  subject: text('Headline.'),
  url: text('Public address of the notice.'),
  begins_at: timestamp('Start of the scheduled window; planned notices only.').optional(),
  ends_at: timestamp('End of the scheduled window; planned notices only.').optional(),
  began_at: timestamp('Actual start; null while it has not begun.').nullable(),
  ended_at: timestamp('Actual end; null while it has not ended.').nullable(),
  created_at: timestamp('When the notice was created.'),
  updated_at: timestamp('When the notice last changed.'),
  links: z.looseObject({ self: text('Relative path of the notice.') }),
};

const noticeSchema = z.looseObject({ ...noticeFields, latest_update: updateSchema });

const noticeDetailSchema = z.looseObject({
  ...noticeFields,
  components: z.array(componentSchema).meta({ description: 'The components the notice hits.' }),
  updates: z.array(updateSchema).meta({ description: 'The whole history of the notice.' }),
});

const collectionMetaSchema = z.looseObject({
  count: integer('Records on this page.'),
  total_count: integer('Records over all pages.'),
  next_page: text('Relative path of the next page; null or absent on the last one.').nullable().optional(),
});

const pageNumber = z
  .int()
  .min(1, 'must be at least 1')
  .meta({ description: 'Which page of the collection, from 1; at most 25 records each.' });

export const statusCatalogue = describeOperations('status', {
  'status.show': {
    verbs: ['GET'],
    path: '/api/v1/status',
    result: z.looseObject({ page: pageSchema }),
    effect: 'read',
    summary: 'Show the overall state of the status page',
    section: '4.A',
  },
  'components.list': {
    verbs: ['GET'],
    path: '/api/v1/components',
    query: z.strictObject({ page: pageNumber.optional() }),
    result: z.looseObject({ components: z.array(componentSchema), meta: collectionMetaSchema }),
    effect: 'read',
    summary: 'List the components of the service and their states',
    section: '4.A',
  },
  'notices.list': {
    verbs: ['GET'],
    path: '/api/v1/notices',
    query: z.strictObject({
      page: pageNumber.optional(),
      'filter[type_eq]': z.enum(NOTICE_TYPES).meta({ description: 'Only notices of this type.' }).optional(),
      'filter[timeline_state_eq]': z
        .enum(TIMELINE_STATES)
        .meta({ description: 'Only notices that stand here in time.' })
        .optional(),
    }),
    result: z.looseObject({ notices: z.array(noticeSchema), meta: collectionMetaSchema }),
    effect: 'read',
    summary: 'List notices: incidents and planned maintenance',
    section: '4.A',
  },
  'notices.show': {
    verbs: ['GET'],
    path: '/api/v1/notices/{id}',
    params: z.strictObject({ id: z.int().min(0, 'must not be negative').meta({ description: 'Id of the notice.' }) }),
    result: z.looseObject({ notice: noticeDetailSchema }),
    effect: 'read',
    summary: 'Show one notice with its components and whole history',
    section: '4.A',
  },
});
