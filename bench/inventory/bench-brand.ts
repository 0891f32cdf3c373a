import type { Brand, BrandId } from '../../src/inventory/catalogue.ts';

export function benchBrand(id: BrandId): Brand {
  return {
    id,
    name: id,
    singleLocation: null,
    inventorySource: 'live_booking_system',
    allInTotals: true,
    website: {
      hosts: [`${id}.example`],
      stayParameters: {
        checkIn: 'from',
        checkOut: 'to',
        guests: 'guests',
        source: 'source',
        destination: 'destination',
      },
      resultsUrl: null,
    },
  };
}
