/** Source: api.freshservice.com: create, update and filter tickets, create a note, rate limit, authentication. */
import { freshworks } from './freshworks.ts';

export const freshservice = freshworks({
  field: 'linewatch',
  search: '/api/v2/tickets/filter',
  customer: 'department_id',
  opened: ({ id }) => ({ status: 201, body: `{"ticket":{"id":${id}}}` }),
  found: (tickets) => ({
    status: 200,
    body: `{"tickets":[${tickets.map(({ id }) => `{"id":${id}}`).join(',')}]}`,
  }),
});
