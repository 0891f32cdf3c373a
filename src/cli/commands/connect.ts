import { dirname, relative } from 'node:path';
import type { BrandId } from '../../catalogue/catalogue.ts';
import { shownText } from '../../catalogue/rejections/rejected-value.ts';
import type { Connector } from '../../connectors/connector.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { checkBrand, createOpenPage, hasFailed, verdictTable } from '../check-brand.ts';
import {
  assertHosts,
  assertStayUrl,
  chooseWebsite,
  hostOfAddress,
  notRegistered,
} from '../choose-website.ts';
import { type CliTools, type CommandResult, EXIT } from '../command.ts';
import { chooseSystem, completeEntry, readSecrets } from '../connect-entry.ts';
import { createCatalogueRecording, createConnectTrial, openDocumentsFor } from '../connect-trial.ts';
import { currencyOfMost } from '../discover-listings.ts';
import { adviceFor, nextStepFor, SystemFault, UsageFault } from '../faults.ts';
import {
  assertBrandName,
  type BrandInFile,
  changeNetworkFile,
  hostsBefore,
  type PlaceInFile,
  placesBefore,
  readNetworkDocument,
  stayUrlBefore,
  titleOf,
  withBrand,
  withPlaces,
  withWebsite,
} from '../network-file.ts';
import { assertPlaceOptions, type CityWithoutCountry, cityPlaces, notOnTheNetwork } from '../place-cities.ts';
import { counted, paragraph, warningLines } from '../terminal.ts';
import { assertCanSign, openWorkspace, type WorkspaceOptions } from '../workspace.ts';
import { rejectionList, rejectionsJson } from './rejections.ts';

type ConnectCommandOptions = WorkspaceOptions & {
  readonly system?: string;
  readonly account?: string;
  readonly name?: string;
  /** `member=value` of the booking system's entry. */
  readonly set?: readonly string[];
  readonly host?: readonly string[];
  readonly stayUrl?: string;
  /** `City=place-id`, as often as needed. */
  readonly place?: readonly string[];
  /** For cities that are not on the network yet. */
  readonly timeZone?: string;
  readonly allInTotals?: boolean;
  readonly secretsFromStdin?: boolean;
  /** Writes the entry although a check has failed. */
  readonly force?: boolean;
};

