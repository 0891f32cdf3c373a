import type { Network, Place } from '../../src/catalogue/catalogue.ts';

type PlaceFacts = Partial<Pick<Place, 'kind' | 'parent' | 'aliases'>>;

/** A network of places that have names and lie in each other; nothing else about them matters. */
export function networkOfPlaces(
  entries: readonly (readonly [id: string, name: string, facts?: PlaceFacts])[],
): Network {
  const places = entries.map(
    ([id, name, facts]): Place => ({
      id,
      name,
      aliases: [],
      kind: 'city',
      parent: null,
      timeZone: 'UTC',
      currency: 'EUR',
      ...facts,
    }),
  );
  return { brands: new Map(), places: new Map(places.map((place) => [place.id, place])) };
}
