import type { BrandId } from '../catalogue/catalogue.ts';
import { shownText } from '../catalogue/rejections/rejected-value.ts';
import type { Connector } from '../connectors/connector.ts';
import type { BrandCheck } from './check-brand.ts';
import { rejectionList } from './commands/rejections.ts';
import { counted } from './counted.ts';
import type { Discovery } from './discover-listings.ts';
import type { PlaceInFile } from './edit-network-file.ts';
import { notRegistered } from './host-text.ts';
import type { FoundHost } from './import/found-hosts.ts';
import { nextStepFor } from './next-step.ts';
import { notOnTheNetwork } from './place-cities.ts';
import type { CityApart } from './place-countries.ts';
import { paragraph } from './table.ts';
import type { Terminal } from './terminal.ts';
import { verdictTable } from './verdict.ts';
import { warningLines } from './warning-lines.ts';

/** What was found, what was tried, and what comes next. */
export function connectReport(
  {
    brand,
    connector,
    found,
    places,
    leftOut,
    apart,
    unregistered,
    check,
    written,
    isServing,
  }: {
    readonly brand: BrandId;
    readonly connector: Connector;
    readonly found: Discovery;
    /** To be added to the network. */
    readonly places: readonly PlaceInFile[];
    readonly leftOut: readonly string[];
    readonly apart: readonly CityApart[];
    readonly unregistered: readonly FoundHost[];
    readonly check: BrandCheck;
    readonly written: string | null;
    /** A service works on the store. */
    readonly isServing: boolean;
  },
  terminal: Terminal,
): string {
  const cities = [...found.cities].map(([city, { listings }]) => `${shownText(city)} (${listings})`);
  return [
    paragraph(
      `${connector.documentation.title}: ${counted(found.listings, 'listing')} in ${cities.join(', ') || 'no city'}`,
      '  ',
    ),
    ...(written === null || places.length === 0
      ? []
      : [paragraph(`New places: ${places.map(describedPlace).join(', ')}`, '  ')]),
    ...warningLines(
      [...apart.map(leftWithoutCountry), ...leftOut.map(notOnTheNetwork), ...unregistered.map(notRegistered)],
      terminal,
    ),
    '',
    verdictTable(check.verdicts, terminal),
    ...rejectionList(check.rejections),
    '',
    written === null
      ? paragraph('Nothing was written: a check has failed. Mend it, or write the entry with --force.')
      : `Wrote ${brand} into ${written}. Next: ${nextStepFor(brand, isServing)}`,
  ].join('\n');
}

function leftWithoutCountry({ city, country }: CityApart): string {
  return `${shownName(city)} is not put into ${shownName(country)}: its homes have prices in ${city.currency}, and ${shownName(country)} is compared in ${country.currency}.`;
}

/** `Lisbon (lisbon, in portugal)` */
function describedPlace(place: PlaceInFile): string {
  const within = typeof place.parent === 'string' ? `, in ${place.parent}` : '';
  return `${shownName(place)} (${place.id}${within})`;
}

function shownName({ id, name }: PlaceInFile): string {
  return typeof name === 'string' ? shownText(name) : id;
}