/** Asks for what is missing, tries the booking system, shows its listings, and only then writes the entry. */
export async function connect(
  brand: BrandId,
  options: ConnectCommandOptions,
  tools: CliTools,
  /** The command line, to print it again with the missing options. */
  words: readonly string[],
): Promise<CommandResult> {
  assertBrandName(brand);
  assertOptions([
    () => assertPlaceOptions(options),
    () => assertHosts(options.host),
    () => assertStayUrl(options.stayUrl),
  ]);
  const { terminal, signal, clock } = tools;
  const workspace = openWorkspace(tools, options);
  assertCanSign(workspace.settings);
  const { networkFile } = workspace.settings;
  const document = readNetworkDocument(networkFile);
  const before = document.brands.find(({ source }) => source === brand);
  const connector = await chooseSystem(options.system, terminal, before);
  const entry = await completeEntry(connector, brand, options, terminal, before);
  const account = String(entry.account ?? brand);
  const isPiped = options.secretsFromStdin === true;
  const secrets = await readSecrets(connector, account, isPiped, tools, workspace);
  await using store = await openDocumentsFor(tools, workspace.settings);
  const { settings } = workspace;
  const recording = createCatalogueRecording(tools.openOperatorAccess({ store, settings }));
  await using trial = createConnectTrial({
    document,
    connector,
    surroundings: { env: workspace.env, directory: dirname(networkFile), sealedCredentials: secrets.sealed },
    store,
    settings,
    access: recording.access,
    tools,
  });

  const start: BrandInFile = {
    ...before,
    source: brand,
    name: options.name ?? before?.name ?? titleOf(brand),
    all_in_totals: options.allInTotals ?? (before?.all_in_totals === true && connector.canStateAllInTotals),
    booking_system: entry,
  };
  terminal.note(`Reading the listings of ${brand} (${connector.documentation.title}) …`);
  const { stayUrl } = options;
  const known = [...hostsBefore(before), ...hostOfAddress(stayUrl)];
  const first = trial.connect(withWebsite(start, { hosts: known, stayUrl }), []);
  const from = clock.elapsed();
  try {
    await recording.whileRecording(first.system).catalogue(signal);
  } catch (failure) {
    throw notConnected(failure, connector, account, signal);
  }
  const catalogueMs = Math.round(clock.elapsed() - from);
  const found = first.discovery();

  const placed = await cityPlaces(found.cities, document.places, options, terminal, placesBefore(before));
  const { places, aliases, leftOut, withoutCountry } = placed;
  const website = await chooseWebsite(
    found,
    {
      hosts: hostsBefore(before),
      stayUrl: stayUrlBefore(before),
      givenHosts: options.host,
      givenStayUrl: stayUrl,
    },
    {
      title: connector.documentation.title,
      suggestedStayUrl: connector.documentation.stayUrl?.replace(
        '{url}',
        String(entry.url).replace(/\/+$/, ''),
      ),
    },
    { terminal, words, leftOut },
  );
  const written = withPlaces(withWebsite(start, website), aliases);
  terminal.note('Trying a calendar, a price and the link of a stay …');
  const { system, network } = trial.connect(written, places);
  const check = await checkBrand({
    system: recording.fromRecording(system),
    catalogueMs,
    network,
    openPage: createOpenPage(tools.openClient(settings.operatorNetworks)),
    clock,
    signal,
  });
  signal.throwIfAborted();

  const mayWrite = !hasFailed(check.verdicts) || options.force === true;
  if (mayWrite) {
    await secrets.save();
    await changeNetworkFile(networkFile, tools, (current) => withBrand(current, written, places));
  }
  const cities = [...found.cities].map(([city, { listings }]) => `${shownText(city)} (${listings})`);
  return {
    exit: mayWrite ? EXIT.done : EXIT.faults,
    json: {
      brand,
      system: connector.kind,
      listings: found.listings,
      cities: Object.fromEntries(
        Array.from(found.cities, ([city, { currencies, ...rest }]) => [
          city,
          { ...rest, currency: currencyOfMost(currencies) },
        ]),
      ),
      added_places: mayWrite ? places : [],
      left_out: leftOut,
      hosts: { found: found.hosts, registered: website.hosts },
      checks: check.verdicts,
      ...rejectionsJson(check.rejections),
      written: mayWrite ? networkFile : null,
    },
    text: [
      paragraph(
        `${connector.documentation.title}: ${counted(found.listings, 'listing')} in ${cities.join(', ') || 'no city'}`,
        '  ',
      ),
      ...(mayWrite && places.length > 0
        ? [paragraph(`New places: ${places.map(describedPlace).join(', ')}`, '  ')]
        : []),
      ...warningLines(
        [
          ...withoutCountry.map(leftWithoutCountry),
          ...leftOut.map(notOnTheNetwork),
          ...website.unregistered.map(notRegistered),
        ],
        terminal,
      ),
      '',
      verdictTable(check.verdicts, terminal),
      ...rejectionList(check.rejections),
      '',
      mayWrite
        ? `Wrote ${brand} into ${relative(tools.directory, networkFile)}. Next: ${nextStepFor(brand, store.isInUse)}`
        : paragraph('Nothing was written: a check has failed. Mend it, or write the entry with --force.'),
    ].join('\n'),
  };
}

/** Collects all faults of the options before any request to the vendor. */
function assertOptions(checks: readonly (() => void)[]): void {
  const wrong = checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (fault) {
      if (fault instanceof UsageFault) return [fault];
      throw fault;
    }
  });
  if (wrong.length === 0) return;
  throw new UsageFault(
    wrong.flatMap(({ faults }) => faults),
    wrong.map(({ next }) => next).join('; '),
  );
}

function notConnected(failure: unknown, connector: Connector, account: string, signal: AbortSignal): unknown {
  if (signal.aborted || !(failure instanceof BookingSystemFailure)) return failure;
  const names = new Intl.ListFormat('en').format(Object.keys(connector.credentials));
  const lookUp = `look up ${names} of the account ${account} again, with what the key may do there, and give what you find`;
  const next =
    names !== '' && failure.kind === 'rejected'
      ? lookUp
      : // Lodgify, for example, answers a wrong key with 500.
        names !== '' && failure.kind === 'server_error'
        ? `try again; if it stays so, ${lookUp}: some vendors answer wrong ones like this`
        : (adviceFor(failure.kind) ?? 'look at the address and whether this machine may reach it');
  return new SystemFault(
    [`${connector.documentation.title} could not be read (${failure.kind}): ${failure.message}`],
    next,
  );
}

function leftWithoutCountry({ city, country }: CityWithoutCountry): string {
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
