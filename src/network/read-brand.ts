import type { Brand, Place, PlaceId, StayParameters } from '../catalogue/catalogue.ts';
import { type BrandBudget, DEFAULT_BRAND_BUDGET } from '../catalogue/catalogue.ts';
import { PLACEHOLDER_IN_STAY_URL, STAY_PLACEHOLDERS } from '../catalogue/stay-address.ts';
import type { BrandTerms } from '../connectors/connect.ts';
import { readAddressPattern } from '../connectors/shared/listings/operator-address.ts';
import { registeredHost, userFacingAddress } from '../parsing/web-address.ts';
import { type BrandEntry, BYTES_PER_MEGABYTE } from './network-file.ts';

/** Reports a fault of this brand; `member` is a JSON pointer within its entry. */
type ReportFault = (member: string, message: string) => void;

const STAY_PARAMETERS: StayParameters = {
  checkIn: 'check_in',
  checkOut: 'check_out',
  guests: 'guests',
  source: 'source',
  destination: 'destination',
};
const PARAMETER_NAME = /^[A-Za-z0-9._~[\]-]{1,64}$/;

/** The entry without its booking system. */
type ReadBrand = {
  readonly brand: Omit<Brand, 'inventorySource'>;
  readonly placeAliases: ReadonlyMap<string, PlaceId>;
  readonly terms: BrandTerms;
  readonly budget: BrandBudget;
};

export function readBrand(
  entry: BrandEntry,
  places: ReadonlyMap<PlaceId, Place>,
  report: ReportFault,
): ReadBrand {
  if (entry.single_location !== undefined && !places.has(entry.single_location)) {
    report('/single_location', `${entry.single_location} is not a place of this file`);
  }
  return {
    brand: {
      id: entry.source,
      name: entry.name,
      singleLocation: entry.single_location ?? null,
      allInTotals: entry.all_in_totals,
      website: readWebsite(entry.website, report),
    },
    placeAliases: readAliases(entry.places ?? {}, places, report),
    terms: {
      quoteHoldMs: entry.quote_hold_minutes === undefined ? null : entry.quote_hold_minutes * 60_000,
      ratingScale: entry.rating_scale ?? null,
    },
    budget: readBudget(entry.budget ?? {}),
  };
}

function readBudget({ listings, megabytes }: NonNullable<BrandEntry['budget']>): BrandBudget {
  return {
    listings: listings ?? DEFAULT_BRAND_BUDGET.listings,
    bytes: megabytes === undefined ? DEFAULT_BRAND_BUDGET.bytes : megabytes * BYTES_PER_MEGABYTE,
  };
}

function readWebsite(website: BrandEntry['website'], report: ReportFault): Brand['website'] {
  const hosts = website.hosts.flatMap((text, index) => {
    const host = registeredHost(text);
    if (host === undefined)
      report(`/website/hosts/${index}`, 'must be a host name, with :port where it has one');
    return host ?? [];
  });
  const results = website.results_url === undefined ? null : userFacingAddress(website.results_url, hosts);
  if (results?.kind === 'invalid') report('/website/results_url', results.faults.join('; '));
  const readPattern = (member: 'page_pattern' | 'image_pattern'): string | null => {
    const text = website[member];
    if (text === undefined) return null;
    const pattern = readAddressPattern(text, hosts);
    if (pattern.kind === 'valid') return pattern.value;
    report(`/website/${member}`, pattern.faults.join('; '));
    return null;
  };
  return {
    hosts,
    stayParameters: readStayParameters(website.stay_parameters ?? {}, report),
    stayUrl: readStayUrl(website.stay_url, hosts, report),
    resultsUrl: results?.kind === 'valid' ? results.value : null,
    pagePattern: readPattern('page_pattern'),
    imagePattern: readPattern('image_pattern'),
  };
}

function readStayUrl(text: string | undefined, hosts: readonly string[], report: ReportFault): string | null {
  if (text === undefined) return null;
  const fault = (message: string) => {
    report('/website/stay_url', message);
    return null;
  };
  const names = Array.from(text.matchAll(PLACEHOLDER_IN_STAY_URL), ([, name = '']) => name);
  const unknown = names.find((name) => !STAY_PLACEHOLDERS.some((known) => known === name));
  if (unknown !== undefined)
    return fault(`has {${unknown}}, which is none of {${STAY_PLACEHOLDERS.join('}, {')}}`);
  const has = (name: (typeof STAY_PLACEHOLDERS)[number]) => names.includes(name);
  if (!has('reference') || !has('check_in') || !(has('check_out') || has('nights'))) {
    return fault('must have {reference}, {check_in}, and {check_out} or {nights}');
  }
  const address = userFacingAddress(text.replace(PLACEHOLDER_IN_STAY_URL, 'x'), hosts);
  return address.kind === 'valid' ? text : fault(address.faults.join('; '));
}

function readStayParameters(
  named: NonNullable<BrandEntry['website']['stay_parameters']>,
  report: ReportFault,
): StayParameters {
  for (const [member, name] of Object.entries(named)) {
    if (!PARAMETER_NAME.test(name))
      report(`/website/stay_parameters/${member}`, 'is not the name of a query parameter');
  }
  const parameters: StayParameters = {
    checkIn: named.check_in ?? STAY_PARAMETERS.checkIn,
    checkOut: named.check_out ?? STAY_PARAMETERS.checkOut,
    guests: named.guests ?? STAY_PARAMETERS.guests,
    source: named.source ?? STAY_PARAMETERS.source,
    destination: named.destination ?? STAY_PARAMETERS.destination,
    ...(named.quote === undefined ? {} : { quote: named.quote }),
  };
  const names = Object.values(parameters);
  if (new Set(names).size < names.length)
    report('/website/stay_parameters', 'uses one name for two parameters');
  return parameters;
}

function readAliases(
  aliases: Readonly<Record<string, string>>,
  places: ReadonlyMap<PlaceId, Place>,
  report: ReportFault,
): ReadonlyMap<string, PlaceId> {
  for (const [alias, id] of Object.entries(aliases)) {
    if (places.get(id)?.kind !== 'city')
      report(`/places/${escapePointer(alias)}`, `${id} is not a city of this file`);
  }
  return new Map(Object.entries(aliases));
}

function escapePointer(member: string): string {
  return member.replaceAll('~', '~0').replaceAll('/', '~1');
}
