import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { invalid, valid } from '../../../parsing/reading.ts';
import type { ConnectTools } from '../../connector.ts';
import { createVendorConnector } from './vendor-connector.ts';

function setUp() {
  const connections: unknown[] = [];
  const connector = createVendorConnector({
    kind: 'casas',
    defaults: {
      url: 'https://api.casas.example',
      windows: [{ requests: 5, perMs: 1000 }],
      limits: { batchSize: 1, concurrency: 4, timeoutMs: 5000 },
    },
    members: { colour: Type.Optional(Type.String({ description: 'Any but red.' })) },
    documentation: { title: 'Casas', text: 'Made up.' },
    credentials: {
      api_key: { title: 'Key', found: 'there' },
      other: { title: 'Other', found: 'there', isOptional: true },
    },
    canStateAllInTotals: false,
    read: ({ colour = 'blue' }, { api_key, other }) =>
      colour === 'red'
        ? invalid({ pointer: '/colour', message: 'is red' })
        : valid({ colour, api_key, other }),
    connect(connection) {
      connections.push(connection);
      return { limits: connection.limits } as never;
    },
  });
  const env = { STAYWIRE_SECRET_HARBOR_API_KEY: 'key' };
  const read = (changes: object = {}, secrets: Readonly<Record<string, string>> = env) =>
    connector.readEntry({ kind: 'casas', account: 'harbor', ...changes }, { env: secrets, directory: '.' });
  const pointers = (...asked: Parameters<typeof read>) => {
    const reading = read(...asked);
    return reading.kind === 'invalid' ? reading.faults.map(({ pointer }) => pointer) : 'valid';
  };
  return { connector, connections, read, pointers };
}

describe('the connector of a vendor', () => {
  it('needs an account only, and gets what the vendor states', () => {
    const { read, connections } = setUp();
    const reading = read();
    assert.ok(reading.kind === 'valid');
    const system = reading.value({} as ConnectTools);
    assert.deepEqual(connections, [
      {
        account: 'harbor',
        baseUrl: 'https://api.casas.example',
        windows: [{ requests: 5, perMs: 1000 }],
        limits: { batchSize: 1, concurrency: 4, timeoutMs: 5000 },
        colour: 'blue',
        api_key: 'key',
        other: '',
      },
    ]);
    assert.equal(system.limits.keepsBudget, true);
  });

  it('names the place of each fault', () => {
    const { pointers } = setUp();
    assert.deepEqual(pointers({ url: 'ftp://api.casas.example' }), ['/url']);
    assert.deepEqual(pointers({ rate_limits: [{ requests: 0, seconds: 60 }] }), ['/rate_limits/0/requests']);
    assert.deepEqual(pointers({ colour: 'red' }), ['/colour']);
    assert.deepEqual(pointers({ size: 3 }), ['/size']);
    assert.deepEqual(pointers({}, {}), ['/account']);
  });
});
