import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { AssistantId } from '../sessions/session.ts';
import {
  type AddressSet,
  addressSetFrom,
  addressSetOf,
  type CidrBlock,
  LOOPBACK_NETWORKS,
  readCidr,
} from './address.ts';
import { AssistantEntry, PublishedRanges, RECOGNITIONS, RegistryFile } from './registry-file.ts';

export type Assistant = {
  readonly id: AssistantId;
  readonly name: string;
  readonly status: 'approved' | 'suspended';
  readonly recognisedBy: readonly Recognition[];
};

type Recognition =
  | { readonly kind: 'signature'; readonly agent: string }
  | { readonly kind: 'ranges'; readonly userAgent: string; readonly ranges: AddressSet }
  | { readonly kind: 'reverse_dns'; readonly userAgent: string; readonly domains: readonly string[] }
  | { readonly kind: 'network'; readonly networks: AddressSet };

export type AssistantRegistry = { readonly assistants: readonly Assistant[] };

export type RegistryReading =
  | { readonly registry: AssistantRegistry }
  | { readonly faults: readonly string[] };

/** Gives the text of a `ranges_file`, whose path is relative to the registry's own. */
export type LoadFile = (path: string) => string;

const LOCAL = 'local';

/** Whoever calls from these networks, under the name `local`: what a service approves before anyone has told it more. */
function localAssistant(networks: readonly string[]): Assistant {
  return {
    id: LOCAL,
    name: 'Assistants on trusted networks',
    status: 'approved',
    recognisedBy: [{ kind: 'network', networks: addressSetFrom(networks) }],
  };
}

/** Nothing configured: loopback only. A registry file approves whom it lists, and nobody else unless networks are named too. */
export function registryFor(
  listed: AssistantRegistry | null,
  trustedNetworks: readonly string[] | null,
): AssistantRegistry {
  if (!listed) return { assistants: [localAssistant(trustedNetworks ?? LOOPBACK_NETWORKS)] };
  if (!trustedNetworks) return listed;
  return { assistants: [...listed.assistants, localAssistant(trustedNetworks)] };
}

export function readAssistantRegistry(json: string, loadFile: LoadFile): RegistryReading {
  const faults: string[] = [];
  const assistants: Assistant[] = [];
  const ids = new Set<string>();
  const file = checked(RegistryFile, parseJson(json, 'the registry', faults), 'the registry', faults);

  for (const [index, entry] of (file?.assistants ?? []).entries()) {
    const at = `assistants[${index}]`;
    const assistant = checked(AssistantEntry, entry, at, faults);
    if (!assistant) continue;
    if (ids.has(assistant.id)) faults.push(`${at}: the id "${assistant.id}" is used twice`);
    if (assistant.id === LOCAL) {
      faults.push(`${at}: the id "local" stands for STAYWIRE_TRUSTED_NETWORKS; choose another`);
    }
    ids.add(assistant.id);
    assistants.push({
      id: assistant.id,
      name: assistant.name,
      status: assistant.status,
      recognisedBy: assistant.recognised_by.flatMap((way, position) =>
        readRecognition(way, `${at}.recognised_by[${position}]`, loadFile, faults),
      ),
    });
  }
  return faults.length > 0 ? { faults } : { registry: { assistants } };
}

function readRecognition(
  way: unknown,
  at: string,
  loadFile: LoadFile,
  faults: string[],
): readonly Recognition[] {
  const named = (member: keyof typeof RECOGNITIONS) =>
    typeof way === 'object' && way !== null && member in way;

  if (named('network')) {
    const entry = checked(RECOGNITIONS.network, way, at, faults);
    return entry ? [{ kind: 'network', networks: readRanges(entry.network, at, faults) }] : [];
  }
  if (named('ranges')) {
    const entry = checked(RECOGNITIONS.ranges, way, at, faults);
    if (!entry) return [];
    return [{ kind: 'ranges', userAgent: entry.user_agent, ranges: readRanges(entry.ranges, at, faults) }];
  }
  if (named('ranges_file')) {
    const entry = checked(RECOGNITIONS.ranges_file, way, at, faults);
    if (!entry) return [];
    const ranges = readPublishedRanges(entry.ranges_file, at, loadFile, faults);
    return [{ kind: 'ranges', userAgent: entry.user_agent, ranges }];
  }
  if (named('reverse_dns')) {
    const entry = checked(RECOGNITIONS.reverse_dns, way, at, faults);
    if (!entry) return [];
    const domains = entry.reverse_dns.map((domain) => domain.replace(/^\./, '').toLowerCase());
    return [{ kind: 'reverse_dns', userAgent: entry.user_agent, domains }];
  }
  if (named('signature_agent')) {
    const entry = checked(RECOGNITIONS.signature_agent, way, at, faults);
    return entry ? [{ kind: 'signature', agent: new URL(entry.signature_agent).origin }] : [];
  }
  faults.push(`${at}: names none of ${Object.keys(RECOGNITIONS).join(', ')}`);
  return [];
}

function readPublishedRanges(path: string, at: string, loadFile: LoadFile, faults: string[]): AddressSet {
  let text: string;
  try {
    text = loadFile(path);
  } catch (error) {
    faults.push(`${at}: cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
    return addressSetOf([]);
  }
  const published = parseJson(text, `${at}: ${path}`, faults);
  if (published === undefined) return addressSetOf([]);
  if (!Value.Check(PublishedRanges, published)) {
    faults.push(
      `${at}: ${path} is neither {"prefixes": [{"ipv4Prefix" or "ipv6Prefix": "…"}]} nor a list of strings`,
    );
    return addressSetOf([]);
  }
  const cidrs = Array.isArray(published)
    ? published
    : published.prefixes.map((entry) => ('ipv4Prefix' in entry ? entry.ipv4Prefix : entry.ipv6Prefix));
  return readRanges(cidrs, `${at}: ${path}`, faults);
}

function readRanges(cidrs: readonly string[], at: string, faults: string[]): AddressSet {
  const networks: CidrBlock[] = [];
  for (const cidr of cidrs) {
    const reading = readCidr(cidr);
    if ('fault' in reading) faults.push(`${at}: ${reading.fault}`);
    else networks.push(reading.network);
  }
  return addressSetOf(networks);
}

function parseJson(text: string, at: string, faults: string[]): unknown {
  try {
    return JSON.parse(text);
  } catch {
    faults.push(`${at} is not valid JSON`);
    return undefined;
  }
}

function checked<S extends TSchema>(
  schema: S,
  value: unknown,
  at: string,
  faults: string[],
): Static<S> | undefined {
  if (value === undefined) return undefined;
  if (Value.Check(schema, value)) return value;
  for (const { keyword, instancePath, message } of Value.Errors(schema, value)) {
    // `boolean` only repeats, for the member itself, what `additionalProperties` says of its parent.
    if (keyword !== 'additionalProperties') {
      const member = instancePath.replaceAll('/', '.');
      faults.push(`${at}${member}: ${keyword === 'boolean' ? 'is not a member of this entry' : message}`);
    }
  }
  return undefined;
}
