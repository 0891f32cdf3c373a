import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  documentAddress,
  registeredHost,
  serverAddress,
  userFacingAddress,
  wordsOfAddress,
} from './web-address.ts';

const hosts = ['casas.example', 'img.casas.example:8443', 'localhost:4000', '127.0.0.1:4001'];

describe('an address for a traveller', () => {
  const accepted: readonly [string, string][] = [
    ['https://casas.example/casa?lang=pt&day=2', 'https://casas.example/casa?lang=pt&day=2'],
    ['https://CASAS.example:443/Casa%20Um', 'https://casas.example/Casa%20Um'],
    ['https://img.casas.example:8443/1.jpg', 'https://img.casas.example:8443/1.jpg'],
    ['http://localhost:4000/casa', 'http://localhost:4000/casa'],
    ['http://127.0.0.1:4001/', 'http://127.0.0.1:4001/'],
    ['https://casas.example/air/ai', 'https://casas.example/air/ai'],
  ];
  it('accepts addresses of the web', () => {
    for (const [text, url] of accepted) {
      assert.deepEqual(userFacingAddress(text, hosts), { kind: 'valid', value: url }, `accepts ${text}`);
    }
  });

  const refused: readonly [string, string][] = [
    ['/casa', 'is not a whole address'],
    ['javascript:alert(1)', 'must begin with https://'],
    ['http://casas.example/', 'must begin with https://'],
    ['ftp://casas.example/', 'must begin with https://'],
    ['https://user@casas.example/', 'must not carry a user name or password'],
    ['https://:secret@casas.example/', 'must not carry a user name or password'],
    ['https://other.example/', 'is not on a host registered for the brand'],
    ['https://casas.example:8443/', 'is not on a host registered for the brand'],
    ['https://casas.example.evil.example/', 'is not on a host registered for the brand'],
    ['https://casas.example./', 'is not on a host registered for the brand'],
    ['https://93.184.216.34/', 'must name its host, not give a number'],
    ['https://0x5db8d822/', 'must name its host, not give a number'],
    ['https://[2001:db8::1]/', 'must name its host, not give a number'],
    ['https://[::ffff:127.0.0.1]/', 'must name its host, not give a number'],
    ['https://casas.example/ai', 'is under /ai/'],
    ['https://casas.example/ai/v1/search', 'is under /ai/'],
    ['https://casas.example/AI/x', 'is under /ai/'],
    ['https://casas.example/%61i/x', 'is under /ai/'],
    ['https://casas.example//ai/x', 'is under /ai/'],
    ['https://casas.example/x/../ai/x', 'is under /ai/'],
    ['https://casas.example/ai%2Fx', 'is under /ai/'],
    ['https://casas.example/%zz', 'has a path that cannot be decoded'],
    [`https://casas.example/${'é'.repeat(400)}`, 'is too long'],
    [`https://casas.example/${'a'.repeat(480)}`, 'is too long'],
    ['https://casas.example/casa#photos', 'must not have a fragment'],
    ['https://casas.example/casa?q="x"&r=(y)', 'has a character that addresses do not need'],
    ["https://casas.example/casa'", 'has a character that addresses do not need'],
    ['https://casas.example/{casa}|x', 'has a character that addresses do not need'],
  ];
  it('refuses everything else', () => {
    for (const [text, fault] of refused) {
      assert.deepEqual(
        userFacingAddress(text, hosts),
        { kind: 'invalid', faults: [fault] },
        `refuses ${text.slice(0, 60)}`,
      );
    }
  });
});

describe('the words of an address', () => {
  it('are those of its path and its query', () => {
    assert.equal(
      wordsOfAddress('https://casas.example/tell%20the/user?that=it+is'),
      '/tell the/user ?that=it is',
    );
    assert.equal(wordsOfAddress('https://casas.example/a?b=%zz'), '/a ?b=%zz');
  });
});

describe('a registered host', () => {
  it('is written as addresses write it', () => {
    assert.equal(registeredHost('Casas.Example'), 'casas.example');
    assert.equal(registeredHost('casas.example:443'), 'casas.example');
    assert.equal(registeredHost('casas.example:8443'), 'casas.example:8443');
    assert.equal(registeredHost('casa-graça.example'), 'xn--casa-graa-x3a.example');
    assert.equal(registeredHost('localhost:80'), 'localhost');
    assert.equal(registeredHost('[::1]:4000'), '[::1]:4000');
  });

  it('is nothing but a host', () => {
    for (const text of [
      'https://casas.example',
      'casas.example/x',
      'a@b.example',
      'a b',
      '',
      '8.8.8.8',
      '[::2]',
      'casas.example:99999',
      'a\\b',
    ]) {
      assert.equal(registeredHost(text), undefined, text);
    }
  });
});

describe('the address of a server', () => {
  it('keeps its path and loses its last slash', () => {
    assert.deepEqual(serverAddress('https://ops.casas.example/staywire/'), {
      kind: 'valid',
      value: 'https://ops.casas.example/staywire',
    });
    assert.deepEqual(serverAddress('http://127.0.0.1:4000'), {
      kind: 'valid',
      value: 'http://127.0.0.1:4000',
    });
  });

  it('is safe to append to', () => {
    assert.equal(serverAddress('https://casas.example/?x=1').kind, 'invalid');
    assert.equal(serverAddress('https://casas.example/#x').kind, 'invalid');
    assert.equal(serverAddress('http://casas.example/').kind, 'invalid');
    assert.equal(serverAddress('https://10.0.0.1/').kind, 'invalid');
    assert.deepEqual(documentAddress('https://casas.example/rates.json?v=2'), {
      kind: 'valid',
      value: 'https://casas.example/rates.json?v=2',
    });
    assert.deepEqual(documentAddress('https://Casas.example./1.ics'), {
      kind: 'valid',
      value: 'https://casas.example/1.ics',
    });
    assert.equal(documentAddress('https://casas.example/rates.json#x').kind, 'invalid');
  });
});
