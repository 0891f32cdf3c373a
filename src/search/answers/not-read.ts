import type { Brand } from '../../catalogue/catalogue.ts';
import { sentenceOf } from '../../contract/refusal-reasons.ts';
import { brandNames } from './brand-names.ts';

type Named = Pick<Brand, 'name'>;

/** Which brands a search may have missed homes of. */
export function notRead(brands: readonly Named[]): string {
  return `Not searched, or not fully, because ${whose(brands)} could not be read: ${brandNames(brands)}. Homes that are not known here may still be free.`;
}

/** Of a search that was under way. */
export function notOnOffer(brands: readonly Named[]): string {
  return `Homes of this search are not on offer here at present: ${brandNames(brands)}.`;
}

/** Of a search that is about these brands alone. */
export function nothingRead(
  brands: readonly Named[],
  {
    isLoading,
    isPaused,
    isOfPlace,
  }: { readonly isLoading: boolean; readonly isPaused: boolean; readonly isOfPlace: boolean },
): string {
  if (isLoading) {
    return 'The service is still loading homes, so nothing can be said about stays for a moment.';
  }
  // Which brands have homes there is not known while they are not on offer.
  if (isOfPlace) return sentenceOf({ code: 'not_on_offer' }, 'destination');
  // Why is between the owner and the operator.
  if (isPaused) {
    return `Nothing can be said about stays at the moment, because homes of this search are not on offer here at present: ${brandNames(brands)}. It does not mean that nothing is free.`;
  }
  return `Nothing can be said about stays at the moment, because ${whose(brands)} could not be read: ${brandNames(brands)}. It does not mean that nothing is free.`;
}

/** What becomes of the values of the session, and of those of the request. */
export function whatIsKept({ isRepeated }: { readonly isRepeated: boolean }): string {
  return isRepeated
    ? 'What was received before is kept. Nothing of this request was taken; it can be sent again.'
    : 'What was received is kept.';
}

function whose(brands: readonly Named[]): string {
  return brands.length === 1 ? 'a booking system' : 'booking systems';
}
