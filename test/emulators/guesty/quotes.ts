import { toDecimal } from '../../../src/stay/money.ts';
import { type EmulatedAnswer, type EmulatedRequest, jsonAnswer, jsonObjectOf } from '../exchange.ts';
import type { EmulatedStay, EmulatedWorld } from '../world.ts';
import { guestyIdOf, homeOfGuestyId } from './listings.ts';
import { type GuestyShape, guestyFailure, refusedQuote, wrongParameters } from './refusals.ts';

const VALID_MS = 86_400_000;
/** Of the accommodation; what the host is paid is not what the guest pays. */
const COMMISSION = 0.03;
const FLEXIBLE_SURCHARGE = 0.1;

/** Quotes are stored, and can be read again. */
export function quoteService({
  world,
  now,
  shape,
  ratePlans,
  standardPolicy,
}: {
  readonly world: EmulatedWorld;
  readonly now: () => number;
  readonly shape: GuestyShape;
  readonly ratePlans: 'one' | 'two';
  readonly standardPolicy: readonly string[] | null | undefined;
}) {
  const stored = new Map<string, { readonly quote: object; readonly expiresAt: number }>();

  return {
    create(request: EmulatedRequest): EmulatedAnswer {
      const body = jsonObjectOf(request) ?? {};
      const missing = ['listingId', 'checkInDateLocalized', 'checkOutDateLocalized'].filter(
        (name) => typeof body[name] !== 'string',
      );
      if (missing.length > 0)
        return wrongParameters(shape, ...missing.map((name) => `"${name}" is required`));
      const guests = body.guestsCount;
      if (typeof guests !== 'number' || guests < 1)
        return wrongParameters(shape, '"guestsCount" is required');
      const checkIn = String(body.checkInDateLocalized);
      const checkOut = String(body.checkOutDateLocalized);
      const home = homeOfGuestyId(world, String(body.listingId));
      const stay = world.stay(home?.id ?? Number.NaN, checkIn, checkOut, guests);
      if ('refused' in stay) return refusedQuote(shape, stay.refused);

      const id = `65c0ffee0000${String(stored.size + 1).padStart(12, '0')}`;
      const quote = {
        _id: id,
        createdAt: new Date(now()).toISOString(),
        expiresAt: new Date(now() + VALID_MS).toISOString(),
        promotions: {},
        coupons: [],
        unitTypeId: guestyIdOf(stay.home.id),
        checkInDateLocalized: checkIn,
        checkOutDateLocalized: checkOut,
        guestsCount: guests,
        rates: { ratePlans: plansOf(stay).map((plan) => planIn(shape, plan)) },
      };
      stored.set(id, { quote, expiresAt: now() + VALID_MS });
      return jsonAnswer(200, { ...quote, status: 'valid' });
    },

    read(id: string): EmulatedAnswer {
      const found = stored.get(id);
      if (!found) return guestyFailure(shape, 404, 'NOT_FOUND', { message: 'Quote not found' });
      return jsonAnswer(200, { ...found.quote, status: now() < found.expiresAt ? 'valid' : 'expired' });
    },
  };

  function plansOf(stay: EmulatedStay): GuestyPlan[] {
    const plan = planOf(stay, 'default-rateplan-id', 'Standard', 0);
    const standard = standardPolicy === undefined ? plan : { ...plan, cancellationPolicy: standardPolicy };
    return ratePlans === 'one'
      ? [standard]
      : [planOf(stay, 'flexible-rateplan-id', 'Flexible', FLEXIBLE_SURCHARGE), standard];
  }
}

type GuestyPlan = Omit<ReturnType<typeof planOf>, 'cancellationPolicy'> & {
  readonly cancellationPolicy: readonly string[] | null;
};

function planIn(shape: GuestyShape, { days, ...ratePlan }: GuestyPlan): object {
  return shape === 'live' ? { ratePlan, days } : { ...ratePlan, days };
}

function planOf(stay: EmulatedStay, id: string, name: string, surcharge: number) {
  const { currency } = stay.home;
  const money = (minorUnits: number) => toDecimal(minorUnits, currency);
  const adjusted = stay.accommodation + Math.round(stay.accommodation * surcharge);
  const total = adjusted + stay.cleaning + stay.tax;
  const item = (title: string, minorUnits: number, type: string, normalType: string, more: object = {}) =>
    minorUnits === 0 ? [] : [{ title, amount: money(minorUnits), currency, type, normalType, ...more }];
  return {
    _id: id,
    name,
    type: 'nightly',
    mealPlans: [],
    cancellationPolicy: [stay.home.cancellation],
    money: {
      currency,
      fareAccommodation: money(stay.accommodation),
      fareAccommodationAdjusted: money(adjusted),
      fareCleaning: money(stay.cleaning),
      totalFees: money(stay.cleaning),
      subTotalPrice: money(adjusted + stay.cleaning),
      totalTaxes: money(stay.tax),
      hostPayout: money(total - Math.round(adjusted * COMMISSION)),
      invoiceItems: [
        ...item('Accommodation fare', adjusted, 'ACCOMMODATION_FARE', 'AF'),
        ...item('Cleaning fee', stay.cleaning, 'CLEANING_FEE', 'CF'),
        ...item('Tourism tax', stay.tax, 'TAX', 'TOT', { isTax: true }),
      ],
    },
    days: stay.nights.map(({ day, price }) => ({
      date: day,
      price: money(price + Math.round(price * surcharge)),
      currency,
      basePrice: money(price),
    })),
  };
}
