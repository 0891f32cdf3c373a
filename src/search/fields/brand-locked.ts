import { conflictsWith } from '../conflicting-fields.ts';
import { criteriaOf } from '../payload.ts';
import { completeOffer, type FieldRules, read, unreadable } from './field-rules.ts';

const OWN_BRAND = {
  value: true,
  description: 'Only the brand of the entry: when the traveller came for this brand.',
};
const EVERY_BRAND = {
  value: false,
  description: 'Every brand on the network: when the traveller wants to compare across brands.',
};

export const brandLocked: FieldRules<'brand_locked'> = {
  read: (raw) => {
    const text = typeof raw === 'string' ? raw.trim().toLowerCase() : raw;
    if (text === true || text === 'true') return read(true);
    if (text === false || text === 'false') return read(false);
    return unreadable({ code: 'wrong_type' });
  },
  offer: ({ session, payload, facts: { index, now } }) =>
    completeOffer(
      [OWN_BRAND, EVERY_BRAND].filter(({ value }) =>
        index.hasMatch(criteriaOf(session, { ...payload, brand_locked: value }), now),
      ),
    ),
  explain: (value, situation) => conflictsWith('brand_locked', value, situation) ?? { code: 'nothing_free' },
  nearest: (_meant, situation) => brandLocked.offer(situation).values.map(({ value }) => String(value)),
};
