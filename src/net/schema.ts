/** Descriptions of zod schemas, from which documents for people and programs are made. */
import type * as z from 'zod';
import { globalRegistry } from 'zod';

/**
 * Attaches a description to a schema that was just made and has no other user. `schema.meta()` would copy it, and copies
 * of hundreds of fields are felt at every start.
 */
export function describeSchema<T extends z.ZodType>(schema: T, about: z.core.GlobalMeta): T {
  globalRegistry.add(schema, about);
  return schema;
}
