/** Why a loss is blamed on what it is blamed on: the numbers behind it, in a sentence. */
import type { DomainDetails, MassDetails } from '../transition/transition.ts';
import { named } from './wording.ts';

/** `20 of 20 at Richmond, 0 of 39 elsewhere.`; nothing of an account, whose sites are counted one by one. */
export function whyNamed({ domain, why }: MassDetails): string[] {
  if (why === undefined || domain.kind === 'account' || why.elsewhere.total === 0) return [];
  const { down, total, elsewhere } = why;
  return [`${down} of ${total} ${within(domain)}, ${elsewhere.down} of ${elsewhere.total} elsewhere.`];
}

function within({ kind, name }: DomainDetails): string {
  return kind === 'site'
    ? `at ${named(name)}`
    : kind === 'model'
      ? `of the model ${named(name)}`
      : `with ${named(name)}`;
}
