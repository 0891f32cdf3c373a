import { isAbsolute, resolve } from 'node:path';
import type { Static, TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Value } from 'typebox/value';
import {
  type AddressSet,
  addressSetFrom,
  addressSetOf,
  type CidrBlock,
  readCidr,
} from '../../parsing/ip-address.ts';
import { readJsonFile, readJsonText, readRegularFileNow } from '../../parsing/read-file.ts';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import type { AssistantLimits } from '../../sessions/assistant-limits.ts';
import { type AssistantId, CONSOLE_ASSISTANT } from '../../sessions/session.ts';
import { readSavedRanges } from '../published/read-published-document.ts';
import { directoryOf, keysAddress } from '../signatures/signature-headers.ts';
import {
  AssistantEntry,
  MAX_REGISTRY_BYTES,
  MAX_WAYS,
  RECOGNITIONS,
  RegistryFile,
  type WellKnownAssistant,
  WORDS_OF_FORMS,
} from './registry-file.ts';

export type Assistant = {
  readonly id: AssistantId;
  readonly name: string;
  readonly status: 'approved' | 'suspended';
  readonly recognisedBy: readonly Recognition[];
  /** Override those in the settings. */
  readonly limits?: AssistantLimits | undefined;
};

export type Recognition =
  /** `keysUrl` is the full URL of its keys. */
  | { readonly kind: 'signature'; readonly keysUrl: string }
  | { readonly kind: 'ranges'; readonly userAgent: string; readonly ranges: AddressSet }
  /** The ranges last fetched from the URL. */
  | { readonly kind: 'published_ranges'; readonly userAgent: string; readonly url: string }
  | { readonly kind: 'reverse_dns'; readonly userAgent: string; readonly domains: readonly string[] }
  | { readonly kind: 'network'; readonly networks: AddressSet };

export type AssistantRegistry = { readonly assistants: readonly Assistant[] };

/** The id of callers in a trusted network. */
export const LOCAL = 'local';

/** Every caller in these networks is the assistant `local`. */
function localAssistant(networks: readonly string[]): Assistant {
  return {
    id: LOCAL,
    name: 'Assistants on trusted networks',
    status: 'approved',
    recognisedBy: [{ kind: 'network', networks: addressSetFrom(networks) }],
  };
}

/** The listed assistants, and the callers of trusted networks, if any are set. With neither, every caller is refused. */
export function registryFor(
  listed: AssistantRegistry | null,
  trustedNetworks: readonly string[] | null,
): AssistantRegistry {
  const local = trustedNetworks ? [localAssistant(trustedNetworks)] : [];
  return { assistants: [...(listed?.assistants ?? []), ...local] };
}

export type RegistryReading = {
  /** The base of relative paths of range lists; null for a registry outside a folder. */
  readonly folder: string | null;
  readonly catalogue: readonly WellKnownAssistant[];
};

/** Reads a registry from its text, which may have comments. */
export function readAssistantRegistry(
  text: string,
  { folder, catalogue }: RegistryReading,
): Reading<AssistantRegistry> {
  if (text.length > MAX_REGISTRY_BYTES) {
    return invalid(`has ${text.length} characters, and more than ${MAX_REGISTRY_BYTES} are not read`);
  }
  const json = readJsonText(text);
  if (json.kind === 'invalid') return json;
  const readRangesFile: ReadRangesFile = (path) =>
    folder === null && !isAbsolute(path)
      ? invalid('must be an absolute path, because this registry is in no folder')
      : readJsonFile(resolve(folder ?? '/', path), (from) => readRegularFileNow(from, MAX_REGISTRY_BYTES));
  return describeAssistantRegistry(json.value, readRangesFile, catalogue);
}

type ReadRangesFile = (path: string) => Reading<unknown>;

