import { criteriaOf } from '../payload.ts';
import {
  completeOffer,
  type FieldRules,
  nearestNumbers,
  read,
  type Situation,
  unreadable,
} from './field-rules.ts';

/** `2`, `02` and `2.0` are all two people. */
const GUESTS_PATTERN = /^0*([1-9]\d*)(?:\.0+)?$/;
/** Larger parties are judged as this one, which no home takes, so that the index needs no larger numbers. */
const MAX_PARTY = 999_999;
const NUMBER_PATTERN = /^-?\d{1,6}(?:\.\d{1,6})?$/;

export const guests: FieldRules<'guests'> = {
  read: (raw) => {
    if (typeof raw !== 'number' && typeof raw !== 'string') return unreadable({ code: 'wrong_type' });
    const written = Number.isInteger(raw) ? BigInt(raw).toString() : String(raw).trim();
    const [, party] = GUESTS_PATTERN.exec(written) ?? [];
    if (party !== undefined) return read(String(Math.min(Number(party), MAX_PARTY)));
    return unreadable({ code: 'wrong_type' }, NUMBER_PATTERN.test(written) ? [written] : []);
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
