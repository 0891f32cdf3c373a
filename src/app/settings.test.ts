import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STORE_KINDS, STORE_OF_SERVERS } from '../storage/stores.ts';
import { type Environment, quietOnTerminal, readSetting, readSettings } from './settings.ts';

function settingsFrom(env: Readonly<Record<string, string>>) {
  const reading = readSettings({ STAYWIRE_NETWORK: 'network.json', ...env });
  assert.equal(reading.kind, 'valid', JSON.stringify(reading));
  return reading.value;
}

function faultsFrom(env: Readonly<Record<string, string>>): readonly string[] {
  const reading = readSettings({ STAYWIRE_NETWORK: 'network.json', ...env });
  return reading.kind === 'invalid' ? reading.faults : [];
}

test('every variable is read', () => {
  assert.deepEqual(
    settingsFrom({
      PORT: '0',
      HOST: '::',
      STAYWIRE_NETWORK: '/etc/staywire/network.json',
      STAYWIRE_DATA_DIR: '/var/lib/staywire',
      STAYWIRE_STORE: 'memory',
      STAYWIRE_POSTGRES_URL: 'postgres://staywire:secret@db.internal:5432/staywire',
      STAYWIRE_REDIS_URL: 'rediss://redis.internal',
      STAYWIRE_NODE: 'stays-1.eu_west',
      STAYWIRE_PUBLIC_URL: 'https://Stays.example/',
      STAYWIRE_HOSTS: 'Staywire, stays.internal',
      STAYWIRE_SECURITY_CONTACT: 'security@stays.example',
      STAYWIRE_SESSION_MINUTES: '1440',
      STAYWIRE_MAX_OPTIONS: '100',
      STAYWIRE_MAX_QUOTES: '1000',
      STAYWIRE_RATE_CARD_MAX_AGE: '0',
      STAYWIRE_OPERATOR_NETWORKS: '10.1.0.0/16',
      STAYWIRE_CREDENTIALS: 'credentials.sealed',
      STAYWIRE_CREDENTIALS_KEY: 'ab'.repeat(32),
      STAYWIRE_SIGNING_KEYS: 'signing-keys.json',
      STAYWIRE_CALENDAR_MAX_AGE: '48',
      STAYWIRE_QUOTE_DEADLINE_MS: '2500',
      STAYWIRE_ASSISTANTS: 'assistants.json',
      STAYWIRE_PUBLISHED_MAX_AGE_DAYS: '30',
      STAYWIRE_TRUSTED_NETWORKS: '10.0.0.0/8, ::1',
      STAYWIRE_TRUSTED_PROXIES: '192.0.2.1',
      STAYWIRE_AUDIT_DAYS: 'off',
      STAYWIRE_MAX_AUDIT_MB: 'off',
      STAYWIRE_LEDGER_DAYS: 'off',
      STAYWIRE_MAX_LEDGER_MB: 'off',
      STAYWIRE_ACTIVITY_DAYS: '60',
      STAYWIRE_BOOKINGS_SECONDS: '20',
      STAYWIRE_MAX_CONNECTIONS: '4',
      STAYWIRE_RATE_LIMIT: '5',
      STAYWIRE_RATE_WINDOW_SECONDS: '10',
      STAYWIRE_MAX_SESSIONS: '7',
      STAYWIRE_MAX_STORED_MB: '8',
      STAYWIRE_MAX_STORE_MB: '9',
      STAYWIRE_METRICS_PORT: 'off',
      STAYWIRE_METRICS_HOST: 'localhost',
      STAYWIRE_CONSOLE_PORT: 'off',
      STAYWIRE_CONSOLE_HOST: '::1',
      STAYWIRE_LOG_LEVEL: 'silent',
      STAYWIRE_DEMO_PORT: 'the demo’s own matter',
      STAYWIRE_TOKEN_SEASIDE: 'secret',
      STAYWIRE_SECRET_SEASIDE_API_KEY: 'secret',
    }),
    {
      port: 0,
      host: '::',
      networkFile: '/etc/staywire/network.json',
      dataDirectory: '/var/lib/staywire',
      store: 'memory',
      postgresUrl: 'postgres://staywire:secret@db.internal:5432/staywire',
      redisUrl: 'rediss://redis.internal',
      nodeName: 'stays-1.eu_west',
      publicUrl: 'https://stays.example',
      hosts: ['staywire', 'stays.internal'],
      securityContact: 'mailto:security@stays.example',
      sessionMinutes: 1440,
      maxOptions: 100,
      maxQuotes: 1000,
      rateCardMaxAgeSeconds: 0,
      operatorNetworks: ['10.1.0.0/16'],
      credentialsFile: 'credentials.sealed',
      credentialsKey: Buffer.from('ab'.repeat(32), 'hex'),
      signingKeysFile: 'signing-keys.json',
      calendarMaxAgeHours: 48,
      quoteDeadlineMs: 2500,
      assistantsFile: 'assistants.json',
      publishedMaxAgeDays: 30,
      trustedNetworks: ['10.0.0.0/8', '::1'],
      trustedProxies: ['192.0.2.1'],
      auditDays: null,
      maxAuditMegabytes: null,
      ledgerDays: 'for_ever',
      maxLedgerMegabytes: null,
      activityDays: 60,
      bookingsSeconds: 20,
      maxConnections: 4,
      rateLimit: 5,
      rateWindowSeconds: 10,
      maxSessions: 7,
      maxStoredMegabytes: 8,
      maxStoreMegabytes: 9,
      metricsPort: null,
      metricsHost: 'localhost',
      consolePort: null,
      consoleHost: '::1',
      logLevel: 'silent',
    },
  );
});

