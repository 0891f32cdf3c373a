import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createPlainAvailabilityIndex } from '../../test/support/plain-availability-index.ts';
import { propertyLike, SOME_DAY } from '../../test/support/random-world.ts';
import { createWorldIndex } from '../../test/support/world-index.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import type { Network } from '../catalogue/catalogue.ts';
import { ANY_STAY } from '../catalogue/stay-criteria.ts';
import { NO_CANDIDATES } from './availability-index.ts';

const AMENITIES = 240;
const HOMES = 60;
const ONE_CITY: Network = {
  brands: new Map(),
  places: new Map([
    [
      'porto',
      {
        id: 'porto',
        name: 'porto',
        aliases: [],
        kind: 'city',
        parent: null,
        timeZone: 'UTC',
        currency: 'EUR',
      },
    ],
  ]),
};

it('orders hundreds of amenities by how many homes have them, then by key, in every answer anew', () => {
  const [index, twin] = [createWorldIndex(ONE_CITY), createPlainAvailabilityIndex(ONE_CITY)];
  const calendar = emptyCalendar(SOME_DAY, 30);
  calendar.available.fill(1);
  for (let home = 0; home < HOMES; home++) {
    const having = Array.from({ length: AMENITIES }, (_, number) => number).filter(
      (number) => (number * 7 + home * home) % 11 < number % 5,
    );
    const amenities = Object.fromEntries(having.map((number) => [`a${(number * 53) % AMENITIES}`, 'label']));
    const property = propertyLike({
      id: `sol:${home}`,
      brand: 'sol',
      place: 'porto',
      amenities,
      maxGuests: home,
    });
    for (const written of [index, twin]) written.put(property, calendar);
  }
  const now = SOME_DAY * 86_400_000;
  for (const guests of [1, 40, 1, 59, 60]) {
    const stay = { ...ANY_STAY, place: 'porto', checkIn: SOME_DAY + 3, checkOut: SOME_DAY + 5, guests };
    const wanted = { ...NO_CANDIDATES, without: [] };
    assert.deepEqual(index.matches(stay, now, wanted), twin.matches(stay, now, wanted));
  }
});
