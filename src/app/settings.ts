import { invalid, type Reading, valid } from '../parsing/reading.ts';
import { readContact } from '../parsing/web-address.ts';
import { STORE_KINDS, STORE_OF_SERVERS } from '../storage/stores.ts';
import {
  anyText,
  cidrList,
  encryptionKey,
  hostList,
  hostName,
  integerBetween,
  integerOrForEver,
  integerOrOff,
  oneOf,
  type Parser,
  publicOrigin,
  serverUrl,
  shortName,
} from './setting-parsers.ts';

/** Has no fallback. */
export const REQUIRED = Symbol('required');

type Setting<Value> = {
  readonly name: string;
  readonly parse: Parser<Value>;
  readonly fallback: Value | typeof REQUIRED;
  readonly meaning: string;
};

/** The type of a setting, its faults and its row in docs/running.md are derived from its entry. */
const SETTINGS = {
  port: {
    ...setting('PORT', 8080, integerBetween(0, 65_535)),
    meaning: 'Port of the interface; 0 takes a free one.',
  },
  host: {
    ...setting('HOST', '127.0.0.1', hostName),
    meaning: 'Address to listen on; 0.0.0.0 or :: for every one.',
  },
  networkFile: {
    ...setting('STAYWIRE_NETWORK', REQUIRED, anyText),
    meaning:
      'Path of the file that describes the network: places, brands, booking systems. A node with STAYWIRE_POSTGRES_URL may do without: it takes the network that `staywire network store` has stored there.',
  },
  dataDirectory: { ...setting('STAYWIRE_DATA_DIR', './data', anyText), meaning: 'Folder of the database.' },
  store: {
    ...setting('STAYWIRE_STORE', 'sqlite', oneOf(...STORE_KINDS)),
    meaning:
      'Where sessions and inventory are kept; memory forgets them at the end of the process. With STAYWIRE_POSTGRES_URL and STAYWIRE_REDIS_URL it is cluster unless another is named.',
  },
  postgresUrl: {
    ...setting('STAYWIRE_POSTGRES_URL', null, serverUrl(['postgres', 'postgresql'])),
    meaning:
      'Address of the PostgreSQL that all nodes share, such as postgres://user:password@host:5432/staywire. Set together with STAYWIRE_REDIS_URL.',
  },
  redisUrl: {
    ...setting('STAYWIRE_REDIS_URL', null, serverUrl(['redis', 'rediss'], String.raw`\d{0,5}`)),
    meaning:
      'Address of the Redis or Valkey that all nodes share, such as rediss://user:password@host:6379. Set together with STAYWIRE_POSTGRES_URL.',
  },
  nodeName: {
    ...setting('STAYWIRE_NODE', null, shortName),
    meaning: 'Name of this node in its log and metrics. Without it, the name of the machine.',
  },
  publicUrl: {
    ...setting('STAYWIRE_PUBLIC_URL', null, publicOrigin),
    meaning:
      'Origin under which assistants reach the service. When set, the addresses to follow are absolute on it, and signatures for its host are accepted.',
  },
  hosts: {
    ...setting('STAYWIRE_HOSTS', [], hostList),
    meaning:
      'Host names, separated by commas, under which the service answers, besides that of STAYWIRE_PUBLIC_URL, localhost and every address. Signatures for them are accepted, too.',
  },
  securityContact: {
    ...setting('STAYWIRE_SECURITY_CONTACT', null, readContact),
    meaning:
      'E-mail, https or tel address for reports of vulnerabilities, published in /.well-known/security.txt. Without it, the contact of the network file is.',
  },
  sessionMinutes: {
    ...setting('STAYWIRE_SESSION_MINUTES', 30, integerBetween(1, 1440)),
    meaning: 'How long a session lives, in minutes.',
  },
  maxOptions: {
    ...setting('STAYWIRE_MAX_OPTIONS', 20, integerBetween(1, 100)),
    meaning: 'Maximum number of options in a result.',
  },
  maxQuotes: {
    ...setting('STAYWIRE_MAX_QUOTES', 60, integerBetween(1, 1000)),
    meaning:
      'Maximum number of homes priced for a result where operators price many in one call; at least STAYWIRE_MAX_OPTIONS are.',
  },
  rateCardMaxAgeSeconds: {
    ...setting('STAYWIRE_RATE_CARD_MAX_AGE', 300, integerBetween(0, 86_400)),
    meaning:
      'How long a rate card may still be priced from after its last successful reading while it cannot be read, in seconds.',
  },
  operatorNetworks: {
    ...setting('STAYWIRE_OPERATOR_NETWORKS', [], cidrList),
    meaning:
      'Addresses or networks, separated by commas, in which operators’ servers, and those of lists and keys of assistants, may be although they are not public, such as 10.0.0.0/8.',
  },
  credentialsFile: {
    ...setting('STAYWIRE_CREDENTIALS', null, anyText),
    meaning:
      'Path of the encrypted file with the secrets of operators’ accounts, which `staywire connect` writes.',
  },
  credentialsKey: {
    ...setting('STAYWIRE_CREDENTIALS_KEY', null, encryptionKey),
    meaning: 'Key of that file: 32 random bytes, as 64 hexadecimal digits or in base64.',
  },
  signingKeysFile: {
    ...setting('STAYWIRE_SIGNING_KEYS', null, anyText),
    meaning:
      'Path of the file with the private keys by which requests to operators are signed, which `staywire signing-keys create` writes. Needs STAYWIRE_PUBLIC_URL, where the public ones are published.',
  },
  calendarMaxAgeHours: {
    ...setting('STAYWIRE_CALENDAR_MAX_AGE', 24, integerBetween(1, 720)),
    meaning:
      'How old a calendar may be that homes are offered by, in hours; one that cannot be read again in time is withdrawn.',
  },
  quoteDeadlineMs: {
    ...setting('STAYWIRE_QUOTE_DEADLINE_MS', 8000, integerBetween(100, 60_000)),
    meaning: 'How long a search waits for live prices, in milliseconds.',
  },
  assistantsFile: {
    ...setting('STAYWIRE_ASSISTANTS', null, anyText),
    meaning:
      'Path of the registry of approved assistants, which `staywire assistants` changes. Without it, the registry is in PostgreSQL where STAYWIRE_POSTGRES_URL is set, else in assistants.json in STAYWIRE_DATA_DIR.',
  },
  publishedMaxAgeDays: {
    ...setting('STAYWIRE_PUBLISHED_MAX_AGE_DAYS', 7, integerBetween(1, 365)),
    meaning:
      'How old a copy of what an assistant publishes, its networks or its keys, may be, in days; one that cannot be fetched again in time recognises nobody.',
  },
  trustedNetworks: {
    ...setting('STAYWIRE_TRUSTED_NETWORKS', null, cidrList),
    meaning: 'Networks, separated by commas, whose every caller is approved as the assistant "local".',
  },
  trustedProxies: {
    ...setting('STAYWIRE_TRUSTED_PROXIES', [], cidrList),
    meaning:
      'Addresses or networks, separated by commas, of the proxies whose X-Forwarded-For or Forwarded is believed.',
  },
  auditDays: {
    ...setting('STAYWIRE_AUDIT_DAYS', 90, integerOrOff(1, 36_500)),
    meaning:
      'How many days the audit log of a node is kept, in the folder audit of STAYWIRE_DATA_DIR (docs/audit-log.md); "off" writes none. A store in memory has none either.',
  },
  maxAuditMegabytes: {
    ...setting('STAYWIRE_MAX_AUDIT_MB', 10_240, integerOrOff(128, 1_000_000_000)),
    meaning:
      'How many megabytes the files of the audit log of a node may have. Beyond it, the oldest are deleted before their days are over, with a warning in the log; "off" sets no limit.',
  },
  ledgerDays: {
    ...setting('STAYWIRE_LEDGER_DAYS', 400, integerOrForEver(1, 36_500)),
    meaning: 'How many days quotes are kept in the ledger; "off" keeps them for ever.',
  },
  maxLedgerMegabytes: {
    ...setting('STAYWIRE_MAX_LEDGER_MB', 10_240, integerOrOff(1, 1_000_000_000)),
    meaning:
      'How many megabytes the ledger of quotes may have, one assistant half of them. Beyond it, the assistant that stores most loses its oldest quotes before their days are over; "off" sets no limit.',
  },
  activityDays: {
    ...setting('STAYWIRE_ACTIVITY_DAYS', 400, integerOrForEver(1, 36_500)),
    meaning:
      'How many days counts of what was asked for, and bookings that operators reported, are kept; "off" keeps them for ever.',
  },
  bookingsSeconds: {
    ...setting('STAYWIRE_BOOKINGS_SECONDS', 3600, integerBetween(10, 86_400)),
    meaning: 'How often operators that report bookings are asked for them.',
  },
  maxConnections: {
    ...setting('STAYWIRE_MAX_CONNECTIONS', 4000, integerBetween(4, 100_000)),
    meaning:
      'Maximum number of open connections; never more than three quarters of the open files that the system allows without the 120 of the console and of /metrics. A quarter of them, at most 256, is for callers that are not approved yet.',
  },
  rateLimit: {
    ...setting('STAYWIRE_RATE_LIMIT', 600, integerBetween(1, 1_000_000)),
    meaning: 'Maximum number of requests in a window.',
  },
  rateWindowSeconds: {
    ...setting('STAYWIRE_RATE_WINDOW_SECONDS', 60, integerBetween(1, 3600)),
    meaning: 'Length of a window of the rate limit.',
  },
  maxSessions: {
    ...setting('STAYWIRE_MAX_SESSIONS', 20_000, integerBetween(1, 10_000_000)),
    meaning: 'Maximum number of open sessions of an assistant; the registry can set another for each.',
  },
  maxStoredMegabytes: {
    ...setting('STAYWIRE_MAX_STORED_MB', 2048, integerBetween(1, 1_000_000)),
    meaning:
      'How many megabytes the open sessions of an assistant may keep before it can open no more; the registry can set another for each. In Redis never more than three eighths of its maxmemory.',
  },
  maxStoreMegabytes: {
    ...setting('STAYWIRE_MAX_STORE_MB', 8192, integerBetween(1, 1_000_000)),
    meaning:
      'The same for all assistants together. Beyond it, only those that keep less than an equal share open sessions. In Redis never more than three quarters of its maxmemory.',
  },
  metricsPort: {
    ...setting('STAYWIRE_METRICS_PORT', 9464, integerOrOff(0, 65_535)),
    meaning: 'Port of /metrics; 0 takes a free one, "off" opens none.',
  },
  metricsHost: {
    ...setting('STAYWIRE_METRICS_HOST', '127.0.0.1', hostName),
    meaning: 'Address on which /metrics listens.',
  },
  consolePort: {
    ...setting('STAYWIRE_CONSOLE_PORT', 9465, integerOrOff(0, 65_535)),
    meaning:
      'Port of the console of the owner (docs/console.md); 0 takes a free one, "off" opens none. A store in memory has none.',
  },
  consoleHost: {
    ...setting('STAYWIRE_CONSOLE_HOST', '127.0.0.1', hostName),
    meaning: 'Address or name on which the console listens, and under which it answers.',
  },
  logLevel: {
    ...setting(
      'STAYWIRE_LOG_LEVEL',
      'info',
      oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    ),
    meaning:
      'Log lines below this level are not written. Where standard output is a terminal and this is not set, it is warn.',
  },
} as const;

