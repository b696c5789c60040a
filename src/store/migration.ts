/** The way from a document's older schema to the one this program knows. */
import { StateRefused } from './finding.ts';

/** One step: takes a document of schema `to - 1` and gives one of schema `to`. Must not change its argument. */
export interface Migration {
  to: number;
  change: (value: unknown) => unknown;
}

/**
 * The value in the schema this program knows.
 * Throws `StateRefused` when the document is newer, when a step is missing, or when a step fails.
 */
export function migrate(
  path: string,
  found: { schema: number; value: unknown },
  known: { schema: number; migrations: readonly Migration[] },
): unknown {
  if (found.schema > known.schema) {
    throw new StateRefused(
      'newer-schema',
      path,
      `${path} was written by a newer Linewatch (schema ${found.schema}; this one knows up to ${known.schema}). ` +
        'It was left as it is: run the newer version, or give this one another state_dir.',
    );
  }
  let value = found.value;
  for (let to = found.schema + 1; to <= known.schema; to += 1) {
    const step = known.migrations.find((migration) => migration.to === to);
    if (step === undefined) {
      throw new StateRefused(
        'unknown-schema',
        path,
        `${path} has schema ${found.schema}, and this Linewatch (schema ${known.schema}) has no way up from ${to - 1}. ` +
          'It was left as it is: run a version in between first, or give this one another state_dir.',
      );
    }
    value = take(path, step, value);
  }
  return value;
}

function take(path: string, step: Migration, value: unknown): unknown {
  try {
    return step.change(value);
  } catch (cause) {
    throw new StateRefused(
      'unknown-schema',
      path,
      `${path} could not be brought from schema ${step.to - 1} to ${step.to}. It was left as it is.`,
      cause,
    );
  }
}
