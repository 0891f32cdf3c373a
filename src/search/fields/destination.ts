import type { PlaceId } from '../../catalogue/catalogue.ts';
import { MAX_DESTINATIONS_SHOWN } from '../../contract/vocabulary.ts';
import { conflictsWith } from '../conflicting-fields.ts';
import { findPlace } from '../names/find-place.ts';
import { nearPlaces } from '../names/near-places.ts';
import { criteriaOf } from '../payload.ts';
import { isPausedPlace } from '../unready-brands.ts';
import { type FieldRules, read, type Situation, unreadable } from './field-rules.ts';

const MAX_PLACE_NAME_LENGTH = 120;

export const destination: FieldRules<'destination'> = {
  read: (raw) =>
    typeof raw === 'string' && raw.trim().length > 0 && raw.length <= MAX_PLACE_NAME_LENGTH
      ? read(raw)
      : unreadable({ code: 'wrong_type' }),
  resolve: (text, situation) => {
    const lookup = findPlace(text, situation.facts.network, () => placesOnOffer(situation));
    return lookup.kind === 'found' ? { kind: 'resolved', value: lookup.place } : lookup;
  },
  offer: (situation) => {
    const places = placesOnOffer(situation);
    return { values: places.slice(0, MAX_DESTINATIONS_SHOWN), total: places.length };
  },
  explain: (place, situation) =>
    conflictsWith('destination', place, situation) ?? {
      // The index knows no home of a paused place, and would say that nothing is free.
      code: isPausedPlace({ brand: null, place }, situation.facts) ? 'not_on_offer' : 'nothing_free',
    },
  nearest: (meant, situation) =>
    meant.flatMap((text) => nearPlaces(text, situation.facts.network, placesOnOffer(situation))),
};

function placesOnOffer({ session, payload, facts: { index, now } }: Situation): PlaceId[] {
  return index.destinations(criteriaOf(session, payload), now).map(({ place }) => place);
}
