import type { PayloadField } from '../contract/payload-fields.ts';
import type { AllowedValues } from '../contract/search-body.ts';
import { MAX_DESTINATIONS_SHOWN } from '../contract/vocabulary.ts';
import type { Payload, Session } from '../sessions/session.ts';
import { formatDay } from '../stay/day.ts';
import { formatMonth } from '../stay/month.ts';
import type { SearchFacts } from './take-values.ts';
import { wishOf } from './wish-of-payload.ts';

const BRAND_LOCKED_DESCRIPTIONS = {
  true: 'Only the brand of the entry: when the traveller came for this brand.',
  false: 'Every brand on the network: when the traveller wants to compare across brands.',
} as const;

/** The index gives the same list again while nothing has changed; then its texts are the same too. */
const monthTexts = rememberTexts(formatMonth);
const dayTexts = rememberTexts(formatDay);

export type Truncated = { readonly shown: number; readonly total: number };

/** The values of one open field, given everything received. */
export function offersOf(
  field: PayloadField,
  session: Session,
  payload: Payload,
  facts: SearchFacts,
): AllowedValues {
  const { index, now } = facts;
  const wish = wishOf(session, payload);
  switch (field) {
    case 'brand_locked':
      return {
        brand_locked: [true, false]
          .filter((value) => index.hasMatch(wishOf(session, { ...payload, brand_locked: value }), now))
          .map((value) => ({ value, description: BRAND_LOCKED_DESCRIPTIONS[value ? 'true' : 'false'] })),
      };
    case 'destination':
      return {
        destination: index
          .destinations(wish, now)
          .slice(0, MAX_DESTINATIONS_SHOWN)
          .map((stock) => stock.place),
      };
    case 'check_in_month':
      return { check_in_month: monthTexts(index.checkInMonths(wish, now)) };
    case 'check_in_day':
      return { check_in_day: dayTexts(index.checkInDays(wish, now)) };
    case 'check_out':
      return { check_out: dayTexts(index.checkOutDays(wish, now)) };
    case 'guests':
      return { guests: Array.from({ length: index.largestParty(wish, now) }, (_, i) => String(i + 1)) };
  }
}

export function truncationOf(session: Session, payload: Payload, facts: SearchFacts): Truncated | null {
  const total = facts.index.destinations(wishOf(session, payload), facts.now).length;
  return total > MAX_DESTINATIONS_SHOWN ? { shown: MAX_DESTINATIONS_SHOWN, total } : null;
}

function rememberTexts(format: (value: number) => string) {
  const texts = new WeakMap<readonly number[], string[]>();
  return (values: readonly number[]): string[] => {
    const known = texts.get(values) ?? values.map(format);
    texts.set(values, known);
    return known;
  };
}
