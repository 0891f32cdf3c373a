import { parseDay } from '../../../src/stay/day.ts';
import { toDecimal } from '../../../src/stay/money.ts';
import type { EmulatedAnswer, EmulatedRequest } from '../exchange.ts';
import type { EmulatedHome } from '../homes.ts';
import type { EmulatedWorld } from '../world.ts';
import { beds24Failure, beds24Page, numbersIn } from './envelope.ts';
import { propertyIdOf, roomIdOf, roomsAskedFor } from './properties.ts';

/** A room that cannot be booked for the stay has no offer, and nobody says why. */
export function beds24Offers(
  request: EmulatedRequest,
  world: EmulatedWorld,
  {
    offerPrices,
    offers: offered,
    pageSize,
  }: {
    readonly offerPrices: 'all_in' | 'room_only';
    readonly offers: 'one' | 'two';
    readonly pageSize: number;
  },
): EmulatedAnswer {
  const { query } = request;
  const arrival = query.get('arrival') ?? '';
  const departure = query.get('departure') ?? '';
  const adults = Number(query.get('numAdults') ?? Number.NaN);
  if (parseDay(arrival) === undefined) return beds24Failure(400, 'arrival is not valid');
  if (parseDay(departure) === undefined) return beds24Failure(400, 'departure is not valid');
  if (arrival >= departure) return beds24Failure(400, 'departure must be after arrival');
  if (!(adults >= 1)) return beds24Failure(400, 'numAdults is not valid');
  const guests = adults + Number(query.get('numChildren') ?? 0);

  const describe = (home: EmulatedHome) => {
    const stay = world.stay(home.id, arrival, departure, guests);
    const offers =
      'refused' in stay ? [] : offersOf(offerPrices === 'all_in' ? stay.total : stay.accommodation, home);
    return { roomId: roomIdOf(home.id), propertyId: propertyIdOf(home.id), offers };
  };
  const wanted = new Set(numbersIn(request, 'offerId'));
  const offersOf = (price: number, { currency }: EmulatedHome) =>
    [
      { offerId: 1, offerName: 'Standard', price: toDecimal(price, currency), unitsAvailable: 1 },
      ...(offered === 'one'
        ? []
        : [
            {
              offerId: 2,
              offerName: 'Non-refundable',
              price: toDecimal(Math.round(price * 0.9), currency),
              unitsAvailable: 1,
            },
          ]),
    ].filter(({ offerId }) => wanted.size === 0 || wanted.has(offerId));
  return beds24Page(request, { type: 'offer', homes: roomsAskedFor(request, world), pageSize, describe });
}
