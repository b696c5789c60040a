/**
 * The last step of an answer: digits are text with us, and the specification types some of them as integers.
 * Where a schema says so they become JSON numbers, as far as nothing is lost.
 */
import { z } from 'zod';
import { digitsOnTheWire, travelsAsInteger } from '../provider/fields.ts';

type Converter = (value: unknown) => unknown;

/** How values of a schema are written; null where they are written as they are. */
export function wireForm(schema: unknown): Converter | null {
  if (!(schema instanceof z.ZodType)) return null;
  if (travelsAsInteger(schema)) return (value) => (typeof value === 'string' ? digitsOnTheWire(value) : value);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return wireForm(schema.unwrap());
  if (schema instanceof z.ZodArray) return eachOf(wireForm(schema.element));
  if (schema instanceof z.ZodRecord) return eachValue(wireForm(schema.valueType));
  if (schema instanceof z.ZodObject) return byField(schema);
  if (schema instanceof z.ZodUnion) return oneOf(schema);
  return null;
}

function eachOf(convert: Converter | null): Converter | null {
  if (convert === null) return null;
  return (value) => (Array.isArray(value) ? value.map((item) => convert(item)) : value);
}

function eachValue(convert: Converter | null): Converter | null {
  if (convert === null) return null;
  return (value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, convert(item)])) : value;
}

function byField(schema: z.ZodObject): Converter | null {
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    const convert = wireForm(field);
    return convert === null ? [] : [{ name, convert }];
  });
  if (fields.length === 0) return null;
  return (value) => {
    if (!isObject(value)) return value;
    const written = { ...value };
    for (const { name, convert } of fields) if (Object.hasOwn(written, name)) written[name] = convert(written[name]);
    return written;
  };
}

/** The specification leaves open whether some answers are one thing or a list of it. */
function oneOf(schema: z.ZodUnion): Converter {
  const list = schema.options.find((option) => option instanceof z.ZodArray);
  const single = schema.options.find((option) => !(option instanceof z.ZodArray));
  const [convertList, convertSingle] = [wireForm(list), wireForm(single)];
  return (value) => (Array.isArray(value) ? convertList : convertSingle)?.(value) ?? value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
