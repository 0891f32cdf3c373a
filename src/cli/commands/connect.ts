import { dirname, relative } from 'node:path';
import type { BrandId } from '../../inventory/catalogue.ts';
import { describeNetwork, type NetworkSettings } from '../../network/read-network.ts';
import type { Connector } from '../../operators/connector.ts';
import { type BookingSystem, BookingSystemFailure } from '../../quotes/booking-system.ts';
import { shownText } from '../../quotes/held-back-value.ts';
import { titleOf } from '../brand-title.ts';
import { type BrandCheck, checkBrand } from '../check-brand.ts';
import type { CliTools, CommandResult } from '../command.ts';
import { chooseSystem, completeEntry, settableMembers } from '../connect-entry.ts';
import { readSecrets } from '../connect-secrets.ts';
import { counted } from '../counted.ts';
import { type Discovery, discoveringIntake } from '../discover-listings.ts';
import {
  type BrandInFile,
  type NetworkDocument,
  type PlaceInFile,
  readNetworkDocument,
  withBrand,
  writeNetworkDocument,
} from '../edit-network-file.ts';
import { EXIT } from '../exit-codes.ts';
import { adviceFor } from '../failure-advice.ts';
import { UsageFault } from '../faults.ts';
import { createOpenPage } from '../open-page.ts';
import { cityPlaces } from '../place-cities.ts';
import { paragraph } from '../table.ts';
import { openDocumentsFor } from '../trial-documents.ts';
import { hasFailed, verdictTable } from '../verdict.ts';
import { openWorkspace, type WorkspaceOptions } from '../workspace.ts';
import { heldBackJson, heldBackList } from './held-back.ts';

