import type { CalendarPeriod, QuotesAnswer } from '../open/protocol.ts';
import type { Listing, ListingContext } from '../shared/listings/listing.ts';

/** More faults of one listing or quote do not help the operator. */
const MAX_ROUNDS = 30;

/** A reader's result: the faults, and the first of them if it ended the reading. */
type FaultsFound<Fault> = { readonly faults: readonly Fault[]; readonly endedBy: Fault | null };

/**
 * Finds every fault of a value with a reader that stops at the first grave fault: replaces the faulty part with that of the example, and
 * reads the value again. So only the reader defines the faults.
 */
export function everyFault<Fault extends { readonly field: string; readonly rule: string }>(
  value: unknown,
  example: unknown,
  read: (value: unknown) => FaultsFound<Fault>,
): readonly Fault[] {
  const found = new Map<string, Fault>();
  const mended = structuredClone(value);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { faults, endedBy } = read(mended);
    const isNew = endedBy !== null && !found.has(keyOf(endedBy));
    for (const fault of faults) if (!found.has(keyOf(fault))) found.set(keyOf(fault), fault);
    if (!isNew || !mend(mended, endedBy.field, example)) break;
  }
  return [...found.values()];
}

function keyOf({ field, rule }: { readonly field: string; readonly rule: string }): string {
  return `${field} ${rule}`;
}

/** False when there is nothing to replace: the value as a whole is wrong. */
function mend(value: unknown, field: string, example: unknown): boolean {
  const steps = stepsOf(field);
  const last = steps.pop();
  let parent = value;
  for (const step of steps) parent = memberOf(parent, step);
  if (last === undefined || typeof parent !== 'object' || parent === null) return false;
  const right = exampleAt(example, field);
  if (right !== undefined) Reflect.set(parent, last, structuredClone(right));
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else Reflect.deleteProperty(parent, last);
  return true;
}

/** The part of the example at a path; any index of a list leads to its first entry. */
export function exampleAt(example: unknown, field: string): unknown {
  let part = example;
  for (const step of stepsOf(field)) part = memberOf(part, Array.isArray(part) ? '0' : step);
  return part;
}

function stepsOf(field: string): string[] {
  return field === '' ? [] : field.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function memberOf(whole: unknown, name: string): unknown {
  return typeof whole === 'object' && whole !== null && Object.hasOwn(whole, name)
    ? Reflect.get(whole, name)
    : undefined;
}

/** The value and the reason, or only the reason when it repeats the value. */
export function foundText(reason: string, value: string | undefined): string {
  return value === undefined || reason.includes(value) ? reason : `${value}: ${reason}`;
}

/** A listing that is valid in the given network. */
export function exampleListing({ hosts, places }: ListingContext): Listing {
  const city = places.values().find(({ kind }) => kind === 'city');
  const website = `https://${hosts[0] ?? 'casas.example'}`;
  return {
    reference: 'casa-1',
    name: 'Casa da Graça',
    place: city?.id ?? 'lisbon-pt',
    location: 'Graça, Lisbon',
    max_guests: 4,
    summary: '2 bedrooms · 1 bathroom · 70 m²',
    bedrooms: 2,
    bathrooms: 1,
    amenities: { wifi: 'Wi-Fi' },
    rating: { score: 4.7, scale: 5, review_count: 31 },
    cancellation: {
      summary: 'Free until 14 days before arrival. After that we keep half of the total.',
      free_until: { days_before: 14, time: '18:00' },
      refundable: true,
    },
    check_in_time: '15:00',
    check_out_time: '11:00',
    images: [{ url: `${website}/casa-1/street.jpg`, alt: 'The house from the street', type: 'exterior' }],
    url: `${website}/casa-1`,
    currency: city?.currency ?? 'EUR',
    booking_mode: 'instant',
    confirmation_hours: 24,
    lead_days: 1,
  };
}

export const EXAMPLE_PERIOD: CalendarPeriod = {
  from: '2027-08-01',
  to: '2027-08-10',
  available: true,
  minimum_stay: 2,
  maximum_stay: 28,
  closed_to_arrival: false,
  closed_to_departure: false,
  price: '110.00',
};

export function exampleQuote(property: string, currency: string): QuotesAnswer['quotes'][number] {
  return {
    property,
    status: 'quoted',
    currency,
    total: '500',
    lines: [{ label: '4 nights', amount: '500' }],
    held_until: null,
    deposit: { amount: '200', refundable: true },
    due_on_site: '0',
  };
}
