import {
  cidrList,
  hostName,
  integerBetween,
  integerOrOff,
  oneOf,
  type Parser,
  publicOrigin,
  text,
} from './setting-parsers.ts';

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
    text,
    'Path of the file that describes the network: places, brands, booking systems. Required.',
  ),
  dataDirectory: setting('STAYWIRE_DATA_DIR', './data', text, 'Folder of the database.'),
  store: setting(
    'STAYWIRE_STORE',
    'sqlite',
    oneOf('sqlite', 'memory'),
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
  quoteDeadlineMilliseconds: setting(
    'STAYWIRE_QUOTE_DEADLINE_MS',
    8000,
    integerBetween(100, 60_000),
    'How long a search waits for live prices, in milliseconds.',
  ),
  assistantsFile: setting(
    'STAYWIRE_ASSISTANTS',
    null,
    text,
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
  rateLimit: setting('STAYWIRE_RATE_LIMIT', 600, integerBetween(1, 1_000_000), 'Requests in a window at most.'),
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
