/** The JSON Schema (draft 2020-12) that editors check a configuration with while it is written. */
import { z } from 'zod';
import { configSchema } from './schema.ts';

/** A reference stands for a value of any type, so a number or a choice may be written as one, too. */
const REFERENCE: z.core.JSONSchema.JSONSchema = { type: 'string', pattern: '\\$\\{(env|file|credential):[^{}]+\\}' };

export function configJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(configSchema, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema, zodSchema }) => {
      const { usually } = jsonSchema;
      if (usually !== undefined) jsonSchema.default = usually;
      delete jsonSchema['usually'];
      const typed =
        zodSchema instanceof z.ZodNumber || zodSchema instanceof z.ZodBoolean || zodSchema instanceof z.ZodEnum;
      if (!typed) return;
      const { title, description, default: otherwise, ...rest } = jsonSchema;
      for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
      const about = { title, description, default: otherwise };
      for (const [key, value] of Object.entries(about)) {
        if (value !== undefined) Object.assign(jsonSchema, { [key]: value });
      }
      jsonSchema.anyOf = [rest, REFERENCE];
    },
  });
  return schema;
}

/** As it is committed and printed. */
export function configJsonSchemaText(): string {
  return `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
}