/** Returns the registry, or all of its faults. */
export function describeAssistantRegistry(
  json: unknown,
  readRangesFile: ReadRangesFile,
  catalogue: readonly WellKnownAssistant[] = [],
): Reading<AssistantRegistry> {
  const file = checked(RegistryFile, json, 'the registry');
  if (file.kind === 'invalid') return file;
  const faults: string[] = [];
  const assistants: Assistant[] = [];
  const ids = new Set<string>();

  for (const [index, content] of file.value.assistants.entries()) {
    const own = ownMembers(content);
    const at = `assistants[${index}]${own.id === null ? '' : ` (${own.id})`}`;
    if (own.id !== null && ids.has(own.id)) faults.push(`${at}: the id "${own.id}" is used twice`);
    if (own.id === LOCAL) {
      faults.push(`${at}: the id "${LOCAL}" stands for STAYWIRE_TRUSTED_NETWORKS; choose another`);
    }
    if (own.id === CONSOLE_ASSISTANT)
      faults.push(`${at}: the id "${CONSOLE_ASSISTANT}" stands for the console; choose another`);
    if (own.id !== null) ids.add(own.id);
    const entry = checked(AssistantEntry, content, at);
    // Omitted members come from this release's catalogue, so that an update brings new ranges and keys.
    const known = catalogue.find((one) => one.id === own.id);
    const ways = readWays(own.ways ?? known?.recognisedBy ?? [], at, readRangesFile);
    faults.push(...faultsOf(entry), ...faultsOf(ways));
    if (entry.kind === 'invalid') continue;
    const { id, status, limits } = entry.value;
    const name = entry.value.name ?? known?.name;
    const areWaysGiven = own.ways !== null || known !== undefined;
    if (name === undefined || !areWaysGiven) {
      const missing = [...(name === undefined ? ['name'] : []), ...(areWaysGiven ? [] : ['recognised_by'])];
      faults.push(`${at}: ${missing.join(' and ')} must be given, because "${id}" is not known by its id`);
    } else if (ways.kind === 'valid') {
      assistants.push({ id, name, status, recognisedBy: ways.value, ...(limits ? { limits } : {}) });
    }
  }
  return faults.length > 0 ? invalid(...faults) : valid({ assistants });
}

/** The members that are read even from a faulty entry, so that all of its faults are reported together. */
function ownMembers(content: unknown): {
  readonly id: string | null;
  readonly ways: readonly unknown[] | null;
} {
  const { id, recognised_by: ways }: { id?: unknown; recognised_by?: unknown } = Object(content);
  return {
    id: Value.Check(AssistantEntry.properties.id, id) ? id : null,
    ways: Array.isArray(ways) ? ways : null,
  };
}

function readWays(
  ways: readonly unknown[],
  at: string,
  readRangesFile: ReadRangesFile,
): Reading<readonly Recognition[]> {
  const readings = ways
    .slice(0, MAX_WAYS)
    .map((way, position) => readRecognition(way, `${at}.recognised_by[${position}]`, readRangesFile));
  const faults = readings.flatMap(faultsOf);
  return faults.length > 0
    ? invalid(...faults)
    : valid(readings.flatMap((reading) => (reading.kind === 'valid' ? [reading.value] : [])));
}

function faultsOf(reading: Reading<unknown>): readonly string[] {
  return reading.kind === 'invalid' ? reading.faults : [];
}

type ReadWay = (way: unknown, at: string, readRangesFile: ReadRangesFile) => Reading<Recognition>;

/** The reader for each kind of way, by its identifying member. */
const READ_WAY: Readonly<Record<keyof typeof RECOGNITIONS, ReadWay>> = {
  network: (way, at) =>
    andThen(checked(RECOGNITIONS.network, way, at), ({ network }) =>
      andThen(readRanges(network, at), (networks) => valid({ kind: 'network', networks })),
    ),
  ranges: (way, at) =>
    andThen(checked(RECOGNITIONS.ranges, way, at), ({ user_agent: userAgent, ranges: listed }) =>
      andThen(readRanges(listed, at), (ranges) => valid({ kind: 'ranges', userAgent, ranges })),
    ),
  ranges_file: (way, at, readRangesFile) =>
    andThen(checked(RECOGNITIONS.ranges_file, way, at), ({ user_agent: userAgent, ranges_file: path }) =>
      andThen(readRangesFrom(path, at, readRangesFile), (ranges) =>
        valid({ kind: 'ranges', userAgent, ranges }),
      ),
    ),
  reverse_dns: (way, at) =>
    andThen(checked(RECOGNITIONS.reverse_dns, way, at), ({ user_agent: userAgent, reverse_dns: listed }) => {
      const domains = listed.map((domain) => domain.replace(/^\./, '').toLowerCase());
      return valid({ kind: 'reverse_dns', userAgent, domains });
    }),
  ranges_url: (way, at) =>
    andThen(checked(RECOGNITIONS.ranges_url, way, at), ({ user_agent: userAgent, ranges_url: url }) =>
      andThen(readUrl(url, `${at}.ranges_url`), ({ href }) =>
        valid({ kind: 'published_ranges', userAgent, url: href }),
      ),
    ),
  signature_agent: (way, at) =>
    andThen(checked(RECOGNITIONS.signature_agent, way, at), ({ signature_agent: agent }) =>
      andThen(readUrl(agent, `${at}.signature_agent`), ({ origin }) =>
        valid({ kind: 'signature', keysUrl: directoryOf(origin) }),
      ),
    ),
  jwks_uri: (way, at) =>
    andThen(checked(RECOGNITIONS.jwks_uri, way, at), ({ jwks_uri: url }) =>
      readKeysUrl(url, `${at}.jwks_uri`),
    ),
};

