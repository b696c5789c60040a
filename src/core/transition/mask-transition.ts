/** Telephone numbers in transitions: masked for most readers and for the history, and erased when a person asks for it. */
import { maskNumber } from '../text/phone-number.ts';
import type { MissedDetails } from './call-details.ts';
import type { Transition } from './transition.ts';

/** For readers who must not see whole numbers, and for the history. Extensions stay. */
export function maskTransition(transition: Transition): Transition {
  switch (transition.kind) {
    case 'calls.missed':
      return { ...transition, details: maskMissed(transition.details) };
    case 'fraud.suspected': {
      const { details } = transition;
      const mask = <T extends { number: string }>(one: T): T => ({
        ...one,
        number: maskNumber(one.number, details.country),
      });
      return {
        ...transition,
        details: { ...details, numbers: details.numbers.map(mask), from: details.from.map(mask) },
      };
    }
    case 'route.dead': {
      const { details } = transition;
      return { ...transition, details: { ...details, number: maskNumber(details.number, details.country) } };
    }
    default:
      return transition;
  }
}

export function maskMissed(details: MissedDetails): MissedDetails {
  const mask = (number: string): string => maskNumber(number, details.country);
  const callers = details.callers.map((one) => ({ ...one, number: mask(one.number), called: one.called.map(mask) }));
  return { ...details, callers };
}

export function deleteNumber(transition: Transition, isErased: (number: string) => boolean): Transition {
  switch (transition.kind) {
    case 'calls.missed': {
      const { details } = transition;
      const callers = details.callers.filter(({ number }) => !isErased(number));
      return callers.length === details.callers.length
        ? transition
        : { ...transition, details: { ...details, callers } };
    }
    case 'fraud.suspected': {
      const { details } = transition;
      const numbers = details.numbers.filter(({ number }) => !isErased(number));
      const from = details.from.filter(({ number }) => !isErased(number));
      const isSame = numbers.length === details.numbers.length && from.length === details.from.length;
      return isSame ? transition : { ...transition, details: { ...details, numbers, from } };
    }
    case 'route.dead': {
      const { details } = transition;
      return isErased(details.number) ? { ...transition, details: { ...details, number: '' } } : transition;
    }
    default:
      return transition;
  }
}
