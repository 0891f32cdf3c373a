import type { KindName } from './properties.ts';

/** An operator of the demo network. Each one has a peculiarity of real operators that the service has to handle. */
export type Brand = {
  readonly source: string;
  readonly name: string;
  readonly tagline: string;
  readonly introduction: string;
  /** How its references begin: `CL-101`. */
  readonly prefix: string;
  /** City → number of properties. */
  readonly propertyCounts: Readonly<Record<string, number>>;
  readonly kinds: readonly KindName[];
  /** The name of a property is one word of each list, in this order. */
  readonly nameWords: readonly [first: readonly string[], second: readonly string[]];
  readonly ratingScale: 5 | 10;
  readonly connection: 'open' | 'rate-card';
  /** The only city of a single-location storefront. */
  readonly singleLocation: string | null;
  readonly givesBreakdown: boolean;
  /** Whether amenities, room counts, review counts, times and the structured cancellation rule are published. */
  readonly publishesFacts: boolean;
  /** Whether its booking system is slow and sometimes fails. */
  readonly isUnreliable: boolean;
  /** Whether it calls cities by their local names. */
  readonly usesLocalNames: boolean;
  /** How long it holds a quoted price, said in every quote; null when it does not say. */
  readonly holdMinutes: number | null;
  /** How long it holds all its prices, by agreement with the network; null when nothing was agreed. */
  readonly agreedHoldMinutes: number | null;
  /** Whether it takes a deposit, which it gives back, and says that nothing else is due on site. */
  readonly takesDeposit: boolean;
};

const ordinary = {
  connection: 'open',
  singleLocation: null,
  givesBreakdown: true,
  publishesFacts: true,
  isUnreliable: false,
  usesLocalNames: false,
  holdMinutes: null,
  agreedHoldMinutes: null,
  takesDeposit: false,
} as const;

