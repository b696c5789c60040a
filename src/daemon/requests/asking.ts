/** Reading what is asked of the daemon, over its control socket or on its page. */
import type { ZodType } from 'zod';
import { ControlRefusal } from '../../control/protocol.ts';

/** What is asked comes from another process; throws `ControlRefusal` where it cannot be read. */
export function readAsk<T>(schema: ZodType<T>, ask: unknown): T {
  const parsed = schema.safeParse(ask);
  if (parsed.success) return parsed.data;
  throw new ControlRefusal(
    `The request cannot be read: ${parsed.error.issues.map(({ message }) => message).join('; ')}.`,
  );
}
