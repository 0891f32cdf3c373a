import type { PayloadField } from '../contract/payload-fields.ts';
import type { AllowedValues } from '../contract/search-body.ts';
import { MAX_DESTINATIONS_SHOWN } from '../contract/vocabulary.ts';
import type { PlaceCount } from '../inventory/availability-index/availability-index.ts';
import type { Payload, Session } from '../sessions/session.ts';
import { type Day, formatDay } from '../stay/day.ts';
import { formatMonth, type Month } from '../stay/month.ts';
import { criteriaOf } from './criteria-of-payload.ts';
import type { SearchFacts } from './take-values.ts';

const OWN_BRAND = {
  value: true,
  description: 'Only the brand of the entry: when the traveller came for this brand.',
};
const EVERY_BRAND = {
  value: false,
  description: 'Every brand on the network: when the traveller wants to compare across brands.',
};

// The index gives the same list again while nothing has changed. Then the list of texts is the same one too, and whoever
// writes a step down sees at a glance that it is the one of before.
const monthTexts = remember((months: readonly Month[]) => months.map(formatMonth));
const dayTexts = remember((days: readonly Day[]) => days.map(formatDay));
const placeTexts = remember((stocks: readonly PlaceCount[]) =>
  stocks.slice(0, MAX_DESTINATIONS_SHOWN).map(({ place }) => place),
);

export type Truncated = { readonly shown: number; readonly total: number };

/** The values of one open field, given everything received. */
export function offersOf(
  field: PayloadField,
  session: Session,
  payload: Payload,
  facts: SearchFacts,
): AllowedValues {
  const { index, now } = facts;
  const criteria = criteriaOf(session, payload);
  switch (field) {
    case 'brand_locked':
      return {
        brand_locked: [OWN_BRAND, EVERY_BRAND].filter(({ value }) =>
          index.hasMatch(criteriaOf(session, { ...payload, brand_locked: value }), now),
        ),
      };
    case 'destination':
      return { destination: placeTexts(index.destinations(criteria, now)) };
    case 'check_in_month':
      return { check_in_month: monthTexts(index.checkInMonths(criteria, now)) };
    case 'check_in_day':
      return { check_in_day: dayTexts(index.checkInDays(criteria, now)) };
    case 'check_out':
      return { check_out: dayTexts(index.checkOutDays(criteria, now)) };
    case 'guests':
      return { guests: Array.from({ length: index.largestParty(criteria, now) }, (_, i) => String(i + 1)) };
  }
}

export function truncationOf(session: Session, payload: Payload, facts: SearchFacts): Truncated | null {
  const total = facts.index.destinations(criteriaOf(session, payload), facts.now).length;
  return total > MAX_DESTINATIONS_SHOWN ? { shown: MAX_DESTINATIONS_SHOWN, total } : null;
}

function remember<Values extends object>(write: (values: Values) => string[]) {
  const written = new WeakMap<Values, string[]>();
  return (values: Values): string[] => {
    const texts = written.get(values) ?? write(values);
    written.set(values, texts);
    return texts;
  };
}
