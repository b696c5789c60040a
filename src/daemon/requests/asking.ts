/** Parses requests to the daemon, from its control socket or its page. */
import type { ZodType } from 'zod';
import { ControlRefusal } from '../../control/protocol.ts';

/** The request comes from another process; throws `ControlRefusal` if it is invalid. */
export function readAsk<T>(schema: ZodType<T>, ask: unknown): T {
  const parsed = schema.safeParse(ask);
  if (parsed.success) return parsed.data;
  throw new ControlRefusal(
    `The request cannot be read: ${parsed.error.issues.map(({ message }) => message).join('; ')}.`,
  );
}
