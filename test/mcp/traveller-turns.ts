import fc from 'fast-check';
import type { JsonBody } from './search-findings.ts';

const FIELDS = ['brand_locked', 'destination', 'check_in_month', 'check_in_day', 'check_out', 'guests'];
/** Values that may or may not be on offer, and some that nobody could offer. */
const ANY_VALUE: Readonly<Record<string, readonly unknown[]>> = {
  brand_locked: [true, false, 'true', 'perhaps'],
  destination: ['Lisbon', 'Évora, Portugal', 'porto-pt', 'portugal', 'Porto Novo', 'nowhere', 7, 'L'],
  check_in_month: ['2027-03', '2027-04', '2027-3', '2026-01', '2031-01', 'April'],
  check_in_day: [
    '2027-03-02',
    '2027-03-08',
    '2027-03-1',
    '2027-02-30',
    '2026-12-24',
    '08/03/2027',
    '2030-01-01',
  ],
  check_out: ['2027-03-05', '2027-03-09', '2027-03-20', '2027-03-02', 'the day after', '2029-05-05'],
  guests: [1, 2, '3', 6, 7, 0, -1, 'two', 2.5],
};
const UNKNOWN_FIELDS = [
  { guest: 2 },
  { checkout: '2027-03-09' },
  { pets: true },
  { 'a b': 1 },
  { view: 'compact' },
];
const AMENITIES = ['wifi', 'POOL', 'sauna', 'parking', 'kitchen', 'helipad', 'a b'];

/** Where each brand has a home that is always free; a brand with one place has no such field. */
const PLACE_OF: Readonly<Record<string, string>> = {
  wide: 'lisbon-pt',
  narrow: 'evora-pt',
  strict: 'porto-pt',
};

/** Where a value comes from: a stay that is always free, what the last answer offered, or anywhere. */
type Origin = 'unsaid' | 'fitting' | 'offered' | 'any';

/** What the traveller says at one time. */
export type Turn = {
  readonly origins: readonly Origin[];
  readonly picks: readonly number[];
  readonly unknown: object;
  readonly amenities: readonly string[];
};

export const randomTurn: fc.Arbitrary<Turn> = fc.record({
  origins: fc.oneof(
    originsFrom('fitting'),
    originsFrom('fitting', 'fitting', 'fitting', 'fitting', 'offered', 'unsaid', 'any'),
    originsFrom('unsaid', 'unsaid', 'offered'),
    originsFrom('unsaid', 'any', 'offered'),
  ),
  picks: sixOf(fc.nat(10_000)),
  unknown: fc.oneof({ arbitrary: fc.constant({}), weight: 9 }, fc.constantFrom(...UNKNOWN_FIELDS)),
  amenities: fc.oneof(
    fc.constant<string[]>([]),
    fc.uniqueArray(fc.constantFrom(...AMENITIES), { maxLength: 4 }),
  ),
});

function originsFrom(...origins: readonly Origin[]): fc.Arbitrary<Origin[]> {
  return sixOf(fc.constantFrom(...origins));
}

function sixOf<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> {
  return fc.array(value, { minLength: FIELDS.length, maxLength: FIELDS.length });
}

export function valuesOf(
  { origins, picks, unknown }: Turn,
  { allowed_values: allowed = {} }: JsonBody,
  source: string | null,
): Record<string, unknown> {
  const [arrival = 0, departure = 0] = picks.slice(3);
  const fitting: Readonly<Record<string, unknown>> = {
    brand_locked: source === null ? undefined : true,
    destination: PLACE_OF[source ?? 'wide'],
    check_in_month: undefined,
    check_in_day: source === 'strict' ? `2027-03-0${1 + (arrival % 9)}` : `2027-04-1${arrival % 10}`,
    check_out:
      source === 'strict'
        ? `2027-03-${['08', '09', '10', '13'][departure % 4]}`
        : `2027-04-2${departure % 10}`,
    guests: 1 + ((picks[5] ?? 0) % 4),
  };
  const entries = FIELDS.map((field, position): [string, unknown] => {
    const pick = <Value>(from: readonly Value[]) => from[(picks[position] ?? 0) % from.length];
    const offers = (allowed[field] ?? []).map((one: JsonBody) => one?.value ?? one);
    if (origins[position] === 'fitting') return [field, fitting[field]];
    if (origins[position] === 'offered') return [field, pick(offers)];
    return [field, origins[position] === 'any' ? pick(ANY_VALUE[field] ?? []) : undefined];
  });
  return { ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)), ...unknown };
}
