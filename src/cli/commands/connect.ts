import { dirname } from 'node:path';
import { type TSchema, Type } from 'typebox';
import { credentialVariable, type SealedCredentials } from '../../credentials/account-credentials.ts';
import { readCredentialsFile, writeCredentialsFile } from '../../credentials/credentials-file.ts';
import type { BrandId } from '../../inventory/catalogue.ts';
import { describeNetwork, type NetworkSettings } from '../../network/read-network.ts';
import type { Connector } from '../../operators/connector.ts';
import { CONNECTORS } from '../../operators/connectors.ts';
import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import { checkBrand } from '../check-brand.ts';
import type { CliTools, CommandResult } from '../command.ts';
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
import { UsageFault } from '../faults.ts';
import { createOpenPage } from '../open-page.ts';
import { cityPlaces } from '../place-cities.ts';
import { openDocumentsFor } from '../trial-documents.ts';
import { type BrandVerdict, hasFailed, verdictTable } from '../verdict.ts';
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../workspace.ts';

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

/** Asks for what is missing, tries the booking system, shows what it has, and only then writes the entry. */
export async function connect(
  brand: BrandId,
  options: ConnectCommandOptions,
  tools: CliTools,
): Promise<CommandResult> {
  if (!SOURCE.test(brand)) {
    throw new UsageFault(
      [`${brand} cannot be the name of a brand.`],
      'use lower-case letters, digits and hyphens',
    );
  }
  const workspace = openWorkspace(tools, options);
  const { networkFile } = workspace.settings;
  const document = readNetworkDocument(networkFile);
  const before = document.brands.find(({ source }) => source === brand);
  const connector = await chooseSystem(options, tools, before);
  const entry = await completeEntry(connector, brand, options, tools, before);
  const account = String(Reflect.get(entry, 'account') ?? brand);
  const secrets = await readSecrets(connector, account, options, tools, workspace);
  const sealed = new Map(secrets.sealed).set(account, { ...secrets.sealed.get(account), ...secrets.given });
  const surroundings = { env: workspace.env, directory: dirname(networkFile), sealedCredentials: sealed };

  await using documents = await openDocumentsFor(tools, workspace.settings);
  const trial = async <T>(
    file: TrialFile,
    work: (
      settings: NetworkSettings,
      discovery: () => Discovery,
      system: ReturnType<typeof systemOf>,
    ) => Promise<T>,
  ): Promise<T> => {
    const settings = trialNetwork(file, surroundings);
    const { intake, discovery } = discoveringIntake(tools.createIntake(settings.network));
    const systems = tools.connectNetwork({
      ...settings,
      store: documents,
      intake,
      settings: workspace.settings,
    });
    const system = systemOf(systems, brand);
    try {
      return await work(settings, discovery, system);
    } finally {
      await system.close();
      await intake.close();
    }
  };

  const start = brandEntry(brand, entry, connector, options, before);
  tools.terminal.note(`Asking ${connector.documentation.title} for its listings …`);
  const found = await trial(
    { document, brand: { ...start, website: { hosts: ['nowhere.invalid'] } }, places: [] },
    async (_, discovery, system) => {
      try {
        await system.catalogue(tools.signal);
      } catch (failure) {
        throw notConnected(failure, connector, account, tools.signal);
      }
      return discovery();
    },
  );

  const { places, aliases, leftOut } = await cityPlaces(
    found.cities,
    document.places,
    options,
    tools.terminal,
  );
  const complete = withWhatWasFound(start, found, aliases, options);
  const verdicts = await trial({ document, brand: complete, places }, (settings, _, system) => {
    const known = settings.network.brands.get(brand);
    if (!known) throw new Error(`no brand ${brand}`);
    const openPage = createOpenPage(tools.openClient(workspace.settings.operatorNetworks));
    return checkBrand({ system, brand: known, openPage, clock: tools.clock, signal: tools.signal });
  });
  tools.signal.throwIfAborted();

  const mayWrite = !hasFailed(verdicts) || options.force === true;
  if (mayWrite) {
    saveSecrets(secrets.given, sealed, workspace, tools);
    writeNetworkDocument(networkFile, withBrand(document, complete, places));
  }
  return {
    exit: mayWrite ? EXIT.done : EXIT.faults,
    json: {
      brand,
      system: connector.kind,
      listings: found.listings,
      cities: Object.fromEntries(found.cities),
      left_out: leftOut,
      checks: verdicts,
      written: mayWrite ? networkFile : null,
    },
    text: report(
      { brand, connector, found, leftOut, verdicts, written: mayWrite ? networkFile : null },
      tools.terminal,
    ),
  };
}

