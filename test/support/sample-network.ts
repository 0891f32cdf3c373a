import type { Brand, BrandId, Network, Place } from '../../src/catalogue/catalogue.ts';

/** Lisbon in Portugal, with the given brands. */
export function sampleNetwork(brands: readonly BrandId[]): Network {
  const places: readonly Place[] = [
    {
      id: 'portugal',
      name: 'Portugal',
      aliases: [],
      kind: 'country',
      parent: null,
      timeZone: 'Europe/Lisbon',
      currency: 'EUR',
    },
    {
      id: 'lisbon-pt',
      name: 'Lisbon',
      aliases: [],
      kind: 'city',
      parent: 'portugal',
      timeZone: 'Europe/Lisbon',
      currency: 'EUR',
    },
  ];
  return {
    brands: new Map(brands.map((id) => [id, sampleBrand(id)])),
    places: new Map(places.map((place) => [place.id, place])),
  };
}

/** An ordinary brand with a website. */
export function sampleBrand(id: BrandId): Brand {
  return {
    id,
    name: id,
    singleLocation: null,
    inventorySource: 'live_booking_system',
    allInTotals: true,
    website: {
      hosts: [`${id}.example`],
      stayParameters: {
        checkIn: 'check_in',
        checkOut: 'check_out',
        guests: 'guests',
        source: 'source',
        destination: 'destination',
      },
      resultsUrl: null,
    },
  };
}
