import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { registryEntry } from './mcp-server.ts';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

test('the registry is told what to run and where to connect, in the version of the package', () => {
  const { $schema, name, description, version, packages, remotes } = registryEntry();
  assert.equal($schema, 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json');
  assert.equal(name, 'io.github.staywire/staywire');
  assert.ok(description.length <= 100);
  assert.equal(version, manifest.version);
  assert.deepEqual(
    packages.map(({ registryType, identifier, version: ofPackage, transport }) => [
      registryType,
      identifier,
      ofPackage,
      transport.type,
    ]),
    [['npm', manifest.name, manifest.version, 'stdio']],
  );
  assert.deepEqual(
    packages[0]?.packageArguments.map(({ type, name: flag, value }) => [type, flag ?? value]),
    [
      ['positional', 'mcp'],
      ['named', '--url'],
    ],
  );
  assert.deepEqual(
    remotes.map(({ type, url, variables }) => [type, url, Object.keys(variables)]),
    [['streamable-http', 'https://{host}/mcp', ['host']]],
  );
});
