import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseItem } from 'structured-headers';
import { componentValuesOf, type RequestParts } from './signature-base.ts';

/** The examples of RFC 9421, sections 2.1 and 2.2, that are about requests. */
const request: RequestParts = {
  method: 'GET',
  scheme: 'https',
  authority: 'www.example.com',
  target:
    '/parameters?var=this%20is%20a%20big%0Amultiline%20value&bar=with+plus+whitespace&fa%C3%A7ade%22%3A%20=something&qux=',
  headers: {
    'x-ows-header': '  Leading and trailing whitespace.   ',
    'x-obs-fold-header': 'Obsolete\r\n    line folding.',
    'cache-control': ['max-age=60', '   must-revalidate'],
    'example-dict': ' a=1,    b=2;x=1;y=2,   c=(a   b   c), d',
    'example-header': ['value, with, lots', 'of, commas'],
    'x-empty-header': '',
    'content-digest': ' a=:AA==:,    b=2.50;x',
    'accept-language': ['é'],
  },
};

const VALUES: readonly (readonly [component: string, value: string | null])[] = [
  ['"x-ows-header"', 'Leading and trailing whitespace.'],
  ['"x-obs-fold-header"', 'Obsolete line folding.'],
  ['"cache-control"', 'max-age=60, must-revalidate'],
  ['"example-dict"', 'a=1,    b=2;x=1;y=2,   c=(a   b   c), d'],
  ['"x-empty-header"', ''],
  ['"example-dict";key="a"', '1'],
  ['"example-dict";key="b"', '2;x=1;y=2'],
  ['"example-dict";key="c"', '(a b c)'],
  ['"example-dict";key="d"', '?1'],
  ['"example-dict";key="e"', null],
  ['"example-header";key="e"', null],
  ['"example-header"', 'value, with, lots, of, commas'],
  ['"example-header";bs', ':dmFsdWUsIHdpdGgsIGxvdHM=:, :b2YsIGNvbW1hcw==:'],
  ['"content-digest";sf', 'a=:AA==:, b=2.5;x'],
  ['"example-dict";sf', null],
  ['"content-digest";sf;key="a"', null],
  ['"content-digest";bs;sf', null],
  ['"content-digest";unknown', null],
  ['"accept-language"', null],
  ['"accept-language";bs', ':6Q==:'],
  ['"absent"', null],
  ['"__proto__"', null],
  ['""', null],
  ['cache-control', null],
  ['@1618884473', null],
  ['"@method"', 'GET'],
  ['"@method";req', null],
  ['"@method";x', null],
  ['"@authority"', 'www.example.com'],
  ['"@scheme"', 'https'],
  ['"@target-uri"', `https://www.example.com${request.target}`],
  ['"@request-target"', request.target],
  ['"@path"', '/parameters'],
  ['"@query"', request.target.slice('/parameters'.length)],
  ['"@query-param";name="var"', 'this%20is%20a%20big%0Amultiline%20value'],
  ['"@query-param";name="bar"', 'with%20plus%20whitespace'],
  ['"@query-param";name="fa%C3%A7ade%22%3A%20"', 'something'],
  ['"@query-param";name="qux"', ''],
  ['"@query-param";name=var', null],
  ['"@query-param"', null],
  ['"@status"', null],
  ['"@signature-params"', null],
];

describe('the value of a component', () => {
  it('is what the standard says', () => {
    for (const [component, value] of VALUES)
      assert.equal(componentValuesOf(request)(parseItem(component)), value, component);
  });

  it('of a request for the root, and of one without a query', () => {
    const valueFor = (target: string, name: string) =>
      componentValuesOf({ ...request, target })(parseItem(`"${name}"`));
    assert.equal(valueFor('/', '@path'), '/');
    assert.equal(valueFor('/', '@query'), '?');
    assert.equal(valueFor('/?', '@query'), '?');
    assert.equal(valueFor('https://www.example.com', '@path'), '/');
    assert.equal(valueFor('https://www.example.com?x', '@query'), '?x');
    assert.equal(valueFor('https://www.example.com?x', '@target-uri'), 'https://www.example.com/?x');
    assert.equal(valueFor('*', '@path'), '*');
  });
});
