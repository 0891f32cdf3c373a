/** A country that listings can lie in. Its names are ours: what an operator writes is only compared with them. */
export type Country = {
  /** ISO 3166-1, two letters. */
  readonly code: string;
  readonly name: string;
  /** Its code, and what else people write for it. */
  readonly aliases: readonly string[];
};

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Groups of countries, test data and the unknown, which the table of names has too. */
const NO_COUNTRIES: ReadonlySet<string> = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);
/** Names in common use that the table does not have. */
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

/** Undefined for codes that were given up: the name of another country stands in their place. */
function countryOf(code: string): Country | undefined {
  const name = longNames.of(code);
  const isCurrent = new Intl.Locale('und', { region: code }).region === code;
  if (name === undefined || !isCurrent || NO_COUNTRIES.has(code)) return undefined;
  const others = [code, shortNames.of(code) ?? code, ...(OTHER_NAMES[code] ?? [])];
  return { code, name, aliases: [...new Set(others)].filter((other) => other !== name) };
}

/** Saint and St., & and "and", accents and case make no difference. */
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
