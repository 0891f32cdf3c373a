import { dirname, relative } from 'node:path';
import type { BrandId } from '../../catalogue/catalogue.ts';
import { shownText } from '../../catalogue/rejections/rejected-value.ts';
import type { Connector } from '../../connectors/connector.ts';
import {
  assertEntryOptions,
  namesOfCities,
  notOnTheNetwork,
  notRegistered,
  placedCities,
  unregisteredHosts,
  websiteOf,
} from '../brand-entry.ts';
import { type BrandCheck, checkBrand, createOpenPage, hasFailed, verdictTable } from '../check-brand.ts';
import { type CliTools, type CommandResult, EXIT } from '../command.ts';
import { chooseSystem, completeEntry, readSecrets } from '../connect-entry.ts';
import { connectTrial, openDocumentsFor } from '../connect-trial.ts';
import { currencyOfMost } from '../discover-listings.ts';
import { nextStepFor, SystemFault } from '../faults.ts';
import {
  assertBrandName,
  type BrandInFile,
  changeNetworkFile,
  placesBefore,
  readNetworkDocument,
  titleOf,
  websiteBefore,
  withBrand,
  withPlaces,
  withWebsite,
} from '../network-file.ts';
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
  readonly allInTotals?: boolean;
  readonly secretsFromStdin?: boolean;
  /** Writes the entry although a check has failed. */
  readonly force?: boolean;
};

/** Asks for what is missing, tries the booking system, and only then writes the entry. */
export async function connect(
  brand: BrandId,
  options: ConnectCommandOptions,
  tools: CliTools,
  /** The command line, to print it again with the missing options. */
  words: readonly string[],
): Promise<CommandResult> {
  assertBrandName(brand);
  assertEntryOptions(options);
  const { terminal, signal, clock } = tools;
  const workspace = openWorkspace(tools, options);
  assertCanSign(workspace.settings);
  const { settings } = workspace;
  const { networkFile } = settings;
  const document = readNetworkDocument(networkFile);
  const before = document.brands.find(({ source }) => source === brand);
  const names = namesOfCities(document.places, placesBefore(before), options);
  const connector = await chooseSystem(options.system, terminal, before);
  const entry = await completeEntry(connector, brand, options, terminal, before);
  const account = String(entry.account ?? brand);
  const secrets = await readSecrets(connector, account, options.secretsFromStdin === true, tools, workspace);
  await using store = await openDocumentsFor(tools, settings);

  const given = { before: websiteBefore(before), host: options.host, stayUrl: options.stayUrl };
  const website = websiteOf(given);
  const start: BrandInFile = {
    ...before,
    source: brand,
    name: options.name ?? before?.name ?? titleOf(brand),
    all_in_totals: options.allInTotals ?? (before?.all_in_totals === true && connector.canStateAllInTotals),
    booking_system: entry,
  };
  const { title, stayUrl } = connector.documentation;
  terminal.note(`Trying ${brand} (${title}) …`);
  // With every name of the cities on the network, so that one reading of the catalogue tells which of them are needed.
  const trial = {
    document,
    connector,
    brand: withPlaces(withWebsite(start, website), Object.fromEntries(names)),
  };
  const surroundings = {
    env: workspace.env,
    directory: dirname(networkFile),
    sealedCredentials: secrets.sealed,
  };
  await using connected = connectTrial(trial, surroundings, { store, settings }, tools);
  const { system, network, discovery } = connected;
  const openPage = createOpenPage(tools.openClient(settings.operatorNetworks));
  const check = await checkBrand({ system, network, openPage, clock, signal });
  signal.throwIfAborted();
  assertCredentials(check, connector, account);
  const found = discovery();
  const { aliases, leftOut } = placedCities(found.cities, names);
  const unregistered = unregisteredHosts(found, given, {
    title,
    suggestedStayUrl: stayUrl?.replace('{url}', String(entry.url).replace(/\/+$/, '')),
    leftOut,
    words,
  });

  const mayWrite = !hasFailed(check.verdicts) || options.force === true;
  if (mayWrite) {
    const written = withPlaces(withWebsite(start, website), aliases);
    await secrets.save();
    await changeNetworkFile(networkFile, tools, (current) => withBrand(current, written));
  }
  const cities = [...found.cities].map(([city, { listings }]) => `${shownText(city)} (${listings})`);
  return {
    exit: mayWrite ? EXIT.done : EXIT.faults,
    json: {
      brand,
      system: connector.kind,
      listings: found.listings,
      cities: Object.fromEntries(
        Array.from(found.cities, ([city, { currencies, listings }]) => [
          city,
          { listings, currency: currencyOfMost(currencies) },
        ]),
      ),
      left_out: leftOut.map(({ city }) => city),
      hosts: { found: found.hosts, registered: website.hosts },
      checks: check.verdicts,
      ...rejectionsJson(check.rejections),
      written: mayWrite ? networkFile : null,
    },
    text: [
      paragraph(`${title}: ${counted(found.listings, 'listing')} in ${cities.join(', ') || 'no city'}`, '  '),
      ...warningLines([...notOnTheNetwork(leftOut), ...unregistered.map(notRegistered)], terminal),
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

/** Without a catalogue there is nothing else to say. Some vendors answer a wrong key with a server error. */
function assertCredentials(
  { verdicts }: BrandCheck,
  { credentials, documentation }: Connector,
  account: string,
) {
  const [first] = verdicts;
  if (first?.check !== 'credentials' || first.verdict !== 'failed') return;
  const names = new Intl.ListFormat('en').format(Object.keys(credentials));
  const mayBeWrong = names !== '' && /^(?:rejected|server_error):/.test(first.found);
  throw new SystemFault(
    [`${documentation.title} could not be read: ${first.found}`],
    mayBeWrong
      ? `look up ${names} of the account ${account} again, with what the key may do there, and give what you find`
      : (first.advice ?? 'look at the address and whether this machine may reach it'),
  );
}
