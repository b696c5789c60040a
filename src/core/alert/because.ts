/** What a loss is blamed on, and the facts that speak for it. The sentence is made of them wherever it is shown. */
import type { DomainDetails, WhyDetails } from '../transition/details.ts';

export type Because =
  /** A site, a model or a firmware, by the numbers of when it last got losses: `past` where they are others now. */
  | { kind: 'named'; domain: DomainDetails; why: WhyDetails; past?: true }
  /** The account as a whole: phones go missing at so many sites. */
  | { kind: 'account'; sites: number }
  | { kind: 'suspected'; scattered: boolean }
  /** Trouble of the provider's; how much later than the loss it was published, null for what was open before. */
  | { kind: 'explained'; number: number; title: string; minutes_later: number | null }
  /** The provider says that it is over, and phones are still lost. */
  | { kind: 'residual' };
