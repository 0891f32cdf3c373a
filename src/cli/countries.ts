/** A country that listings can lie in. Its names are ours: an operator's text is only compared with them. */
export type Country = {
  /** ISO 3166-1, two letters. */
  readonly code: string;
  readonly name: string;
  /** Its code and other spellings. */
  readonly aliases: readonly string[];
};

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Groups of countries, test codes and the unknown region, which `Intl` names too. */
const NO_COUNTRIES: ReadonlySet<string> = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);
/** Names in common use that `Intl` does not have. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE'],
  BN: ['Brunei Darussalam'],
  CI: ['Ivory Coast'],
  CV: ['Cabo Verde'],
  CZ: ['Czech Republic'],
  GB: ['UK', 'Great Britain'],
  KR: ['Republic of Korea'],
  MK: ['Macedonia'],
  NL: ['Holland'],
  RU: ['Russian Federation'],
  TR: ['Turkey'],
  US: ['USA', 'United States of America'],
  VN: ['Viet Nam'],
};
/** Currencies that several countries share, with the codes of those countries. */
const SHARED_CURRENCIES: Readonly<Record<string, string>> = {
  AUD: 'AU CC CX HM KI NF NR TV',
  CHF: 'CH LI',
  DKK: 'DK FO GL',
  EUR: 'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA XK YT',
  GBP: 'GB GG GS IM JE',
  ILS: 'IL PS',
  MAD: 'EH MA',
  NOK: 'BV NO SJ',
  NZD: 'CK NU NZ PN TK',
  USD: 'AS BQ EC FM GU IO MH MP PR PW SV TC TL UM US VG VI',
  XAF: 'CF CG CM GA GQ TD',
  XCD: 'AG AI DM GD KN LC MS VC',
  XCG: 'CW SX',
  XOF: 'BF BJ CI GW ML NE SN TG',
  XPF: 'NC PF WF',
};
/** The other currencies: each begins with the code of its only country. */
const OWN_CURRENCIES =
  'AED AFN ALL AMD AOA ARS AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CLP CNY COP CRC CUP CVE CZK DJF DOP DZD EGP ERN ETB FJD FKP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NPR OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX UYU UZS VES VND VUV WST YER ZAR ZMW';
const CURRENCY_OF_COUNTRY: ReadonlyMap<string, string> = new Map([
  ...OWN_CURRENCIES.split(' ').map((currency) => [currency.slice(0, 2), currency] as const),
  ...Object.entries(SHARED_CURRENCIES).flatMap(([currency, codes]) =>
    codes.split(' ').map((code) => [code, currency] as const),
  ),
]);
const MAX_LENGTH = 80;

const longNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const shortNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none', style: 'short' });

const COUNTRIES: readonly Country[] = LETTERS.flatMap((first) =>
  LETTERS.flatMap((second) => countryOf(first + second) ?? []),
);
const COUNTRY_BY_NAME: ReadonlyMap<string, Country> = new Map(
  COUNTRIES.flatMap((country) =>
    [country.name, ...country.aliases].map((name) => [comparable(name), country] as const),
  ),
);

/** The country that a code or an English name stands for; undefined when it stands for none. */
export function readCountry(text: string): Country | undefined {
  return text.length > MAX_LENGTH ? undefined : COUNTRY_BY_NAME.get(comparable(text));
}

/** The currency of a country, by the code of the country. */
export function currencyOfCountry(code: string): string | undefined {
  return CURRENCY_OF_COUNTRY.get(code);
}

/** Undefined for a withdrawn code: `Intl` names its successor instead. */
function countryOf(code: string): Country | undefined {
  const name = longNames.of(code);
  const isCurrent = new Intl.Locale('und', { region: code }).region === code;
  if (name === undefined || !isCurrent || NO_COUNTRIES.has(code)) return undefined;
  const others = [code, shortNames.of(code) ?? code, ...(OTHER_NAMES[code] ?? [])];
  return { code, name, aliases: [...new Set(others)].filter((other) => other !== name) };
}

/** Treats Saint and St., & and "and" alike, and ignores accents and case. */
function comparable(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/\p{M}/gu, '')
    .replace(/^\s*the\s+/u, '')
    .replace(/\bsaint\b/gu, 'st')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
