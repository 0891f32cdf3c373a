import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import { type DocumentShape, parseDocument, shapeOf } from './parse-document.ts';

const list = (entry: string, times: number) => `[${Array(times).fill(entry)}]`;
const parse = (text: string) => parseDocument(new TextEncoder().encode(text));

describe('a document is parsed up to a limit', () => {
  for (const [what, atLimit, beyond] of [
    ['32 levels', '['.repeat(32) + ']'.repeat(32), '['.repeat(33) + ']'.repeat(33)],
    ['500000 objects and lists', list('{}', 499_999), list('[]', 500_000)],
    ['1500000 values', list('0', 1_499_999), list('0', 1_500_000)],
    [
      '50000 members with a number for a name',
      list('{"34":0}', 50_000),
      list('{"\\u0033\\u0034":0}', 50_001),
    ],
  ] as const) {
    it(`of ${what}`, () => {
      parse(atLimit);
      assert.throws(
        () => parse(beyond),
        (error) =>
          error instanceof BookingSystemFailure &&
          error.kind === 'too_large' &&
          error.message === `the document has more than ${what}`,
      );
    });
  }

  it('that sixteen mebibytes of booked nights do not reach', () => {
    const nights = '{"from":"2027-08-01","to":"2027-08-08"}';
    const booked = list(nights, Math.floor((16 * 1024 * 1024) / (nights.length + 1)));
    assert.ok(Array.isArray(parse(booked)));
  });
});

test('what is not JSON is not repeated in the failure, because it may be a secret', () => {
  assert.throws(
    () => parseDocument(new TextEncoder().encode('SECRETTOKEN')),
    (error) => error instanceof Error && error.cause === undefined && !error.message.includes('SECRET'),
  );
});

/** JSON before it is written: unlike a parsed value, an object can have two members of one name. */
type Tree =
  | { readonly kind: 'plain'; readonly value: string | number | boolean | null }
  | { readonly kind: 'list'; readonly entries: readonly Tree[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [name: string, Tree])[] };

const name = fc.oneof(
  fc.constantFrom(
    '34',
    '0',
    '7',
    '',
    '24h',
    '-1',
    '1.5',
    '__proto__',
    'name',
    '"',
    '\\',
    '{',
    '[,:]',
    'é',
    '１',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.record({
      kind: fc.constant('plain' as const),
      value: fc.oneof(name, fc.double(), fc.boolean(), fc.constant(null)),
    }),
    fc.record({ kind: fc.constant('list' as const), entries: fc.array(tie('tree'), { maxLength: 5 }) }),
    fc.record({
      kind: fc.constant('object' as const),
      members: fc.array(fc.tuple(name, tie('tree')), { maxLength: 5 }),
    }),
  ),
}));

/** Any of the ways in which the tree can be written; `choose` is asked for each of them. */
function written(root: Tree, choose: () => number): string {
  const blank = () => ['', '', '', ' ', '\n\t', '\r '][choose() % 6] ?? '';
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const text = (value: string) => {
    const characters = value.split('').map((character) => {
      return choose() % 4 === 0 ? escaped(character) : JSON.stringify(character).slice(1, -1);
    });
    return `"${characters.join('')}"`;
  };
  const listed = (parts: readonly string[]) => parts.map((part) => blank() + part + blank()).join();
  const write = (one: Tree): string => {
    switch (one.kind) {
      case 'plain':
        return typeof one.value === 'string' ? text(one.value) : JSON.stringify(one.value);
      case 'list':
        return `[${listed(one.entries.map(write))}${blank()}]`;
      case 'object':
        return `{${listed(one.members.map(([key, value]) => `${text(key)}${blank()}:${write(value)}`))}}`;
    }
  };
  return blank() + write(root) + blank();
}

function plainShapeOf(root: Tree): DocumentShape {
  if (root.kind === 'plain') return { depth: 0, containers: 0, values: 1, numberedMembers: 0 };
  const names = root.kind === 'object' ? root.members.map(([key]) => key) : [];
  const children = root.kind === 'object' ? root.members.map(([, value]) => value) : root.entries;
  const shapes = children.map(plainShapeOf);
  const total = (count: keyof DocumentShape) => shapes.reduce((sum, shape) => sum + shape[count], 0);
  return {
    depth: 1 + Math.max(0, ...shapes.map(({ depth }) => depth)),
    containers: 1 + total('containers'),
    values: 1 + Math.max(1, total('values')),
    numberedMembers: names.filter((key) => /^[0-9]+$/.test(key)).length + total('numberedMembers'),
  };
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('the shape of a document', () => {
  it('is that of what was written, however it was written', () => {
    fc.assert(
      fc.property(tree, fc.infiniteStream(fc.nat(100)), (root, choices) => {
        const text = written(root, () => choices.next().value);
        JSON.parse(text);
        assert.deepEqual(shapeOf(bytesOf(text)), plainShapeOf(root), text);
      }),
    );
  });

  it('counts all that comes before a fault, and any bytes have one', () => {
    fc.assert(
      fc.property(tree, fc.infiniteStream(fc.nat(100)), fc.uint8Array(), (root, choices, rest) => {
        const whole = bytesOf(written(root, () => choices.next().value));
        const [alone, followed] = [shapeOf(whole), shapeOf(Buffer.concat([whole, rest]))];
        for (const count of ['depth', 'containers', 'values', 'numberedMembers'] as const) {
          assert.ok(followed[count] >= alone[count], count);
        }
      }),
    );
  });

  it('ends with a document that was cut off anywhere', () => {
    const whole = bytesOf('{"a\\"b":["\\u0033",{"\\u00334":-1.5e9}],"5":"\\\\"}');
    for (let length = 0; length <= whole.length; length += 1) shapeOf(whole.subarray(0, length));
    assert.deepEqual(shapeOf(whole), { depth: 3, containers: 3, values: 6, numberedMembers: 2 });
  });
});
