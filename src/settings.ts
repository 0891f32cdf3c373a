import {
  anyText,
  cidrList,
  hostName,
  integerBetween,
  integerOrOff,
  oneOf,
  type Parser,
  publicOrigin,
} from './setting-parsers.ts';
import { STORE_KINDS } from './storage/stores.ts';

type Setting<Value> = {
  readonly name: string;
  /** What it is when the variable is not set. */
  readonly fallback: Value;
  readonly parse: Parser<Value>;
  readonly meaning: string;
};

const table = {
  port: setting('PORT', 8080, integerBetween(0, 65_535), 'Port of the interface; 0 takes a free one.'),
  host: setting('HOST', '127.0.0.1', hostName, 'Address to listen on; 0.0.0.0 or :: for every one.'),
  networkFile: setting(
    'STAYWIRE_NETWORK',
    null,
    anyText,
    'Path of the file that describes the network: places, brands, booking systems. Required.',
  ),
  dataDirectory: setting('STAYWIRE_DATA_DIR', './data', anyText, 'Folder of the database.'),
  store: setting(
    'STAYWIRE_STORE',
    'sqlite',
    oneOf(...STORE_KINDS),
    'Where sessions and inventory are kept; memory forgets them at the end of the process.',
  ),
  publicUrl: setting(
    'STAYWIRE_PUBLIC_URL',
    null,
    publicOrigin,
    'Origin under which assistants reach the service. When set, the addresses to follow are absolute on it.',
  ),
  sessionMinutes: setting('STAYWIRE_SESSION_MINUTES', 30, integerBetween(1, 1440), 'Life of a session.'),
  maxOptions: setting('STAYWIRE_MAX_OPTIONS', 20, integerBetween(1, 100), 'Options in a result at most.'),
  quoteDeadlineMs: setting(
    'STAYWIRE_QUOTE_DEADLINE_MS',
    8000,
    integerBetween(100, 60_000),
    'How long a search waits for live prices, in milliseconds.',
  ),
  assistantsFile: setting(
    'STAYWIRE_ASSISTANTS',
    null,
    anyText,
    'Path of the registry of approved assistants. Without one, only trusted networks may call.',
  ),
  trustedNetworks: setting(
    'STAYWIRE_TRUSTED_NETWORKS',
    null,
    cidrList,
    'Networks, separated by commas, whose every caller is approved as the assistant "local". Without this and without a registry: loopback.',
  ),
  trustedProxies: setting(
    'STAYWIRE_TRUSTED_PROXIES',
    [],
    cidrList,
    'Addresses or networks, separated by commas, of the proxies whose X-Forwarded-For or Forwarded is believed.',
  ),
  rateLimit: setting(
    'STAYWIRE_RATE_LIMIT',
    600,
    integerBetween(1, 1_000_000),
    'Requests in a window at most.',
  ),
  rateWindowSeconds: setting(
    'STAYWIRE_RATE_WINDOW_SECONDS',
    60,
    integerBetween(1, 3600),
    'Length of a window of the rate limit.',
  ),
  metricsPort: setting(
    'STAYWIRE_METRICS_PORT',
    9464,
    integerOrOff(0, 65_535),
    'Port of /metrics; 0 takes a free one, "off" opens none.',
  ),
  metricsHost: setting('STAYWIRE_METRICS_HOST', '127.0.0.1', hostName, 'Address on which /metrics listens.'),
  logLevel: setting(
    'STAYWIRE_LOG_LEVEL',
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'The least that is worth a log line.',
  ),
} as const;

export type Settings = Readonly<Omit<Readings, 'networkFile'> & { networkFile: string }>;
type Readings = {
  [Key in keyof typeof table]: (typeof table)[Key] extends Setting<infer Value> ? Value : never;
};

export type SettingsReading = { readonly settings: Settings } | { readonly faults: readonly string[] };

/** What the documentation lists. */
export const settingsTable: readonly {
  readonly name: string;
  readonly fallback: string;
  readonly meaning: string;
}[] = Object.values(table).map(({ name, fallback, meaning }) => ({
  name,
  fallback: String(fallback ?? ''),
  meaning,
}));

/** The demo's own, and the operators' tokens that a network file names. */
const FOREIGN_PREFIXES = ['STAYWIRE_DEMO_', 'STAYWIRE_TOKEN_'];

/** All faults at once, so that a first start takes one correction and not ten. A blank variable counts as not set. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): SettingsReading {
  const faults: string[] = [];

  function read<Value>({ name, fallback, parse }: Setting<Value>): Value {
    const text = env[name]?.trim() ?? '';
    if (text === '') return fallback;
    const reading = parse(text);
    if ('value' in reading) return reading.value;
    faults.push(`${name} must be ${reading.fault}`);
    return fallback;
  }

  const networkFile = read(table.networkFile);
  if (networkFile === null) faults.push('STAYWIRE_NETWORK must be set: the path of the network file');
  const settings: Settings = {
    port: read(table.port),
    host: read(table.host),
    networkFile: networkFile ?? '',
    dataDirectory: read(table.dataDirectory),
    store: read(table.store),
    publicUrl: read(table.publicUrl),
    sessionMinutes: read(table.sessionMinutes),
    maxOptions: read(table.maxOptions),
    quoteDeadlineMs: read(table.quoteDeadlineMs),
    assistantsFile: read(table.assistantsFile),
    trustedNetworks: read(table.trustedNetworks),
    trustedProxies: read(table.trustedProxies),
    rateLimit: read(table.rateLimit),
    rateWindowSeconds: read(table.rateWindowSeconds),
    metricsPort: read(table.metricsPort),
    metricsHost: read(table.metricsHost),
    logLevel: read(table.logLevel),
  };

  const known = new Set(settingsTable.map(({ name }) => name));
  for (const name of Object.keys(env).sort()) {
    if (!name.startsWith('STAYWIRE_') || known.has(name)) continue;
    if (FOREIGN_PREFIXES.some((prefix) => name.startsWith(prefix))) continue;
    faults.push(`${name} is not a setting of Staywire`);
  }
  return faults.length > 0 ? { faults } : { settings };
}

function setting<Value, Fallback extends Value | null>(
  name: string,
  fallback: Fallback,
  parse: Parser<Value>,
  meaning: string,
): Setting<Value | Fallback> {
  return { name, fallback, parse, meaning };
}
