import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { statusCatalogue } from '../../src/provider/catalogue/status-catalogue.ts';
import { describeOperations, type InputOf, type ResultOf } from '../../src/provider/operation.ts';

describe('a row of the catalogue', () => {
  it('derives the words of the command from its id', () => {
    const rows = describeOperations('account', {
      'phonebook.items.update': {
        verbs: ['PUT', 'PATCH'],
        path: '/api/v1/pbx/phonebook/{phonebook_id}/items/{item}',
        params: z.strictObject({ phonebook_id: z.int(), item: z.int() }),
        result: z.looseObject({}),
        effect: 'set',
        summary: 'Change an item',
        section: '4.B',
      },
    });
    expect(rows['phonebook.items.update'].cli).toEqual({ resource: ['phonebook', 'items'], verb: 'update' });
    expect(rows['phonebook.items.update'].warning).toBeNull();
  });

  it('does not compile when a parameter is misspelt or forgotten', () => {
    const row = {
      verbs: ['GET'],
      path: '/a/{id}',
      result: z.unknown(),
      effect: 'read',
      summary: '',
      section: '',
    } as const;
    // @ts-expect-error the path says {id}
    describeOperations('status', { 'a.show': { ...row, params: z.strictObject({ ident: z.int() }) } });
    // @ts-expect-error the path says {id}
    describeOperations('status', { 'a.show': row });
    expect(
      describeOperations('status', { 'a.show': { ...row, params: z.strictObject({ id: z.int() }) } }),
    ).toHaveProperty('a.show');
  });

  it('gives a call one input object and the documented result', () => {
    expectTypeOf<InputOf<(typeof statusCatalogue)['notices.show']>>().toEqualTypeOf<{ id: number }>();
    expectTypeOf<InputOf<(typeof statusCatalogue)['components.list']>>().toEqualTypeOf<{ page?: number | undefined }>();
    expectTypeOf<ResultOf<(typeof statusCatalogue)['status.show']>['page']['name']>().toEqualTypeOf<string>();
    expectTypeOf<InputOf<(typeof statusCatalogue)['status.show']>>().toEqualTypeOf<{}>();
    expect(Object.keys(statusCatalogue)).toEqual(['status.show', 'components.list', 'notices.list', 'notices.show']);
  });

  it('emits JSON Schema with descriptions', () => {
    const schema = z.toJSONSchema(statusCatalogue['notices.list'].result);
    expect(JSON.stringify(schema)).toContain('Records over all pages.');
  });
});
