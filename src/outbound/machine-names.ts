import type { LookupAddress } from 'node:dns';
import { open, stat } from 'node:fs/promises';
import { isIP } from 'node:net';

/** What this machine's own files say about names. */
export type MachineNames = {
  /** From the hosts file; empty when it does not have the name. */
  addressesOf(name: string): Promise<readonly LookupAddress[]>;
  /** The names to ask name servers for, one after the other: with the search domains of this machine, as the system does it. */
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

/** Line by line, so that a long file does not hold the event loop. One that is not there, or cannot be read, says nothing. */
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