test('a blank variable is not set', () => {
  assert.equal(settingsFrom({ PORT: ' ', STAYWIRE_PUBLIC_URL: '' }).port, 8080);
  assert.deepEqual(faultsFrom({ STAYWIRE_NETWORK: '' }), [
    'STAYWIRE_NETWORK must be set. Path of the file that describes the network: places, brands, booking systems. A node with STAYWIRE_POSTGRES_URL may do without: it takes the network that `staywire network store` has stored there.',
  ]);
});

test('all faults are listed at once', () => {
  const faults = faultsFrom({
    PORT: '65536',
    HOST: 'localhost:8080',
    STAYWIRE_STORE: 'postgres',
    STAYWIRE_POSTGRES_URL: 'mysql://staywire:secret@db.internal/staywire',
    STAYWIRE_REDIS_URL: 'redis://:p@ss/word@redis.internal',
    STAYWIRE_NODE: 'node one',
    STAYWIRE_PUBLIC_URL: 'http://stays.example',
    STAYWIRE_HOSTS: 'staywire:8080, https://stays.example',
    STAYWIRE_SESSION_MINUTES: '0',
    STAYWIRE_MAX_OPTIONS: '101',
    STAYWIRE_QUOTE_DEADLINE_MS: '8s',
    STAYWIRE_TRUSTED_NETWORKS: '10.0.0.1/8, nowhere',
    STAYWIRE_TRUSTED_PROXIES: 'proxy',
    STAYWIRE_MAX_CONNECTIONS: '3',
    STAYWIRE_RATE_LIMIT: '-1',
    STAYWIRE_RATE_WINDOW_SECONDS: '1e3',
    STAYWIRE_METRICS_PORT: 'none',
    STAYWIRE_METRICS_HOST: '/tmp/socket',
    STAYWIRE_CONSOLE_PORT: 'yes',
    STAYWIRE_CONSOLE_HOST: 'localhost:9465',
    STAYWIRE_LOG_LEVEL: 'loud',
    STAYWIRE_SESION_MINUTES: '30',
    STAYWIRE_NETWORK: '',
  });
  const expected = [
    /^PORT must be a whole number between 0 and 65535$/,
    /^HOST must be an address or a host name without a port$/,
    /^STAYWIRE_NETWORK must be set/,
    new RegExp(`^STAYWIRE_STORE must be one of ${STORE_KINDS.join(', ')}$`),
    /^STAYWIRE_POSTGRES_URL must be an address of one host such as postgres:/,
    /^STAYWIRE_REDIS_URL must be an address of one host such as redis:/,
    /^STAYWIRE_NODE must be at most 100 letters/,
    /^STAYWIRE_PUBLIC_URL must be an origin/,
    /^STAYWIRE_HOSTS must be a list of host names without ports/,
    /^STAYWIRE_SESSION_MINUTES must be a whole number between 1 and 1440$/,
    /^STAYWIRE_MAX_OPTIONS must be a whole number between 1 and 100$/,
    /^STAYWIRE_QUOTE_DEADLINE_MS must be a whole number between 100 and 60000$/,
    /^STAYWIRE_TRUSTED_NETWORKS must be .*10\.0\.0\.1\/8.*nowhere/,
    /^STAYWIRE_TRUSTED_PROXIES must be .*proxy/,
    /^STAYWIRE_MAX_CONNECTIONS must be a whole number between 4 and 100000$/,
    /^STAYWIRE_RATE_LIMIT must be a whole number between 1 and 1000000$/,
    /^STAYWIRE_RATE_WINDOW_SECONDS must be a whole number between 1 and 3600$/,
    /^STAYWIRE_METRICS_PORT must be "off" or a whole number between 0 and 65535$/,
    /^STAYWIRE_METRICS_HOST must be an address/,
    /^STAYWIRE_CONSOLE_PORT must be "off" or a whole number between 0 and 65535$/,
    /^STAYWIRE_CONSOLE_HOST must be an address/,
    /^STAYWIRE_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent$/,
    /^STAYWIRE_SESION_MINUTES is not a setting of Staywire$/,
  ];
  assert.equal(faults.length, expected.length, faults.join('\n'));
  for (const [index, pattern] of expected.entries()) assert.match(faults[index] ?? '', pattern);
});

