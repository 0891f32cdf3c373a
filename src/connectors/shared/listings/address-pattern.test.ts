import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { followsPattern, readAddressPattern } from './address-pattern.ts';

const hosts = ['casas.example'];

describe('a pattern of addresses', () => {
  const cases: readonly [string, string, boolean][] = [
    ['https://casas.example/homes/{reference}', 'https://casas.example/homes/casa-1', true],
    ['https://casas.example/homes/{reference}', 'https://casas.example/homes/casa-2', false],
    ['https://casas.example/homes/{reference}', 'https://casas.example/homes/casa-1/more', false],
    ['https://casas.example/homes/{reference}', 'https://casas.example/homes/casa-10', false],
    ['https://casas.example/homes/{reference}', 'https://casas.example/other/casa-1', false],
    ['https://casas.example/{lang}/{reference}', 'https://casas.example/pt/casa-1', true],
    ['https://casas.example/{lang}/{reference}', 'https://casas.example/p%20t/casa-1', false],
    [`https://casas.example/{page}`, `https://casas.example/${'a'.repeat(81)}`, false],
    ['https://casas.example/i/{reference}/{picture}.jpg', 'https://casas.example/i/casa-1/3.jpg', true],
    ['https://casas.example/i/{reference}/{picture}.jpg', 'https://casas.example/i/casa-1/3.png', false],
    [
      'https://casas.example/show?id={reference}&lang={lang}',
      'https://casas.example/show?id=casa-1&lang=pt',
      true,
    ],
    ['https://casas.example/show?id={reference}', 'https://casas.example/show?id=casa-1&note=hello', false],
    ['https://casas.example/one', 'https://casas.example/one', true],
  ];
  it('accepts and refuses each address', () => {
    for (const [pattern, address, follows] of cases) {
      assert.equal(
        followsPattern(address, pattern, 'casa-1'),
        follows,
        `${follows ? 'fits' : 'does not fit'}: ${pattern} ${address.slice(0, 80)}`,
      );
    }
  });

  it('is on a host of the brand and well formed', () => {
    assert.equal(readAddressPattern('https://casas.example/{lang}/{reference}', hosts).kind, 'valid');
    for (const [text, fault] of [
      ['https://evil.example/{reference}', 'is not on a host registered for the brand'],
      ['https://casas.example/{Reference}', 'has braces that do not hold a name'],
      ['https://casas.example/{reference', 'has braces that do not hold a name'],
      ['https://casas.example/a/../{reference}', 'must be written as https://casas.example/x'],
      ['casas.example/{reference}', 'is not a whole address'],
    ] as const) {
      assert.deepEqual(readAddressPattern(text, hosts), { kind: 'invalid', faults: [fault] });
    }
  });
});
