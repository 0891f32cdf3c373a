import { criteriaOf } from '../criteria.ts';
import { completeOffer, type FieldRules, read, type Situation, unread } from './field-rules.ts';
import { nearestNumbers } from './nearest-numbers.ts';

const MAX_NUMBER_LENGTH = 20;
/** `2`, `02` and `2.0` are all two people. Larger numbers than this are no party. */
const GUESTS_PATTERN = /^0*([1-9]\d{0,5})(?:\.0+)?$/;
const NUMBER_PATTERN = /^-?\d{1,6}(?:\.\d{1,6})?$/;

export const guests: FieldRules<'guests'> = {
  read: (raw) => {
    const text = typeof raw === 'number' ? String(raw) : raw;
    if (typeof text !== 'string' || text.length > MAX_NUMBER_LENGTH) return unread({ code: 'wrong_type' });
    const written = text.trim();
    const [, party] = GUESTS_PATTERN.exec(written) ?? [];
    if (party !== undefined) return read(party);
    return unread({ code: 'wrong_type' }, NUMBER_PATTERN.test(written) ? [written] : []);
  },
  offer: (situation) =>
    completeOffer(Array.from({ length: largestParty(situation) }, (_, position) => String(position + 1))),
  explain: (_party, situation) => {
    const largest = largestParty(situation);
    return largest === 0 ? { code: 'nothing_free' } : { code: 'party_too_large', largest };
  },
  nearest: (meant, situation) => nearestNumbers(meant, guests.offer(situation).values, Number),
};

function largestParty({ session, payload, facts: { index, now } }: Situation): number {
  return index.largestParty(criteriaOf(session, payload), now);
}
