import { describe } from 'node:test';
import { searchPlacesContract } from './search-places.contract.ts';
import { createSearchPlaces } from './search-places.ts';

describe('places of searches in memory', () => {
  searchPlacesContract(async () => createSearchPlaces());
});