/** Returns the form in which signers are looked up, so that a document has one name. */
function readKeysUrl(url: string, at: string): Reading<Recognition> {
  if (/[?#]/.test(url))
    return invalid(`${at}: must have neither query nor fragment, because no signature names them`);
  const keysUrl = keysAddress({ uri: url, type: 'jwks_uri' });
  return keysUrl === null ? invalid(`${at}: is not an address`) : valid({ kind: 'signature', keysUrl });
}

function readUrl(text: string, at: string): Reading<URL> {
  const url = URL.parse(text);
  return url ? valid(url) : invalid(`${at}: is not an address`);
}

function readRecognition(way: unknown, at: string, readRangesFile: ReadRangesFile): Reading<Recognition> {
  const members = Object.keys(READ_WAY) as (keyof typeof READ_WAY)[];
  const member = members.find((name) => typeof way === 'object' && way !== null && name in way);
  return member === undefined
    ? invalid(`${at}: names none of ${members.join(', ')}`)
    : READ_WAY[member](way, at, readRangesFile);
}

function readRangesFrom(path: string, at: string, readRangesFile: ReadRangesFile): Reading<AddressSet> {
  const json = readRangesFile(path);
  if (json.kind === 'invalid') return invalid(...json.faults.map((fault) => `${at}: ${path} ${fault}`));
  const ranges = readSavedRanges(json.value);
  return ranges.kind === 'valid'
    ? ranges
    : invalid(...ranges.faults.map((fault) => `${at}: ${path}: ${fault}`));
}

function readRanges(cidrs: readonly string[], at: string): Reading<AddressSet> {
  const networks: CidrBlock[] = [];
  const faults: string[] = [];
  for (const reading of cidrs.map(readCidr)) {
    if (reading.kind === 'valid') networks.push(reading.value);
    else faults.push(...reading.faults.map((fault) => `${at}: ${fault}`));
  }
  return faults.length > 0 ? invalid(...faults) : valid(addressSetOf(networks));
}

function checked<S extends TSchema>(schema: S, value: unknown, at: string): Reading<Static<S>> {
  if (Value.Check(schema, value)) return valid(value);
  const faults = Value.Errors(schema, value)
    // `boolean` reports each unknown member by name, so the summary of its parent is left out.
    .filter(({ keyword }) => keyword !== 'additionalProperties')
    .map((fault) => `${at}${fault.instancePath.replaceAll('/', '.')}: ${inWords(fault)}`);
  return invalid(...faults);
}

function inWords(fault: TLocalizedValidationError): string {
  switch (fault.keyword) {
    case 'boolean':
      return 'is not a member of this entry';
    case 'enum':
      return `must be ${fault.params.allowedValues.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'pattern':
      return WORDS_OF_FORMS.get(String(fault.params.pattern)) ?? fault.message;
    default:
      return fault.message;
  }
}

function andThen<A, B>(reading: Reading<A>, next: (value: A) => Reading<B>): Reading<B> {
  return reading.kind === 'valid' ? next(reading.value) : reading;
}

/** Warns an owner who may have stored an empty list by mistake; null if an assistant is approved. */
export function noneApprovedWarning({ assistants }: AssistantRegistry, where: string): string | null {
  return assistants.some(({ status }) => status === 'approved')
    ? null
    : `The registry of assistants in ${where} approves nobody: only callers of STAYWIRE_TRUSTED_NETWORKS are answered, where these are set.`;
}
