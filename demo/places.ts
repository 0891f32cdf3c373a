import type { PlaceKind } from '../src/catalogue/catalogue.ts';

/** Countries and regions of the demo network; its cities stand in `cities.ts`. */
type Area = {
  readonly id: string;
  readonly name: string;
  readonly kind: Exclude<PlaceKind, 'city'>;
  readonly parent: string | null;
  readonly timeZone: string;
  readonly currency: string;
};

const country = (id: string, name: string, timeZone: string, currency: string) =>
  ({ id, name, kind: 'country', parent: null, timeZone, currency }) as const;

const portugal = country('portugal', 'Portugal', 'Europe/Lisbon', 'EUR');
const spain = country('spain', 'Spain', 'Europe/Madrid', 'EUR');
const italy = country('italy', 'Italy', 'Europe/Rome', 'EUR');
const france = country('france', 'France', 'Europe/Paris', 'EUR');
const denmark = country('denmark', 'Denmark', 'Europe/Copenhagen', 'DKK');
const unitedKingdom = country('united-kingdom', 'United Kingdom', 'Europe/London', 'GBP');
const unitedStates = country('united-states', 'United States', 'America/New_York', 'USD');
const japan = country('japan', 'Japan', 'Asia/Tokyo', 'JPY');
const australia = country('australia', 'Australia', 'Australia/Sydney', 'AUD');

const region = (id: string, name: string, parent: Area, timeZone = parent.timeZone) =>
  ({ id, name, kind: 'region', parent: parent.id, timeZone, currency: parent.currency }) as const;

export const AREAS: readonly Area[] = [
  portugal,
  region('lisbon-region-pt', 'Lisbon Region', portugal),
  region('northern-portugal', 'Northern Portugal', portugal),
  spain,
  region('catalonia-es', 'Catalonia', spain),
  region('andalusia-es', 'Andalusia', spain),
  italy,
  region('tuscany-it', 'Tuscany', italy),
  region('lazio-it', 'Lazio', italy),
  france,
  region('ile-de-france-fr', 'Île-de-France', france),
  region('riviera-fr', 'French Riviera', france),
  denmark,
  region('capital-region-dk', 'Capital Region of Denmark', denmark),
  unitedKingdom,
  region('england-gb', 'England', unitedKingdom),
  region('scotland-gb', 'Scotland', unitedKingdom),
  unitedStates,
  region('new-york-state-us', 'New York State', unitedStates),
  region('california-us', 'California', unitedStates, 'America/Los_Angeles'),
  japan,
  region('kansai-jp', 'Kansai', japan),
  region('kanto-jp', 'Kantō', japan),
  australia,
  region('new-south-wales-au', 'New South Wales', australia),
];

const areasById = new Map(AREAS.map((area) => [area.id, area]));

export function areaOf(id: string): Area {
  const area = areasById.get(id);
  if (!area) throw new RangeError(`no area ${id}`);
  return area;
}

/** From the region up to the country. */
export function areasAround(id: string): readonly Area[] {
  const area = areaOf(id);
  return area.parent === null ? [area] : [area, ...areasAround(area.parent)];
}
