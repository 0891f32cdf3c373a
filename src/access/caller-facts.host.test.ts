import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAddressedToUs } from './caller-facts.ts';

const isOurs = createAddressedToUs({
  publicUrl: 'https://stays.example:8443',
  hosts: ['staywire', 'Internal.Example'],
});

function addressed(host: string | undefined, url = '/ai/v1/auth'): boolean {
  return isOurs({
    headers: host === undefined ? {} : { host },
    rawHeaders: host === undefined ? [] : ['Host', host],
    url,
  });
}

const OURS = [
  'localhost',
  'localhost:8080',
  'LocalHost.:80',
  'app.localhost:3000',
  'stays.example',
  'STAYS.example:443',
  'stays.example.',
  'staywire:8080',
  'internal.example',
  '127.0.0.1',
  '127.0.0.1:8080',
  '192.168.1.9:8080',
  '[::1]',
  '[::1]:8080',
  '[2001:DB8::1]:8080',
];

const OTHERS = [
  'evil.example',
  'evil.example:8080',
  'stays.example.evil.example',
  'notstays.example',
  'localhost.evil.example',
  'notlocalhost',
  '127.0.0.1.evil.example',
  '127.1',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '2130706433',
  '127.0.0.1:8080:9090',
  '127.0.0.1:',
  '127.0.0.1:port',
  '::1',
  '[::1',
  '[127.0.0.1]',
  '[::1%25lo]',
  '[]',
  '',
  ' ',
  'localhost, evil.example',
  'localhost evil.example',
  'evil.example@localhost',
  'localhost@evil.example',
  'localhost/evil.example',
  'localhost?',
  'http://localhost',
  '.localhost',
  '-localhost',
  'localhost..',
  'xn--80ak6aa92e.example',
];

test('our own names and every address are ours, with and without a port', () => {
  for (const host of OURS) assert.ok(addressed(host), host);
});

test('nothing else is, also right after one that is', () => {
  for (const host of OTHERS) {
    assert.ok(addressed('localhost'));
    assert.ok(!addressed(host), host);
  }
  assert.ok(!addressed(undefined));
  const fresh = createAddressedToUs({ publicUrl: null, hosts: [] });
  assert.ok(!fresh({ headers: { host: '' }, rawHeaders: ['Host', ''], url: '/' }));
});

test('without a public address and names, only local names and addresses are ours', () => {
  const local = createAddressedToUs({ publicUrl: null, hosts: [] });
  const asked = (host: string) => local({ headers: { host }, rawHeaders: ['host', host], url: '/' });
  assert.deepEqual(['localhost', '127.0.0.1', 'stays.example'].map(asked), [true, true, false]);
});

test('two hosts are not ours, even if both would be', () => {
  for (const second of ['localhost', 'evil.example']) {
    const rawHeaders = ['Host', 'localhost', 'Accept', '*/*', 'hOST', second];
    assert.ok(!isOurs({ headers: { host: 'localhost' }, rawHeaders, url: '/' }));
  }
});

test('a target that names a host has to name ours too', () => {
  assert.ok(addressed('localhost', 'http://localhost:8080/ai/v1/auth'));
  assert.ok(addressed('localhost', 'https://stays.example/'));
  assert.ok(addressed('localhost', '*'));
  assert.ok(!addressed('localhost', 'http://evil.example/ai/v1/auth'));
  assert.ok(!addressed('localhost', 'HTTP://evil.example'));
  assert.ok(!addressed('evil.example', 'http://localhost/ai/v1/auth'));
  assert.ok(!addressed('localhost', 'http://user@localhost/'));
});

test('a request for a tunnel is for nobody here', () => {
  const headers = { host: 'localhost' };
  const rawHeaders = ['Host', 'localhost'];
  assert.equal(isOurs({ headers, rawHeaders, method: 'CONNECT', url: 'localhost:443' }), false);
  assert.equal(isOurs({ headers, rawHeaders, method: 'OPTIONS', url: '*' }), true);
});
