import { dirname } from 'node:path';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Brand, BrandId, Network, Place, PlaceId, PlaceKind } from '../catalogue/catalogue.ts';
import type { Connection } from '../connectors/connect.ts';
import type { Connect, Connector, Surroundings } from '../connectors/connector.ts';
import { CONNECTORS } from '../connectors/connectors.ts';
import { readJsonFile } from '../parsing/read-file.ts';
import { invalid, type PointedFault, type Reading, schemaFaults, valid } from '../parsing/reading.ts';
import { serverOf } from '../parsing/web-address.ts';
import { isTimeZone } from '../stay/time-zone.ts';
import { brandEntryWith, networkFileWith, PlaceEntry } from './network-file.ts';
import { readBrand } from './read-brand.ts';

export type NetworkSettings = {
  readonly network: Network;
  readonly connections: ReadonlyMap<BrandId, Connection>;
  readonly name: string;
  readonly contact: string;
  readonly refreshSeconds: number;
};

/** A fault, and where to correct it: the file, a secret that it names, or the key of the encrypted file. */
export type NetworkFault = {
  readonly about: 'network_file' | 'secret' | 'credentials_file';
  readonly message: string;
};

type NetworkReading = Reading<NetworkSettings, PointedFault>;

const DEFAULT_REFRESH_SECONDS = 900;

const placeEntry = Compile(PlaceEntry);
// The connector of its kind checks `booking_system`, because it gives better faults.
const brandEntry = Compile(brandEntryWith(Type.Unknown()));
const networkFile = Compile(networkFileWith(Type.Unknown()));

/** Reads the network file at a path; a missing or malformed file is a fault like any other. */
export function readNetwork(
  path: string,
  surroundings: Omit<Surroundings, 'directory'>,
  connectors: readonly Connector[] = CONNECTORS,
  connected?: readonly BrandId[],
): NetworkReading {
  const json = readJsonFile(path);
  if (json.kind === 'invalid') return invalid(...json.faults.map((message) => ({ pointer: '', message })));
  return describeNetwork(json.value, { ...surroundings, directory: dirname(path) }, connectors, connected);
}

/** A network, or all faults of its description. */
export function describeNetwork(
  json: unknown,
  surroundings: Surroundings,
  connectors: readonly Connector[] = CONNECTORS,
  /** Only these brands get a connection, and only their entries and secrets must be valid; all brands when left out. */
  connected?: readonly BrandId[],
): NetworkReading {
  const faults = schemaFaults(networkFile, json);
  const report = (fault: PointedFault) => faults.push(fault);

  // Also reads the valid parts of an invalid file, to report all faults together.
  const places = readPlaces(
    membersOf(json, 'places').map((entry) => (placeEntry.Check(entry) ? entry : null)),
    report,
  );
  const brands = new Map<BrandId, Brand>();
  const connections = new Map<BrandId, Connection>();
  const sources = new Set<BrandId>();
  const serverOwners = new Map<string, Set<BrandId>>();
  const ownersAt = (address: unknown): Set<BrandId> => {
    const server = serverOf(String(address));
    const owners = serverOwners.get(server) ?? new Set();
    serverOwners.set(server, owners);
    return owners;
  };
  // In every entry the address of the server is `url`; the default is the vendor's API.
  for (const { entry } of connectors) ownersAt(Object(entry.properties).url?.default);
  for (const [index, entry] of membersOf(json, 'brands').entries()) {
    const reportBrand = (member: string, message: string) =>
      report({ pointer: `/brands/${index}${member}`, message });
    const system = readBookingSystem(entry, surroundings, connectors, connected);
    if (system.kind === 'invalid') {
      for (const fault of system.faults)
        report({ ...fault, pointer: `/brands/${index}/booking_system${fault.pointer}` });
    }
    if (!brandEntry.Check(entry)) continue;
    if (sources.has(entry.source)) reportBrand('/source', `${entry.source} is used twice`);
    sources.add(entry.source);
    const { brand, placeAliases, terms, budget } = readBrand(entry, places, reportBrand);
    if (system.kind === 'invalid') continue;
    const { connector, connect } = system.value;
    ownersAt(Object(entry.booking_system).url).add(brand.id);
    // Imported homes have their pages at the channel that published them, which serves feeds of many brands.
    const hosts = connector.kind === 'imported' ? [] : brand.website.hosts;
    for (const host of hosts) ownersAt(`http://${host}`).add(brand.id);
    if (entry.all_in_totals && !connector.canStateAllInTotals) {
      const message = `must be false: the prices of ${connector.documentation.title} may leave out taxes or fees`;
      reportBrand('/all_in_totals', message);
    }
    brands.set(brand.id, { ...brand, inventorySource: connector.inventorySource });
    if (connect)
      connections.set(brand.id, {
        brand: brand.id,
        kind: connector.kind,
        placeAliases,
        terms,
        budget,
        serverOwners,
        connect,
      });
  }

  if (!networkFile.Check(json) || faults.length > 0) return invalid(...faults);
  return valid({
    network: { brands, places },
    connections,
    name: json.name,
    contact: json.contact,
    refreshSeconds: json.refresh_seconds ?? DEFAULT_REFRESH_SECONDS,
  });
}