export type ConnectCommandOptions = WorkspaceOptions & {
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

const MAX_HOSTS = 20;
const SOURCE = /^[a-z0-9-]{1,64}$/;
/** Stands for hosts that are not known yet; no address is on it. */
const NO_HOST = 'nowhere.invalid';

/** Asks for what is missing, tries the booking system, shows what it has, and only then writes the entry. */
export async function connect(
  brand: BrandId,
  options: ConnectCommandOptions,
  tools: CliTools,
): Promise<CommandResult> {
  if (!SOURCE.test(brand)) {
    throw new UsageFault(
      [`${shownText(brand)} cannot be the name of a brand.`],
      'use lower-case letters, digits and hyphens; --name gives the name that travellers see',
    );
  }
  const { terminal, signal, clock } = tools;
  const workspace = openWorkspace(tools, options);
  const { networkFile } = workspace.settings;
  const document = readNetworkDocument(networkFile);
  const before = document.brands.find(({ source }) => source === brand);
  const connector = await chooseSystem(options.system, terminal, before);
  const entry = await completeEntry(connector, brand, options, terminal, before);
  const account = String(entry.account ?? brand);
  const isPiped = options.secretsFromStdin === true;
  const secrets = await readSecrets(connector, account, isPiped, tools, workspace);
  const surroundings = {
    env: workspace.env,
    directory: dirname(networkFile),
    sealedCredentials: secrets.sealed,
  };

  await using documents = await openDocumentsFor(tools, workspace.settings);
  async function trial<T>(
    file: Pick<TrialFile, 'brand' | 'places'>,
    work: (system: BookingSystem, settings: NetworkSettings, discovery: () => Discovery) => Promise<T>,
  ): Promise<T> {
    const settings = trialNetwork({ document, connector, ...file }, surroundings);
    const { intake, discovery } = discoveringIntake(tools.createIntake(settings.network));
    const systems = tools.connectNetwork({
      ...settings,
      store: documents,
      intake,
      settings: workspace.settings,
    });
    try {
      return await work(systemOf(systems, brand), settings, discovery);
    } finally {
      for (const system of systems.values()) await system.close();
      await intake.close();
    }
  }

  const start = brandEntry(brand, entry, connector, options, before);
  terminal.note(`Reading the listings of ${brand} (${connector.documentation.title}) …`);
  const found = await trial(
    { brand: withWebsite(start, [], options), places: [] },
    async (system, _, discovery) => {
      try {
        await system.catalogue(signal);
      } catch (failure) {
        throw notConnected(failure, connector, account, signal);
      }
      return discovery();
    },
  );

  const { places, aliases, leftOut } = await cityPlaces(found.cities, document.places, options, terminal);
  const complete = withPlaces(withWebsite(start, found.hosts, options), aliases);
  const openPage = createOpenPage(tools.openClient(workspace.settings.operatorNetworks));
  const tryOut = (entryToWrite: BrandInFile) =>
    trial({ brand: entryToWrite, places }, async (system, { network }, discovery) => {
      terminal.note('Trying a calendar, a price and the link of a stay …');
      const check = await checkBrand({ system, network, openPage, clock, signal });
      signal.throwIfAborted();
      return { written: entryToWrite, check, discovery: discovery() };
    });
  let tried = await tryOut(complete);
  if (lacksPages(tried.discovery, complete)) {
    const stayUrl = await askForStayUrl(connector, terminal);
    tried = await tryOut(withWebsite(complete, [], { stayUrl }));
  }
  const { check } = tried;

  const mayWrite = !hasFailed(check.verdicts) || options.force === true;
  if (mayWrite) {
    secrets.save();
    // As it is by now: somebody may have edited it while the booking system was asked.
    writeNetworkDocument(networkFile, withBrand(readNetworkDocument(networkFile), tried.written, places));
  }
  return {
    exit: mayWrite ? EXIT.done : EXIT.faults,
    json: {
      brand,
      system: connector.kind,
      listings: found.listings,
      cities: Object.fromEntries(found.cities),
      left_out: leftOut,
      checks: check.verdicts,
      ...heldBackJson(check.heldBack),
      written: mayWrite ? networkFile : null,
    },
    text: report(
      {
        brand,
        connector,
        found,
        leftOut,
        check,
        written: mayWrite ? relative(tools.directory, networkFile) : null,
      },
      terminal,
    ),
  };
}

type TrialFile = {
  readonly document: NetworkDocument;
  readonly connector: Connector;
  readonly brand: BrandInFile;
  readonly places: readonly PlaceInFile[];
};

const SOMEWHERE = { id: 'somewhere', name: 'Somewhere', kind: 'city', time_zone: 'UTC', currency: 'EUR' };

/** The network with this one brand alone: what is wrong with others is none of its business. */
function trialNetwork(
  { document, connector, brand, places }: TrialFile,
  surroundings: Parameters<typeof describeNetwork>[1],
): NetworkSettings {
  const all = [...document.places, ...places];
  const reading = describeNetwork(
    { name: 'Trial', contact: 'nobody', places: all.length > 0 ? all : [SOMEWHERE], brands: [brand] },
    surroundings,
  );
  if (reading.kind === 'valid') return reading.value;
  const isOfSystem = reading.faults.some(({ pointer }) => pointer.startsWith('/brands/0/booking_system'));
  throw new UsageFault(
    reading.faults.map(({ pointer, message }) => `${pointer.replace('/brands/0', brand.source)}: ${message}`),
    isOfSystem
      ? `give it with --set member=value; ${connector.kind} has ${settableMembers(connector).join(', ')}`
      : 'mend it in the network file, or see staywire connect --help',
  );
}

function brandEntry(
  brand: BrandId,
  entry: Readonly<Record<string, unknown>>,
  { canStateAllInTotals }: Connector,
  { name, allInTotals }: ConnectCommandOptions,
  before: BrandInFile | undefined,
): BrandInFile {
  const wasAllIn = before?.all_in_totals === true;
  return {
    ...before,
    source: brand,
    name: name ?? before?.name ?? titleOf(brand),
    all_in_totals: allInTotals ?? (wasAllIn && canStateAllInTotals),
    booking_system: entry,
  };
}

type WebsiteInFile = { readonly hosts?: readonly string[]; readonly stay_url?: unknown };

function withWebsite(
  brand: BrandInFile,
  found: readonly string[],
  { host = [], stayUrl }: { readonly host?: readonly string[]; readonly stayUrl?: string | undefined },
): BrandInFile {
  const website = (brand.website ?? {}) as WebsiteInFile;
  const linked = stayUrl === undefined ? undefined : URL.parse(stayUrl.replaceAll(/[{}]/g, ''))?.host;
  const named = [...(website.hosts ?? []), ...host, ...(linked ? [linked] : []), ...found];
  const hosts = [...new Set(named)].filter((one) => one !== NO_HOST).slice(0, MAX_HOSTS);
  return {
    ...brand,
    website: {
      ...website,
      hosts: hosts.length > 0 ? hosts : [NO_HOST],
      ...(stayUrl === undefined ? {} : { stay_url: stayUrl }),
    },
  };
}

function withPlaces(brand: BrandInFile, aliases: Readonly<Record<string, string>>): BrandInFile {
  const places = { ...(brand.places as object | undefined), ...aliases };
  return Object.keys(places).length > 0 ? { ...brand, places } : brand;
}

/** Some vendors do not say where the page of a home is: then only the operator knows. */
function lacksPages({ listings, pages }: Discovery, { website }: BrandInFile): boolean {
  return listings > 0 && pages === 0 && (website as WebsiteInFile).stay_url === undefined;
}

const STAY_URL_FORM =
  'https://www.example.com/homes/{reference}?from={check_in}&to={check_out}&guests={guests}';

async function askForStayUrl({ documentation }: Connector, terminal: CliTools['terminal']): Promise<string> {
  if (!terminal.canAsk) {
    throw new UsageFault(
      [`${documentation.title} does not say where the page of a home is, or it is on another host.`],
      `give the form of its address with --stay-url, such as ${STAY_URL_FORM} or the host of the website with --host`,
    );
  }
  return terminal.ask({
    message: `Address of a home’s page, in the form ${STAY_URL_FORM}`,
    option: '--stay-url',
    faultOf: (text) =>
      URL.canParse(text.replaceAll(/[{}]/g, '')) && /\{reference\}.*\{check_in\}/.test(text)
        ? undefined
        : 'It must be an address with {reference}, {check_in} and {check_out}.',
  });
}

function systemOf(systems: ReturnType<CliTools['connectNetwork']>, brand: BrandId): BookingSystem {
  const system = systems.get(brand);
  if (!system) throw new Error(`no booking system for ${brand}`);
  return system;
}

function notConnected(failure: unknown, connector: Connector, account: string, signal: AbortSignal): unknown {
  if (signal.aborted || !(failure instanceof BookingSystemFailure)) return failure;
  const names = Object.keys(connector.credentials).join(' and ');
  const lookUp = `look up ${names} of the account ${account} again, and give them anew`;
  const next =
    names !== '' && failure.kind === 'rejected'
      ? lookUp
      : // Lodgify, for one, answers a wrong key with 500.
        names !== '' && failure.kind === 'server_error'
        ? `try again; if it stays so, ${lookUp}: some vendors answer wrong ones like this`
        : failure.kind === 'rate_limited'
          ? adviceFor(failure.kind)
          : 'look at the address and whether this machine may reach it, and try again';
  return new UsageFault(
    [`${connector.documentation.title} could not be read (${failure.kind}): ${failure.message}`],
    next,
  );
}

function report(
  {
    brand,
    connector,
    found,
    leftOut,
    check,
    written,
  }: {
    readonly brand: BrandId;
    readonly connector: Connector;
    readonly found: Discovery;
    readonly leftOut: readonly string[];
    readonly check: BrandCheck;
    readonly written: string | null;
  },
  terminal: CliTools['terminal'],
): string {
  const cities = [...found.cities].map(([city, { listings }]) => `${shownText(city)} (${listings})`);
  const held = heldBackList(check.heldBack);
  return [
    paragraph(
      `${connector.documentation.title}: ${counted(found.listings, 'listing')} in ${cities.join(', ') || 'no city'}`,
      '  ',
    ),
    ...leftOut.map((city) =>
      paragraph(
        `${terminal.styled('warning', '!')} ${shownText(city)} is not on the network, and left out. Add it with --time-zone ZONE, or say which place it is with --place "${shownText(city)}=PLACE".`,
        '  ',
      ),
    ),
    '',
    verdictTable(check.verdicts, terminal),
    ...(held.length > 0 ? [...held] : []),
    '',
    written === null
      ? paragraph('Nothing was written: a check has failed. Mend it, or write the entry with --force.')
      : `Wrote ${brand} into ${written}. Next: staywire sync ${brand}`,
  ].join('\n');
}
