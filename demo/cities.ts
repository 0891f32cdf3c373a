import type { Rates } from '../src/connectors/rate-card/rate-card.ts';
import { areaOf, areasAround } from './places.ts';

/** How a city looks on a picture. */
export type Character = 'southern' | 'northern' | 'boulevard' | 'brick' | 'palm' | 'eastern' | 'georgian';

export type City = {
  readonly id: string;
  readonly name: string;
  /** The name in the local language, which some operators use. */
  readonly localName: string;
  readonly region: string;
  readonly country: string;
  readonly timeZone: string;
  readonly currency: string;
  readonly character: Character;
  readonly seaside: boolean;
  readonly neighbourhoods: readonly string[];
  /** The price of a night for two in one bedroom, in whole units of the currency. */
  readonly baseNightly: number;
  readonly taxes: Rates['taxes'];
  /** Month and day, up to but not including `to`. */
  readonly highSeason: { readonly from: string; readonly to: string };
};

type CityEntry = Omit<City, 'localName' | 'country' | 'timeZone' | 'currency' | 'seaside'> & {
  readonly localName?: string;
  readonly seaside?: boolean;
};

function city(words: CityEntry): City {
  const region = areaOf(words.region);
  const country = areasAround(words.region).at(-1) ?? region;
  return Object.freeze({
    ...words,
    localName: words.localName ?? words.name,
    country: country.id,
    timeZone: region.timeZone,
    currency: region.currency,
    seaside: words.seaside ?? false,
  });
}

const vat = (percent: number, label = 'VAT') => ({ label: `${label} (${percent}%)`, percent });
const perGuestNight = (label: string, amount: string, nights?: number) => ({
  label: nights === undefined ? label : `${label} (first ${nights} nights)`,
  amount,
  per: 'guest_night' as const,
  ...(nights !== undefined && { first_nights: nights }),
});

const europeanSummer = { from: '06-12', to: '09-08' };

