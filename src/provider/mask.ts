/** Answers as they may be shown: passwords, codes and addresses that open a recording are struck out. */
import { z } from 'zod';
import { isSecret } from './fields.ts';
import type { Operation } from './operation.ts';

export const MASK = '[hidden]';

/** A copy of an answer of this operation without its secrets; fields nobody documented stay as they are. */
export function maskSecrets(operation: Operation, answer: unknown): unknown {
  return mask(operation.result, answer);
}

/** A copy of the input of an operation without its secrets, to show what would be sent. */
export function maskInput(operation: Operation, input: Readonly<Record<string, unknown>>): unknown {
  return mask(z.object({ ...operation.params.shape, ...operation.query.shape, ...operation.body.shape }), input);
}

function mask(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === null || value === undefined) {
    return value;
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return mask(schema.unwrap(), value);
  }
  if (schema instanceof z.ZodUnion) {
    const option = schema.options.find((each) => each instanceof z.ZodArray === Array.isArray(value));
    return option === undefined ? value : mask(option, value);
  }
  if (schema instanceof z.ZodType && isSecret(schema)) {
    return MASK;
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((entry) => mask(schema.element, entry));
  }
  if (schema instanceof z.ZodRecord && typeof value === 'object') {
    return mapEntries(value, (entry) => mask(schema.valueType, entry));
  }
  if (schema instanceof z.ZodObject && typeof value === 'object') {
    const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
    return mapEntries(value, (entry, name) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return field === undefined ? entry : mask(field, entry);
    });
  }
  return value;
}

/** Keeps the absence of a prototype, which keeps a key such as `__proto__` harmless. */
function mapEntries(value: object, change: (entry: unknown, name: string) => unknown): object {
  const copy = Object.create(Object.getPrototypeOf(value) as object | null) as Record<string, unknown>;
  for (const [name, entry] of Object.entries(value)) {
    Object.defineProperty(copy, name, {
      value: change(entry, name),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}
