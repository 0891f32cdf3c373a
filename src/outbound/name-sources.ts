import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { open, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Clock } from '../clock.ts';

/** Names in this machine's files. */
export type MachineNames = {
  /** Addresses from the hosts file; empty for an unknown name. */
  addressesOf(name: string): Promise<readonly LookupAddress[]>;
  /** The names to query one after the other, with this machine's search domains, in the system's order. */
  spellingsOf(name: string): Promise<readonly string[]>;
};

type SearchList = { readonly domains: readonly string[]; readonly minDotsOfWholeName: number };

const MAX_SEARCH_DOMAINS = 6;
const NO_SEARCH: SearchList = { domains: [], minDotsOfWholeName: 1 };
const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

export function createMachineNames({
  hostsFile = '/etc/hosts',
  resolverFile = '/etc/resolv.conf',
}: {
  readonly hostsFile?: string;
  readonly resolverFile?: string;
} = {}): MachineNames {
  const hosts = readAgainWhenChanged(hostsFile, readHosts, new Map<string, LookupAddress[]>());
  const searchList = readAgainWhenChanged(resolverFile, readSearchList, NO_SEARCH);
  return {
    async addressesOf(name) {
      const isLocal = name === 'localhost' || name.endsWith('.localhost');
      const known = await hosts();
      return known.get(name) ?? (isLocal ? (known.get('localhost') ?? LOOPBACK) : []);
    },
    async spellingsOf(name) {
      if (name.endsWith('.')) return [name];
      const { domains, minDotsOfWholeName } = await searchList();
      const searched = domains.map((domain) => `${name}.${domain}`);
      const isWhole = name.split('.').length > minDotsOfWholeName;
      return isWhole ? [name, ...searched] : [...searched, name];
    },
  };
}

async function readHosts(lines: AsyncIterable<string>): Promise<ReadonlyMap<string, LookupAddress[]>> {
  const known = new Map<string, LookupAddress[]>();
  for await (const line of lines) {
    const [address = '', ...names] = wordsOf(line.toLowerCase());
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) known.set(name, [...(known.get(name) ?? []), { address, family }]);
  }
  return known;
}

async function readSearchList(lines: AsyncIterable<string>): Promise<SearchList> {
  let { domains, minDotsOfWholeName } = NO_SEARCH;
  for await (const line of lines) {
    const [keyword, ...words] = wordsOf(line);
    if (keyword === 'search' || keyword === 'domain') {
      domains = words.map((word) => word.replace(/\.$/, '')).filter((word) => word !== '');
    }
    const dots = keyword === 'options' && words.map((word) => /^ndots:(\d+)$/.exec(word)?.[1]).find(Boolean);
    if (dots) minDotsOfWholeName = Number(dots);
  }
  return { domains: domains.slice(0, MAX_SEARCH_DOMAINS), minDotsOfWholeName };
}

function wordsOf(line: string): string[] {
  return line
    .replace(/[#;].*/, '')
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Reads line by line, so that a long file does not hold the event loop. A missing or unreadable file counts as empty. */
function readAgainWhenChanged<T>(
  path: string,
  read: (lines: AsyncIterable<string>) => Promise<T>,
  nothing: T,
): () => Promise<T> {
  let version = '';
  let content: Promise<T> = Promise.resolve(nothing);

  async function readNow(): Promise<T> {
    await using file = await open(path);
    return await read(file.readLines());
  }

  return async () => {
    const found = await stat(path, { bigint: true }).catch(() => null);
    const foundVersion = found ? `${found.ino} ${found.size} ${found.mtimeNs}` : '';
    if (foundVersion !== version) {
      version = foundVersion;
      content = found ? readNow().catch(() => nothing) : Promise.resolve(nothing);
    }
    return content;
  };
}

/** Queries the name servers for exactly this name. Rejects with the code of the fault; see `isUnknownName`. */
export type AskNameServers = (name: string) => Promise<readonly LookupAddress[]>;

const FIRST_ATTEMPT_MS = 400;
const MAX_ATTEMPT_MS = 800;
const MAX_ATTEMPTS = 3;
/** How long to wait for IPv6 after an answer for IPv4: some name servers never answer for IPv6. */
const WAIT_FOR_IPV6_MS = 50;
/** How long to wait for IPv4: few machines reach everything by IPv6 alone, and the second attempt may bring a lost answer. */
const WAIT_FOR_IPV4_MS = FIRST_ATTEMPT_MS + MAX_ATTEMPT_MS;
/** Per family; an answer can hold thousands. */
const MAX_ADDRESSES = 16;

/** Afterwards the configuration is read again, because it may have changed. */
const MAX_CONFIGURATION_AGE_MS = 30_000;

const UNKNOWN_NAME: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/** Uses the machine's configured servers, or the given ones (`address:port`). Blocks no thread. */
export function createNameServers({
  clock,
  servers,
}: {
  readonly clock: Clock;
  readonly servers?: readonly string[] | undefined;
}): AskNameServers {
  let configured = configure();

  function configure() {
    const dns = new Resolver({ timeout: FIRST_ATTEMPT_MS, maxTimeout: MAX_ATTEMPT_MS, tries: MAX_ATTEMPTS });
    if (servers) dns.setServers(servers);
    return { dns, at: clock.elapsed() };
  }

  return async (name) => {
    if (clock.elapsed() - configured.at > MAX_CONFIGURATION_AGE_MS) configured = configure();
    const { dns } = configured;
    const ipv4: LookupAddress[] = [];
    const ipv6: LookupAddress[] = [];
    const families = [
      dns.resolve4(name).then((found) => ipv4.push(...asAddresses(found, 4))),
      dns.resolve6(name).then((found) => ipv6.push(...asAddresses(found, 6))),
    ];
    const patience = Promise.withResolvers<void>();
    let stopTimer = () => {};
    Promise.any(families).then(
      () => {
        stopTimer = clock.after(ipv4.length > 0 ? WAIT_FOR_IPV6_MS : WAIT_FOR_IPV4_MS, patience.resolve);
      },
      () => {},
    );
    const faults = await Promise.race([faultsOf(families), patience.promise]);
    stopTimer();
    if (ipv4.length + ipv6.length > 0) return [...ipv4, ...ipv6];
    throw faults?.find((fault) => !isUnknownName(fault)) ?? faults?.[0];
  };
}

/** Whether the name servers answered that the name does not exist or has no address. */
export function isUnknownName(fault: unknown): boolean {
  return UNKNOWN_NAME.has(faultCode(fault));
}

export function faultCode(fault: unknown): string {
  return fault instanceof Error && 'code' in fault ? String(fault.code) : '';
}

async function faultsOf(families: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
  const ends = await Promise.allSettled(families);
  return ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
}

function asAddresses(found: readonly string[], family: 4 | 6): LookupAddress[] {
  return found.slice(0, MAX_ADDRESSES).map((address) => ({ address, family }));
}
