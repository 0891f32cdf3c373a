import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registryOf } from '../../test/support/registry-of.ts';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import type { AssistantRegistry } from '../access/registry/assistant-registry.ts';
import { exampleStay } from '../search/example-stay.ts';
import { affordableConnections, greeting } from './process.ts';

const network = sampleNetwork(['acme']);

function greetingWith(...assistants: readonly (readonly [id: string, status: string])[]): string {
  const recognised_by = [{ network: ['192.0.2.0/24'] }];
  return greetingOf(
    registryOf(...assistants.map(([id, status]) => ({ id, name: id, status, recognised_by }))),
  );
}

function greetingOf(registry: AssistantRegistry, consoleOrigin: string | null = null): string {
  return greeting({
    origin: 'http://127.0.0.1:8080',
    networkSettings: {
      network,
      connections: new Map(),
      name: 'Atlantic',
      contact: 'owner@stays.example',
      refreshSeconds: 900,
    },
    registry,
    trustedNetworks: null,
    publicUrl: null,
    metricsServer: null,
    consoleOrigin,
    exampleStay: exampleStay(network, 0),
  });
}

test('the greeting names who is answered, and apart from them who is suspended', () => {
  const text = greetingWith(['guide', 'approved'], ['wayfarer', 'suspended'], ['rover', 'approved']);
  assert.match(text, /^ {2}assistants {2}guide, rover$/m);
  assert.match(text, /^ {2}suspended {3}wayfarer$/m);
  assert.doesNotMatch(greetingWith(['guide', 'approved']), /suspended/);
});

test('the greeting says how an assistant has to call to be recognised', () => {
  assert.match(greetingWith(['guide', 'approved']), /begins with, from where it is recognised:$/m);
  const signs = registryOf({
    ...{ id: 'guide', name: 'Guide', status: 'approved' },
    recognised_by: [{ signature_agent: 'https://guide.example' }],
  });
  assert.match(greetingOf(signs), /begins with, signed:$/m);
});

test('callers get three quarters at most of the descriptors that the console and the metrics leave', () => {
  assert.equal(affordableConnections(4000, 520), 300);
  assert.equal(affordableConnections(100, 520), 100);
  assert.equal(affordableConnections(4000, Number.POSITIVE_INFINITY), 4000);
  assert.equal(affordableConnections(4000, 1), 1);
});