async function chooseSystem(
  { system }: ConnectCommandOptions,
  { terminal }: CliTools,
  before: BrandInFile | undefined,
): Promise<Connector> {
  const connectors: readonly Connector[] = CONNECTORS;
  const current = memberOf(before?.booking_system, 'kind');
  const kind =
    system ??
    (await terminal.ask({
      message: 'Booking system',
      option: '--system',
      choices: connectors.map(({ kind: value, documentation }) => ({ value, label: documentation.title })),
      ...(typeof current === 'string' ? { initial: current } : {}),
    }));
  const connector = connectors.find((one) => one.kind === kind);
  if (connector) return connector;
  throw new UsageFault(
    [`There is no connector for ${kind}.`],
    `use one of ${connectors.map((one) => one.kind).join(', ')}`,
  );
}

/** The entry of the booking system: what is given, what it had before, and answers to what it cannot do without. */
async function completeEntry(
  connector: Connector,
  brand: BrandId,
  { set = [], account }: ConnectCommandOptions,
  { terminal }: CliTools,
  before: BrandInFile | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const members: readonly [string, TSchema][] = Object.entries(connector.entry.properties);
  const previous = memberOf(before?.booking_system, 'kind') === connector.kind ? before?.booking_system : {};
  const entry: Record<string, unknown> = { ...(previous as object), kind: connector.kind };
  for (const assignment of set) {
    const [name = '', ...value] = assignment.split('=');
    if (!members.some(([member]) => member === name) || value.length === 0) {
      const names = members.map(([member]) => member).filter((member) => member !== 'kind');
      throw new UsageFault(
        [`--set ${assignment} is not a member of ${connector.kind}.`],
        `use member=value with one of ${names.join(', ')}`,
      );
    }
    entry[name] = typed(value.join('='));
  }
  for (const [name, schema] of members) {
    if (name in entry || Type.IsOptional(schema)) continue;
    if (name === 'account') entry.account = account ?? brand;
    else {
      const { description = name } = schema as { readonly description?: string };
      entry[name] = typed(
        await terminal.ask({ message: `${name}: ${description}`, option: `--set ${name}=…` }),
      );
    }
  }
  if (account !== undefined && 'account' in connector.entry.properties) entry.account = account;
  return entry;
}

async function readSecrets(
  { credentials }: Connector,
  account: string,
  { secretsFromStdin = false }: ConnectCommandOptions,
  { terminal, readInput }: CliTools,
  { env, settings }: Workspace,
): Promise<{ readonly sealed: SealedCredentials; readonly given: Readonly<Record<string, string>> }> {
  const sealed = sealedIn(settings);
  const piped = secretsFromStdin ? pipedSecrets(await readInput()) : {};
  const given: Record<string, string> = {};
  for (const [name, { title, found }] of Object.entries(credentials)) {
    const variable = credentialVariable(account, name);
    if (piped[name] !== undefined) given[name] = piped[name];
    else if (env[variable] || sealed.get(account)?.[name]) continue;
    else {
      const option = `${variable} in the environment, or --secrets-from-stdin`;
      given[name] = await terminal.ask({ message: `${title} (${found})`, option, isSecret: true });
    }
  }
  if (
    Object.keys(given).length > 0 &&
    (settings.credentialsFile === null || settings.credentialsKey === null)
  ) {
    throw new UsageFault(
      ['There is nowhere to keep the secrets.'],
      'set STAYWIRE_CREDENTIALS and STAYWIRE_CREDENTIALS_KEY (`staywire init` writes both into .env), or give the secrets in the environment',
    );
  }
  return { sealed, given };
}

function sealedIn({ credentialsFile, credentialsKey }: Workspace['settings']): SealedCredentials {
  if (credentialsFile === null || credentialsKey === null) return new Map();
  const reading = readCredentialsFile(credentialsFile, credentialsKey);
  if (reading.kind === 'valid') return reading.value;
  throw new UsageFault(
    reading.faults.map((fault) => `${credentialsFile} ${fault}.`),
    'use the key with which it was written',
  );
}

function pipedSecrets(text: string): Readonly<Record<string, string>> {
  try {
    const value: unknown = JSON.parse(text);
    if (
      typeof value === 'object' &&
      value !== null &&
      Object.values(value).every((one) => typeof one === 'string')
    ) {
      return value as Record<string, string>;
    }
  } catch {
    // What was piped may be a secret, so nothing of it is repeated.
  }
  throw new UsageFault(['The input is not a JSON object of secrets.'], 'pipe for example {"api_key": "…"}');
}