export type Settings = {
  readonly [Key in keyof typeof SETTINGS]: (typeof SETTINGS)[Key] extends Setting<infer Value>
    ? Value
    : never;
};

export type Environment = Readonly<Record<string, string | undefined>>;

const table: { readonly [Key in keyof Settings]: Setting<Settings[Key]> } = SETTINGS;

/** For the table in docs/running.md. */
export const settingsTable: readonly Setting<unknown>[] = Object.values(table);

/** Settings of the demo, and secrets of operators that a network file refers to. */
const FOREIGN_PREFIXES = ['STAYWIRE_DEMO_', 'STAYWIRE_TOKEN_', 'STAYWIRE_SECRET_'];

/** Reports all faults together, so that they can be corrected in one go. */
export function readSettings(env: Environment): Reading<Settings> {
  const values: [string, unknown][] = [];
  const faults: string[] = [];
  for (const key of Object.keys(table) as (keyof Settings)[]) {
    const reading = readSetting(key, env);
    if (reading.kind === 'valid') values.push([key, reading.value]);
    else faults.push(...reading.faults);
  }
  const known = new Set(settingsTable.map(({ name }) => name));
  for (const name of Object.keys(env).sort()) {
    if (!name.startsWith('STAYWIRE_') || known.has(name)) continue;
    if (FOREIGN_PREFIXES.some((prefix) => name.startsWith(prefix))) continue;
    faults.push(`${name} is not a setting of Staywire`);
  }
  if (faults.length > 0) return invalid(...faults);
  // Without faults there is a value for every key of the table.
  const settings = Object.fromEntries(values) as Settings;
  return valid({ ...settings, store: chosenStore(settings, env) });
}