/** Pointers are relative to `booking_system`. A brand without one has no faults here: the schema reports the missing member. */
function readBookingSystem(
  brand: unknown,
  surroundings: Surroundings,
  connectors: readonly Connector[],
  connected: readonly BrandId[] | undefined,
): Reading<{ readonly connector: Connector; readonly connect: Connect | null }, PointedFault> {
  if (typeof brand !== 'object' || brand === null || !('booking_system' in brand)) return invalid();
  const entry = brand.booking_system;
  const kind = typeof entry === 'object' && entry !== null && 'kind' in entry ? entry.kind : undefined;
  const connector = connectors.find((one) => one.kind === kind);
  if (!connector) {
    return invalid({
      pointer: '/kind',
      message: `must be ${connectors.map((one) => one.kind).join(' or ')}`,
    });
  }
  const isConnected = !connected || ('source' in brand && connected.some((id) => id === brand.source));
  if (!isConnected) return valid({ connector, connect: null });
  const reading = connector.readEntry(entry, surroundings);
  return reading.kind === 'valid' ? valid({ connector, connect: reading.value }) : reading;
}

/** The unchecked entries of a list in the file. */
function membersOf(json: unknown, member: 'places' | 'brands'): readonly unknown[] {
  if (typeof json !== 'object' || json === null) return [];
  const list: unknown = Reflect.get(json, member);
  return Array.isArray(list) ? list : [];
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

// Names are compared by these alone, so a name without any could never match.
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

const PARENT_KINDS: Readonly<Record<PlaceKind, readonly PlaceKind[]>> = {
  city: ['region', 'country'],
  region: ['country'],
  country: [],
};

/** `entries` in the order of the file; null for an entry that the schema refused. */
function readPlaces(
  entries: readonly (PlaceEntry | null)[],
  report: (fault: PointedFault) => void,
): ReadonlyMap<PlaceId, Place> {
  const places = new Map<PlaceId, Place>();
  for (const [index, entry] of entries.entries()) {
    if (!entry) continue;
    const fault = (member: string, message: string) =>
      report({ pointer: `/places/${index}/${member}`, message });
    if (places.has(entry.id)) fault('id', `${entry.id} is used twice`);
    if (!isTimeZone(entry.time_zone)) fault('time_zone', `${entry.time_zone} is not an IANA time zone`);
    if (!CURRENCIES.has(entry.currency)) fault('currency', `${entry.currency} is not an ISO 4217 currency`);
    for (const [position, alias] of (entry.aliases ?? []).entries()) {
      if (!LETTER_OR_DIGIT.test(alias)) fault(`aliases/${position}`, 'must hold a letter or a digit');
      else if (entry.aliases?.indexOf(alias) !== position)
        fault(`aliases/${position}`, `${alias} is listed twice`);
    }
    places.set(entry.id, {
      id: entry.id,
      name: entry.name,
      aliases: entry.aliases ?? [],
      kind: entry.kind,
      parent: entry.parent ?? null,
      timeZone: entry.time_zone,
      currency: entry.currency,
    });
  }
  for (const [index, entry] of entries.entries()) {
    if (!entry || entry.parent === undefined) continue;
    const fault = (member: string, message: string) =>
      report({ pointer: `/places/${index}/${member}`, message });
    const parent = places.get(entry.parent);
    if (!parent) {
      fault('parent', `${entry.parent} is not a place of this file`);
      continue;
    }
    if (isInCircle(entry.id, places)) fault('parent', `${entry.id} lies within itself`);
    else if (!PARENT_KINDS[entry.kind].includes(parent.kind)) {
      fault('parent', `a ${entry.kind} cannot lie in a ${parent.kind}`);
    }
    // A search compares prices in the currency of its place: a city with another currency could never be part of it.
    if (parent.currency !== entry.currency)
      fault('currency', `must be ${parent.currency}, like that of ${parent.id}`);
  }
  return places;
}

function isInCircle(start: PlaceId, places: ReadonlyMap<PlaceId, Place>): boolean {
  const seen = new Set<PlaceId>();
  for (let id = places.get(start)?.parent; id != null; id = places.get(id)?.parent) {
    if (id === start) return true;
    if (seen.has(id)) return false;
    seen.add(id);
  }
  return false;
}