function saveSecrets(
  given: Readonly<Record<string, string>>,
  sealed: SealedCredentials,
  { settings: { credentialsFile, credentialsKey } }: Workspace,
  { random }: CliTools,
): void {
  if (Object.keys(given).length === 0 || credentialsFile === null || credentialsKey === null) return;
  writeCredentialsFile(credentialsFile, credentialsKey, sealed, random);
}

type TrialFile = {
  readonly document: NetworkDocument;
  readonly brand: BrandInFile;
  readonly places: readonly PlaceInFile[];
};

const SOMEWHERE = { id: 'somewhere', name: 'Somewhere', kind: 'city', time_zone: 'UTC', currency: 'EUR' };

/** The network with this one brand alone: what is wrong with others is none of its business. */
function trialNetwork(
  { document, brand, places }: TrialFile,
  surroundings: Parameters<typeof describeNetwork>[1],
): NetworkSettings {
  const all = [...document.places, ...places];
  const reading = describeNetwork(
    { name: 'Trial', contact: 'nobody', places: all.length > 0 ? all : [SOMEWHERE], brands: [brand] },
    surroundings,
  );
  if (reading.kind === 'valid') return reading.value;
  throw new UsageFault(
    reading.faults.map(({ pointer, message }) => `${pointer.replace('/brands/0', brand.source)}: ${message}`),
    'give what is missing with the options of `staywire connect --help`',
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

function withWhatWasFound(
  brand: BrandInFile,
  { hosts }: Discovery,
  aliases: Readonly<Record<string, string>>,
  { host = [], stayUrl }: ConnectCommandOptions,
): BrandInFile {
  const website = (brand.website ?? {}) as { readonly hosts?: readonly string[] };
  const linked = stayUrl === undefined ? [] : [URL.parse(stayUrl.replaceAll(/[{}]/g, ''))?.host ?? []].flat();
  const registered = [...new Set([...(website.hosts ?? []), ...host, ...linked, ...hosts])].slice(
    0,
    MAX_HOSTS,
  );
  const places = { ...(brand.places as object | undefined), ...aliases };
  return {
    ...brand,
    website: {
      ...website,
      hosts: registered.length > 0 ? registered : ['nowhere.invalid'],
      ...(stayUrl ? { stay_url: stayUrl } : {}),
    },
    ...(Object.keys(places).length > 0 ? { places } : {}),
  };
}

function systemOf(systems: ReturnType<CliTools['connectNetwork']>, brand: BrandId) {
  const system = systems.get(brand);
  if (!system) throw new Error(`no booking system for ${brand}`);
  return system;
}

function notConnected(failure: unknown, connector: Connector, account: string, signal: AbortSignal): unknown {
  if (signal.aborted || !(failure instanceof BookingSystemFailure)) return failure;
  const names = Object.keys(connector.credentials);
  const next =
    failure.kind === 'rejected' && names.length > 0
      ? `look up ${names.join(' and ')} of the account ${account} again`
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
    verdicts,
    written,
  }: {
    readonly brand: BrandId;
    readonly connector: Connector;
    readonly found: Discovery;
    readonly leftOut: readonly string[];
    readonly verdicts: readonly BrandVerdict[];
    readonly written: string | null;
  },
  terminal: CliTools['terminal'],
): string {
  const cities = [...found.cities].map(([city, { listings }]) => `${city} (${listings})`).join(', ');
  return [
    `${connector.documentation.title}: ${found.listings} listings in ${cities || 'no city'}`,
    ...leftOut.map(
      (city) =>
        `Left out: ${city} is not on the network. Give --place "${city}=PLACE", or --time-zone to add it.`,
    ),
    '',
    verdictTable(verdicts, terminal),
    '',
    written === null
      ? 'Nothing was written: a check has failed. Mend it and try again, or write the entry all the same with --force.'
      : `Wrote ${brand} into ${written}. Next: staywire sync ${brand}`,
  ].join('\n');
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** `8` is a number and `true` a truth value in the file; anything else is text. */
function typed(text: string): unknown {
  if (/^(?:true|false|-?\d{1,9}(?:\.\d{1,4})?|\[.*\]|\{.*\})$/s.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}

function titleOf(brand: BrandId): string {
  return brand.replaceAll('-', ' ').replaceAll(/\b\p{L}/gu, (letter) => letter.toUpperCase());
}
