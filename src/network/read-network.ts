import { dirname } from 'node:path';
import { Compile } from 'typebox/compile';
import type { Brand, BrandId, Network } from '../inventory/catalogue.ts';
import { readJsonFile } from '../reading/json-file.ts';
import type { Connection } from './connection.ts';
import { BrandEntry, PlaceEntry } from './network-file.ts';
import { readBrand, type Surroundings } from './read-brand.ts';
import { readPlaces } from './read-places.ts';
import { isNetworkFile, membersOf, type NetworkFault, schemaFaults } from './schema-faults.ts';

export type NetworkSettings = {
  readonly network: Network;
  readonly connections: ReadonlyMap<BrandId, Connection>;
  readonly name: string;
  readonly contact: string;
  readonly refreshSeconds: number;
};

export type NetworkReading = NetworkSettings | { readonly faults: readonly NetworkFault[] };

const DEFAULT_REFRESH_SECONDS = 900;

const placeEntry = Compile(PlaceEntry);
const brandEntry = Compile(BrandEntry);

/** Reads the network file at a path; a file that is not there or not JSON is a fault like any other. */
export function readNetwork(path: string, env: Surroundings['env']): NetworkReading {
  const json = readJsonFile(path);
  if (json.kind === 'invalid') return { faults: json.faults.map((message) => ({ pointer: '', message })) };
  return describeNetwork(json.value, { env, directory: dirname(path) });
}

/** A network, or everything that is wrong with its description at once. */
export function describeNetwork(json: unknown, surroundings: Surroundings): NetworkReading {
  const faults = schemaFaults(json);
  const report = (fault: NetworkFault) => faults.push(fault);

  // What the schema allows of a file that it refuses is looked at too, so that all faults come out in one go.
  const places = readPlaces(
    membersOf(json, 'places').map((entry) => (placeEntry.Check(entry) ? entry : null)),
    report,
  );
  const brands = new Map<BrandId, Brand>();
  const connections = new Map<BrandId, Connection>();
  for (const [index, entry] of membersOf(json, 'brands').entries()) {
    if (!brandEntry.Check(entry)) continue;
    const reportBrand = (member: string, message: string) =>
      report({ pointer: `/brands/${index}${member}`, message });
    if (brands.has(entry.source)) reportBrand('/source', `${entry.source} is used twice`);
    const { brand, connection } = readBrand(entry, places, surroundings, reportBrand);
    brands.set(brand.id, brand);
    connections.set(brand.id, connection);
  }

  if (!isNetworkFile(json) || faults.length > 0) return { faults };
  return {
    network: { brands, places },
    connections,
    name: json.name,
    contact: json.contact,
    refreshSeconds: json.refresh_seconds ?? DEFAULT_REFRESH_SECONDS,
  };
}