/** A person at a terminal reads the greeting and warnings; a line for each request would bury them. */
export function quietOnTerminal(env: Environment, isTerminal: boolean): Environment {
  const { name } = SETTINGS.logLevel;
  return isTerminal && !env[name]?.trim() ? { ...env, [name]: 'warn' } : env;
}

/** An owner who names both servers wants them used, unless another store is named. */
function chosenStore({ store, postgresUrl, redisUrl }: Settings, env: Environment): Settings['store'] {
  const isNamed = (env[SETTINGS.store.name]?.trim() ?? '') !== '';
  return isNamed || postgresUrl === null || redisUrl === null ? store : STORE_OF_SERVERS;
}

/** A blank variable counts as not set. */
export function readSetting<Key extends keyof Settings>(key: Key, env: Environment): Reading<Settings[Key]> {
  const { name, parse, fallback, meaning } = table[key];
  const text = env[name]?.trim() ?? '';
  if (text === '') {
    return fallback === REQUIRED ? invalid(`${name} must be set. ${meaning}`) : valid(fallback);
  }
  const reading = parse(text);
  return reading.kind === 'valid'
    ? reading
    : invalid(...reading.faults.map((fault) => `${name} must be ${fault}`));
}

function setting<Value, Fallback extends Value | null | typeof REQUIRED>(
  name: string,
  fallback: Fallback,
  parse: Parser<Value>,
): Omit<Setting<Value | Exclude<Fallback, typeof REQUIRED>>, 'meaning'> {
  return { name, parse, fallback: fallback as Exclude<Fallback, typeof REQUIRED> };
}
