import type { RateCard } from '../../src/connectors/rate-card/rate-card.ts';
import type { EmulatedHome } from '../emulators/homes.ts';
import type { IcalendarEmulator } from '../emulators/icalendar.ts';

const amount = (minorUnits: number) => (minorUnits / 100).toFixed(2);

/** The rate card of homes whose nights are taken by feeds. A card taxes its fees too, so these homes must have none. */
export function rateCardOf(homes: readonly EmulatedHome[], feeds: IcalendarEmulator): RateCard {
  return {
    properties: homes.map((home) => {
      if (home.cleaningFee > 0) throw new RangeError('the tax of a rate card is also on the cleaning');
      return {
        listing: {
          reference: feeds.referenceOf(home.id),
          name: home.name,
          place: home.city,
          location: home.city,
          max_guests: home.maxGuests,
          summary: `${home.bedrooms} bedrooms`,
          bedrooms: home.bedrooms,
          bathrooms: home.bathrooms,
          amenities: { wifi: 'Wi-Fi' },
          cancellation: { summary: home.cancellation, free_until: null, refundable: true },
          check_in_time: `${home.checkInHour}:00`,
          check_out_time: `${home.checkOutHour}:00`,
          images: home.images.map(({ path, caption }) => ({
            url: `http://${feeds.websiteHost}${path}`,
            alt: caption,
            type: 'other',
          })),
          url: `http://${feeds.websiteHost}/homes/${feeds.referenceOf(home.id)}`,
          currency: home.currency,
          booking_mode: 'instant',
        },
        rates: {
          nightly: amount(home.nightlyPrice('2030-01-01')),
          seasons: [],
          minimum_stay: home.minimumStay('2030-01-01'),
          discounts: [],
          fees: [],
          taxes: [{ label: 'Tourist tax', percent: home.taxPercent }],
        },
        booked: [],
        availability_feed: feeds.feedUrl(home.id),
      };
    }),
  };
}
