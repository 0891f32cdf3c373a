import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import {
  documentAddress,
  readContact,
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

test('a registered host is written as addresses write it, and is nothing but a host', () => {
  const cases: Readonly<Record<string, string | undefined>> = {
    'Casas.Example': 'casas.example',
    'casas.example:443': 'casas.example',
    'casas.example:8443': 'casas.example:8443',
    'casa-graça.example': 'xn--casa-graa-x3a.example',
    'localhost:80': 'localhost',
    '[::1]:4000': '[::1]:4000',
  };
  const refused = ['https://casas.example', 'casas.example/x', 'a@b.example', 'a b', '', '8.8.8.8', '[::2]'];
  for (const [text, host] of Object.entries(cases)) assert.equal(registeredHost(text), host, text);
  for (const text of [...refused, 'casas.example:99999', 'a\\b']) {
    assert.equal(registeredHost(text), undefined, text);
  }
});

test('the address of a server loses its last slash and can be appended to; that of a document has no fragment', () => {
  const addressIn = (reading: ReturnType<typeof serverAddress>) =>
    reading.kind === 'valid' ? reading.value : null;
  const servers: Readonly<Record<string, string | null>> = {
    'https://ops.casas.example/staywire/': 'https://ops.casas.example/staywire',
    'http://127.0.0.1:4000': 'http://127.0.0.1:4000',
    'https://casas.example/?x=1': null,
    'https://casas.example/#x': null,
    'http://casas.example/': null,
    'https://10.0.0.1/': null,
  };
  const documents: Readonly<Record<string, string | null>> = {
    'https://casas.example/rates.json?v=2': 'https://casas.example/rates.json?v=2',
    'https://Casas.example./1.ics': 'https://casas.example/1.ics',
    'https://casas.example/rates.json#x': null,
  };
  for (const [text, value] of Object.entries(servers))
    assert.equal(addressIn(serverAddress(text)), value, text);
  for (const [text, value] of Object.entries(documents))
    assert.equal(addressIn(documentAddress(text)), value, text);
});

test('a contact is a URI of mail, telephone or the web, and nothing else, least of all a second line', () => {
  const cases: Readonly<Record<string, string | null>> = {
    'security@stays.example': 'mailto:security@stays.example',
    'mailto:security@stays.example': 'mailto:security@stays.example',
    'tel:+351-1-234': 'tel:+351-1-234',
    'https://Stays.example/report': 'https://stays.example/report',
    '': null,
    'the front desk': null,
    'http://stays.example/report': null,
    'a@b': null,
    'a@b.example\nContact: evil': null,
    'mailto:a@b.example\nX: y': null,
    'javascript:alert(1)': null,
  };
  for (const [text, uri] of Object.entries(cases)) {
    const reading = readContact(text);
    assert.equal(reading.kind === 'valid' ? reading.value : null, uri, JSON.stringify(text));
  }
});
