import type { BrandId } from '../inventory/catalogue.ts';
import type { Connector } from '../operators/connector.ts';
import { shownText } from '../quotes/held-back-value.ts';
import type { BrandCheck } from './check-brand.ts';
import { notRegistered } from './choose-hosts.ts';
import { heldBackList } from './commands/held-back.ts';
import { counted } from './counted.ts';
import type { Discovery, FoundHost } from './discover-listings.ts';
import type { PlaceInFile } from './edit-network-file.ts';
import type { CityApart } from './place-countries.ts';
import { paragraph } from './table.ts';
import type { Terminal } from './terminal.ts';
import { verdictTable } from './verdict.ts';

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
    /** A service runs on this network; it reads the file when it starts. */
    readonly isServing: boolean;
  },
  terminal: Terminal,
): string {
  const cities = [...found.cities].map(([city, { listings }]) => `${shownText(city)} (${listings})`);
  const held = heldBackList(check.heldBack);
  return [
    paragraph(
      `${connector.documentation.title}: ${counted(found.listings, 'listing')} in ${cities.join(', ') || 'no city'}`,
      '  ',
    ),
    ...(written === null || places.length === 0
      ? []
      : [paragraph(`New places: ${places.map(describedPlace).join(', ')}`, '  ')]),
    ...apart.map(({ city, country }) =>
      paragraph(
        `${terminal.styled('warning', '!')} ${shownName(city)} is not put into ${shownName(country)}: its homes have prices in ${city.currency}, and ${shownName(country)} is compared in ${country.currency}.`,
        '  ',
      ),
    ),
    ...leftOut.map((city) =>
      paragraph(
        `${terminal.styled('warning', '!')} ${shownText(city)} is not on the network, and left out. Add it with --time-zone ZONE, or say which place it is with --place "${shownText(city)}=PLACE".`,
        '  ',
      ),
    ),
    ...unregistered.map((host) =>
      paragraph(`${terminal.styled('warning', '!')} ${notRegistered(host)}`, '  '),
    ),
    '',
    verdictTable(check.verdicts, terminal),
    ...(held.length > 0 ? [...held] : []),
    '',
    written === null
      ? paragraph('Nothing was written: a check has failed. Mend it, or write the entry with --force.')
      : `Wrote ${brand} into ${written}. Next: ${isServing ? 'restart the service' : `staywire sync ${brand}`}`,
  ].join('\n');
}

/** `Lisbon (lisbon, in portugal)` */
function describedPlace(place: PlaceInFile): string {
  const within = typeof place.parent === 'string' ? `, in ${place.parent}` : '';
  return `${shownName(place)} (${place.id}${within})`;
}

function shownName({ id, name }: PlaceInFile): string {
  return typeof name === 'string' ? shownText(name) : id;
}