test('a public address is an origin, and encrypted beyond this machine', () => {
  const accepted = {
    'https://stays.example': 'https://stays.example',
    'https://stays.example:8443/': 'https://stays.example:8443',
    'http://localhost:8080': 'http://localhost:8080',
    'http://127.0.0.1:8080': 'http://127.0.0.1:8080',
    'http://[::1]:8080': 'http://[::1]:8080',
  };
  for (const [text, origin] of Object.entries(accepted)) {
    assert.equal(settingsFrom({ STAYWIRE_PUBLIC_URL: text }).publicUrl, origin);
  }
  const refused = [
    'http://stays.example',
    'http://127.0.0.1.evil.example',
    'https://stays.example/path',
    'https://stays.example/?a=b',
    'https://stays.example#top',
    'https://user@stays.example',
    'ftp://stays.example',
    'stays.example',
    'https://',
  ];
  for (const text of refused) assert.equal(faultsFrom({ STAYWIRE_PUBLIC_URL: text }).length, 1, text);
});

test('with both servers the store is theirs, unless another is named', () => {
  const servers = {
    STAYWIRE_POSTGRES_URL: 'postgresql://db.internal/staywire',
    STAYWIRE_REDIS_URL: 'redis://redis.internal',
  };
  assert.equal(settingsFrom(servers).store, STORE_OF_SERVERS);
  assert.equal(settingsFrom({ ...servers, STAYWIRE_STORE: 'memory' }).store, 'memory');
  assert.equal(settingsFrom({ STAYWIRE_STORE: ' ' }).store, 'sqlite');
});

test('the address of a server may have a password and options', () => {
  const accepted = [
    'redis://127.0.0.1:6379',
    'redis://:secret@redis.internal:6379/0',
    'rediss://staywire:s%40c%2Fret@[2001:db8::1]:6380',
    'redis://a.internal:6379?cluster=true',
  ];
  for (const text of accepted) {
    assert.deepEqual(readSetting('redisUrl', { STAYWIRE_REDIS_URL: text }), { kind: 'valid', value: text });
  }
  const refused = [
    // No client of ours reads several.
    'redis://a.internal:6379,b.internal:6379?cluster=true',
    'redis.internal:6379',
    'http://redis.internal',
    'redis://',
    'redis://:s@cret@redis.internal',
    'redis://:se/cret@redis.internal',
    'redis://:se"cret@redis.internal',
    'redis://:100%secret@redis.internal',
    'redis://redis.internal/first',
    'redis://redis.internal:port',
    'redis://redis.internal secret',
  ];
  for (const text of refused) {
    const reading = readSetting('redisUrl', { STAYWIRE_REDIS_URL: text });
    assert.equal(reading.kind, 'invalid', text);
    assert.doesNotMatch(reading.faults.join(), /cret|internal/, text);
  }
});

test('one setting can be read although others are wrong', () => {
  const env = { PORT: 'eighty', STAYWIRE_ASSISTANTS: ' assistants.json ' };
  assert.deepEqual(readSetting('assistantsFile', env), { kind: 'valid', value: 'assistants.json' });
  assert.deepEqual(readSetting('maxOptions', env), { kind: 'valid', value: 20 });
  assert.equal(readSetting('port', env).kind, 'invalid');
  assert.equal(readSetting('networkFile', env).kind, 'invalid');
});

test('logs warnings alone on a terminal, unless a level is set', () => {
  const level = (env: Environment, isTerminal: boolean) =>
    quietOnTerminal(env, isTerminal).STAYWIRE_LOG_LEVEL;
  assert.equal(level({}, true), 'warn');
  assert.equal(level({ STAYWIRE_LOG_LEVEL: ' ' }, true), 'warn');
  assert.equal(level({ STAYWIRE_LOG_LEVEL: 'info' }, true), 'info');
  assert.equal(level({}, false), undefined);
});
