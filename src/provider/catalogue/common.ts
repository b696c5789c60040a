/** Schemas shared by several resources. */
import * as z from 'zod';
import { integer, text } from '../field-kinds.ts';

/** `{status: string}`: answer of most deletions. */
export const statusAnswer = z.looseObject({ status: text('What became of the request.') });

/** `{id}` of the created record. */
export const idAnswer = z.looseObject({ id: integer('Id of the new record.') });

/** An integer id in the path. */
export function idParam(description: string): z.ZodInt {
  return z.int().min(0, 'must not be negative').meta({ description });
}

/** A text in the path. */
export function textParam(description: string): z.ZodString {
  return z.string().min(1, 'must not be empty').meta({ description });
}

export const CANNOT_BE_UNDONE = 'This cannot be undone.';