export const CITIES: readonly City[] = [
  city({
    id: 'lisbon-pt',
    name: 'Lisbon',
    localName: 'Lisboa',
    region: 'lisbon-region-pt',
    character: 'southern',
    seaside: true,
    neighbourhoods: ['Alfama', 'Graça', 'Príncipe Real', 'Chiado', 'Campo de Ourique', 'Belém', 'Mouraria'],
    baseNightly: 118,
    taxes: [vat(6), perGuestNight('City tax', '4.00', 7)],
    highSeason: europeanSummer,
  }),
  city({
    id: 'sintra-pt',
    name: 'Sintra',
    region: 'lisbon-region-pt',
    character: 'southern',
    neighbourhoods: ['the old town', 'São Pedro', 'Colares', 'Azenhas do Mar'],
    baseNightly: 104,
    taxes: [vat(6), perGuestNight('City tax', '2.00', 3)],
    highSeason: europeanSummer,
  }),
  city({
    id: 'porto-pt',
    name: 'Porto',
    region: 'northern-portugal',
    character: 'southern',
    seaside: true,
    neighbourhoods: ['Ribeira', 'Cedofeita', 'Foz do Douro', 'Bonfim', 'Miragaia'],
    baseNightly: 96,
    taxes: [vat(6), perGuestNight('City tax', '3.00', 7)],
    highSeason: europeanSummer,
  }),
  city({
    id: 'barcelona-es',
    name: 'Barcelona',
    region: 'catalonia-es',
    character: 'boulevard',
    seaside: true,
    neighbourhoods: ['Gràcia', 'El Born', 'Eixample', 'Poblenou', 'Sant Antoni', 'Barceloneta'],
    baseNightly: 139,
    taxes: [vat(10, 'IVA'), perGuestNight('Tourist tax', '6.25', 7)],
    highSeason: { from: '05-20', to: '09-20' },
  }),
  city({
    id: 'girona-es',
    name: 'Girona',
    region: 'catalonia-es',
    character: 'southern',
    neighbourhoods: ['Barri Vell', 'Mercadal', 'Sant Daniel'],
    baseNightly: 92,
    taxes: [vat(10, 'IVA'), perGuestNight('Tourist tax', '1.50', 7)],
    highSeason: europeanSummer,
  }),
  city({
    id: 'seville-es',
    name: 'Seville',
    localName: 'Sevilla',
    region: 'andalusia-es',
    character: 'southern',
    neighbourhoods: ['Triana', 'Santa Cruz', 'Macarena', 'El Arenal', 'Alameda'],
    baseNightly: 101,
    taxes: [vat(10, 'IVA')],
    // August is too hot.
    highSeason: { from: '03-15', to: '05-31' },
  }),
  city({
    id: 'florence-it',
    name: 'Florence',
    localName: 'Firenze',
    region: 'tuscany-it',
    character: 'southern',
    neighbourhoods: ['Oltrarno', 'San Frediano', 'Santa Croce', 'San Niccolò', 'Sant’Ambrogio'],
    baseNightly: 142,
    taxes: [vat(10, 'IVA'), perGuestNight('City tax', '5.50', 7)],
    highSeason: { from: '04-10', to: '10-15' },
  }),
  city({
    id: 'lucca-it',
    name: 'Lucca',
    region: 'tuscany-it',
    character: 'southern',
    neighbourhoods: ['the walled town', 'San Concordio', 'the hills of Vorno'],
    baseNightly: 110,
    taxes: [vat(10, 'IVA'), perGuestNight('City tax', '2.50', 3)],
    highSeason: europeanSummer,
  }),
  city({
    id: 'rome-it',
    name: 'Rome',
    localName: 'Roma',
    region: 'lazio-it',
    character: 'southern',
    neighbourhoods: ['Trastevere', 'Monti', 'Testaccio', 'Prati', 'San Lorenzo', 'Garbatella'],
    baseNightly: 136,
    taxes: [vat(10, 'IVA'), perGuestNight('City tax', '6.00', 10)],
    highSeason: { from: '04-05', to: '10-31' },
  }),
  city({
    id: 'paris-fr',
    name: 'Paris',
    region: 'ile-de-france-fr',
    character: 'boulevard',
    neighbourhoods: [
      'Le Marais',
      'Canal Saint-Martin',
      'Montmartre',
      'Batignolles',
      'Belleville',
      'Saint-Germain',
    ],
    baseNightly: 172,
    taxes: [vat(10, 'TVA'), perGuestNight('Taxe de séjour', '5.53')],
    highSeason: { from: '05-15', to: '09-30' },
  }),
  city({
    id: 'nice-fr',
    name: 'Nice',
    region: 'riviera-fr',
    character: 'palm',
    seaside: true,
    neighbourhoods: ['Vieux Nice', 'Le Port', 'Cimiez', 'Libération', 'Mont Boron'],
    baseNightly: 134,
    taxes: [vat(10, 'TVA'), perGuestNight('Taxe de séjour', '3.10')],
    highSeason: europeanSummer,
  }),
  city({
    id: 'copenhagen-dk',
    name: 'Copenhagen',
    localName: 'København',
    region: 'capital-region-dk',
    character: 'northern',
    seaside: true,
    neighbourhoods: ['Nørrebro', 'Vesterbro', 'Christianshavn', 'Østerbro', 'Frederiksberg', 'Nyhavn'],
    baseNightly: 1120,
    taxes: [vat(25, 'Moms')],
    highSeason: europeanSummer,
  }),
  city({
    id: 'london-gb',
    name: 'London',
    region: 'england-gb',
    character: 'brick',
    neighbourhoods: ['Bermondsey', 'Hackney', 'Notting Hill', 'Clerkenwell', 'Greenwich', 'Marylebone'],
    baseNightly: 154,
    taxes: [vat(20)],
    highSeason: europeanSummer,
  }),
  city({
    id: 'bath-gb',
    name: 'Bath',
    region: 'england-gb',
    character: 'georgian',
    neighbourhoods: ['Widcombe', 'Lansdown', 'Walcot', 'Bathwick'],
    baseNightly: 126,
    taxes: [vat(20)],
    highSeason: europeanSummer,
  }),
  city({
    id: 'edinburgh-gb',
    name: 'Edinburgh',
    region: 'scotland-gb',
    character: 'georgian',
    neighbourhoods: ['Stockbridge', 'Leith', 'the Old Town', 'Bruntsfield', 'New Town', 'Portobello'],
    baseNightly: 121,
    taxes: [vat(20), perGuestNight('Visitor levy', '2.60', 5)],
    // The festivals.
    highSeason: { from: '07-28', to: '09-02' },
  }),
  city({
    id: 'new-york-us',
    name: 'New York',
    region: 'new-york-state-us',
    character: 'brick',
    neighbourhoods: ['Brooklyn Heights', 'the West Village', 'Harlem', 'Astoria', 'Williamsburg', 'Tribeca'],
    baseNightly: 214,
    taxes: [
      { label: 'State and city sales tax (8.875%)', percent: 8.875 },
      { label: 'Occupancy tax (5.875%)', percent: 5.875 },
      { label: 'Unit fee', amount: '1.50', per: 'night' },
    ],
    highSeason: { from: '09-05', to: '12-31' },
  }),
  city({
    id: 'los-angeles-us',
    name: 'Los Angeles',
    region: 'california-us',
    character: 'palm',
    seaside: true,
    neighbourhoods: ['Silver Lake', 'Venice', 'Echo Park', 'Los Feliz', 'Highland Park'],
    baseNightly: 189,
    taxes: [{ label: 'Occupancy tax (14%)', percent: 14 }],
    highSeason: { from: '06-01', to: '09-10' },
  }),
  city({
    id: 'kyoto-jp',
    name: 'Kyoto',
    region: 'kansai-jp',
    character: 'eastern',
    neighbourhoods: ['Gion', 'Higashiyama', 'Arashiyama', 'Nishijin', 'Kiyamachi', 'Fushimi'],
    baseNightly: 17_400,
    taxes: [{ label: 'Consumption tax (10%)', percent: 10 }, perGuestNight('Accommodation tax', '400')],
    // Blossom.
    highSeason: { from: '03-18', to: '04-20' },
  }),
  city({
    id: 'osaka-jp',
    name: 'Osaka',
    region: 'kansai-jp',
    character: 'eastern',
    neighbourhoods: ['Namba', 'Nakazakichō', 'Tennōji', 'Kitahama'],
    baseNightly: 13_200,
    taxes: [{ label: 'Consumption tax (10%)', percent: 10 }, perGuestNight('Accommodation tax', '200')],
    highSeason: { from: '03-18', to: '04-20' },
  }),
  city({
    id: 'tokyo-jp',
    name: 'Tokyo',
    region: 'kanto-jp',
    character: 'eastern',
    neighbourhoods: ['Yanaka', 'Shimokitazawa', 'Kagurazaka', 'Asakusa', 'Daikanyama', 'Kiyosumi'],
    baseNightly: 18_900,
    taxes: [{ label: 'Consumption tax (10%)', percent: 10 }, perGuestNight('Accommodation tax', '200')],
    highSeason: { from: '03-20', to: '04-15' },
  }),
  city({
    id: 'sydney-au',
    name: 'Sydney',
    region: 'new-south-wales-au',
    character: 'palm',
    seaside: true,
    neighbourhoods: ['Paddington', 'Newtown', 'Balmain', 'Bondi', 'Surry Hills', 'Manly'],
    baseNightly: 232,
    taxes: [vat(10, 'GST')],
    highSeason: { from: '12-15', to: '02-05' },
  }),
];

const citiesById = new Map(CITIES.map((one) => [one.id, one]));

export function cityOf(id: string): City {
  const found = citiesById.get(id);
  if (!found) throw new RangeError(`no city ${id}`);
  return found;
}

/** Whether the place is the city itself, its region or its country. */
export function liesIn(one: City, placeId: string): boolean {
  return one.id === placeId || one.region === placeId || one.country === placeId;
}
