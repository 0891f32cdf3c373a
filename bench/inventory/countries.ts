/** A country of the synthetic market. Homes are priced in its currency, at its level of prices. */
export type SyntheticCountry = {
  readonly code: string;
  readonly currency: string;
  /** How many units of the currency buy what one euro does. */
  readonly level: number;
  readonly timeZones: readonly string[];
  /** South of the equator the summer is half a year later. */
  readonly isSouthern: boolean;
};

const north = { isSouthern: false } as const;
const south = { isSouthern: true } as const;

/** From the largest market to the smallest. */
export const SYNTHETIC_COUNTRIES: readonly SyntheticCountry[] = [
  { ...north, code: 'fr', currency: 'EUR', level: 1, timeZones: ['Europe/Paris'] },
  {
    ...north,
    code: 'us',
    currency: 'USD',
    level: 1.1,
    timeZones: ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'],
  },
  { ...north, code: 'es', currency: 'EUR', level: 1, timeZones: ['Europe/Madrid', 'Atlantic/Canary'] },
  { ...north, code: 'it', currency: 'EUR', level: 1, timeZones: ['Europe/Rome'] },
  { ...north, code: 'gb', currency: 'GBP', level: 0.85, timeZones: ['Europe/London'] },
  { ...south, code: 'br', currency: 'BRL', level: 6, timeZones: ['America/Sao_Paulo', 'America/Manaus'] },
  {
    ...south,
    code: 'au',
    currency: 'AUD',
    level: 1.7,
    timeZones: ['Australia/Sydney', 'Australia/Brisbane', 'Australia/Perth'],
  },
  { ...north, code: 'pt', currency: 'EUR', level: 1, timeZones: ['Europe/Lisbon', 'Atlantic/Azores'] },
  {
    ...north,
    code: 'mx',
    currency: 'MXN',
    level: 20,
    timeZones: ['America/Mexico_City', 'America/Tijuana'],
  },
  { ...north, code: 'de', currency: 'EUR', level: 1, timeZones: ['Europe/Berlin'] },
  { ...north, code: 'hr', currency: 'EUR', level: 1, timeZones: ['Europe/Zagreb'] },
  { ...north, code: 'jp', currency: 'JPY', level: 165, timeZones: ['Asia/Tokyo'] },
  {
    ...north,
    code: 'ca',
    currency: 'CAD',
    level: 1.6,
    timeZones: ['America/Toronto', 'America/Vancouver', 'America/Halifax'],
  },
  { ...north, code: 'gr', currency: 'EUR', level: 1, timeZones: ['Europe/Athens'] },
  { ...south, code: 'za', currency: 'ZAR', level: 20, timeZones: ['Africa/Johannesburg'] },
  { ...north, code: 'pl', currency: 'PLN', level: 4.3, timeZones: ['Europe/Warsaw'] },
  { ...north, code: 'ch', currency: 'CHF', level: 0.95, timeZones: ['Europe/Zurich'] },
  { ...south, code: 'nz', currency: 'NZD', level: 1.9, timeZones: ['Pacific/Auckland'] },
  { ...north, code: 'th', currency: 'THB', level: 38, timeZones: ['Asia/Bangkok'] },
  { ...north, code: 'hu', currency: 'HUF', level: 390, timeZones: ['Europe/Budapest'] },
  { ...north, code: 'ae', currency: 'AED', level: 4, timeZones: ['Asia/Dubai'] },
  { ...north, code: 'kr', currency: 'KRW', level: 1500, timeZones: ['Asia/Seoul'] },
  { ...north, code: 'se', currency: 'SEK', level: 11, timeZones: ['Europe/Stockholm'] },
  { ...south, code: 'ar', currency: 'ARS', level: 1500, timeZones: ['America/Argentina/Buenos_Aires'] },
];
