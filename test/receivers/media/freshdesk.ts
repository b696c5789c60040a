/** Source: developers.freshdesk.com/api: create, update and filter tickets, create a note, rate limit, authentication. */
import { freshworks } from './freshworks.ts';

export const freshdesk = freshworks({
  field: 'cf_linewatch',
  search: '/api/v2/search/tickets',
  customer: 'company_id',
  opened: ({ id }) => ({ status: 201, body: `{"id":${id}}` }),
  found: (tickets) => ({
    status: 200,
    body: `{"total":${tickets.length},"results":[${tickets.map(({ id }) => `{"id":${id}}`).join(',')}]}`,
  }),
});