export const BRANDS: readonly Brand[] = [
  {
    ...ordinary,
    source: 'casa-lumeira',
    name: 'Casa Lumeira',
    tagline: 'Twenty-six homes. One city. Lisbon, from the inside.',
    introduction:
      'We look after old apartments on the seven hills: tiles by hand, shutters that close, and a baker on the corner whose hours we will tell you.',
    prefix: 'CL',
    propertyCounts: { 'lisbon-pt': 26 },
    kinds: ['studio', 'apartment', 'apartment', 'loft', 'townhouse'],
    nameWords: [
      ['Casa', 'Pátio', 'Mirante', 'Varanda', 'Sótão', 'Recanto'],
      [
        'das Andorinhas',
        'do Limoeiro',
        'da Madrugada',
        'dos Azulejos',
        'da Glicínia',
        'do Farol',
        'das Marés',
        'da Figueira',
        'do Alecrim',
      ],
    ],
    ratingScale: 5,
    singleLocation: 'lisbon-pt',
    holdMinutes: 120,
  },
  {
    ...ordinary,
    source: 'hearthlane',
    name: 'Hearthlane',
    tagline: 'Houses with a front door, a kettle and a story.',
    introduction:
      'Brick terraces, Georgian crescents and brownstones, kept warm by people who live round the corner. One price, everything in it.',
    prefix: 'HL',
    propertyCounts: {
      'london-gb': 13,
      'bath-gb': 9,
      'edinburgh-gb': 10,
      'new-york-us': 8,
      'paris-fr': 7,
      'lisbon-pt': 5,
    },
    kinds: ['apartment', 'apartment', 'townhouse', 'cottage', 'house', 'studio'],
    nameWords: [
      [
        'The Lamplighter’s',
        'The Bookbinder’s',
        'The Clockmaker’s',
        'The Botanist’s',
        'The Milliner’s',
        'The Ferryman’s',
        'The Cartographer’s',
        'The Apothecary’s',
        'The Violinist’s',
        'The Glazier’s',
      ],
      ['House', 'Rooms', 'Attic', 'Corner', 'Rest', 'Mews', 'Parlour'],
    ],
    ratingScale: 10,
    givesBreakdown: false,
    agreedHoldMinutes: 20,
  },
  {
    ...ordinary,
    source: 'stillehus',
    name: 'Stillehus',
    tagline: 'Little in it. Nothing missing.',
    introduction: 'Pale wood, good beds, long evenings. We write short descriptions and keep quiet houses.',
    prefix: 'SH',
    propertyCounts: {
      'copenhagen-dk': 15,
      'edinburgh-gb': 6,
      'london-gb': 5,
      'porto-pt': 7,
      'lisbon-pt': 5,
      'tokyo-jp': 5,
      'paris-fr': 4,
    },
    kinds: ['apartment', 'apartment', 'studio', 'loft', 'house'],
    nameWords: [
      ['Ask', 'Birk', 'Eg', 'Elm', 'Hassel', 'Lind', 'Løn', 'Pil', 'Røn', 'Skov', 'Strand', 'Sø'],
      ['№ 2', '№ 3', '№ 5', '№ 8', '№ 11', '№ 14', '№ 21'],
    ],
    ratingScale: 5,
    publishesFacts: false,
  },
  {
    ...ordinary,
    source: 'driftlark',
    name: 'Driftlark',
    tagline: 'Wake up near the water.',
    introduction:
      'Bright places within a short walk of a swim, from the Mediterranean to the Pacific. Bring less than you think.',
    prefix: 'DR',
    propertyCounts: {
      'barcelona-es': 12,
      'nice-fr': 9,
      'los-angeles-us': 12,
      'sydney-au': 12,
      'lisbon-pt': 6,
      'copenhagen-dk': 4,
    },
    kinds: ['apartment', 'loft', 'studio', 'penthouse', 'house', 'villa'],
    nameWords: [
      [
        'Salt',
        'Citrus',
        'Low Tide',
        'Blue Hour',
        'Sandpiper',
        'Driftwood',
        'Mistral',
        'Bougainvillea',
        'Sea Glass',
        'Long Swim',
        'Pelican',
      ],
      ['Loft', 'House', 'Terrace', 'Hideout', 'Deck', 'Rooms'],
    ],
    ratingScale: 5,
    isUnreliable: true,
  },
  {
    ...ordinary,
    source: 'quince-and-key',
    name: 'Quince & Key',
    tagline: 'Old doors, opened with care.',
    introduction:
      'A family keeps these houses: frescoed ceilings, courtyards with a fig tree, kitchens made for long lunches. Every price is on our card, as it has been since we began.',
    prefix: 'QK',
    propertyCounts: {
      'florence-it': 12,
      'lucca-it': 7,
      'rome-it': 14,
      'seville-es': 8,
      'girona-es': 5,
      'sintra-pt': 4,
      'nice-fr': 4,
    },
    kinds: ['apartment', 'apartment', 'penthouse', 'townhouse', 'villa', 'cottage'],
    nameWords: [
      [
        'The Fig',
        'The Fresco',
        'The Cypress',
        'The Olive',
        'The Lute',
        'The Almond',
        'The Terracotta',
        'The Swallow',
        'The Saffron',
        'The Walnut',
        'The Pomegranate',
      ],
      ['Courtyard', 'Floor', 'Rooms', 'Loggia', 'Tower', 'Garden'],
    ],
    ratingScale: 10,
    connection: 'rate-card',
    usesLocalNames: true,
    takesDeposit: true,
  },
  {
    ...ordinary,
    source: 'kumori',
    name: 'Kumori Stays',
    tagline: 'Quiet rooms in loud cities.',
    introduction:
      'Paper light, deep baths and a door that shuts out the street. We began in one machiya in Nishijin and still answer every message ourselves.',
    prefix: 'KM',
    propertyCounts: {
      'kyoto-jp': 17,
      'tokyo-jp': 14,
      'osaka-jp': 9,
      'new-york-us': 5,
      'los-angeles-us': 4,
      'barcelona-es': 5,
      'porto-pt': 5,
      'sintra-pt': 3,
      'seville-es': 3,
    },
    kinds: ['apartment', 'studio', 'studio', 'townhouse', 'loft', 'house'],
    nameWords: [
      [
        'Hotaru',
        'Momiji',
        'Kiri',
        'Nagi',
        'Sora',
        'Yūgure',
        'Tsubame',
        'Hoshi',
        'Asagiri',
        'Kohaku',
        'Minato',
        'Shigure',
        'Suzume',
        'Akari',
      ],
      ['House', 'Rooms', 'Annex', 'Court', 'Lantern', 'Hideaway'],
    ],
    ratingScale: 5,
    takesDeposit: true,
  },
];
