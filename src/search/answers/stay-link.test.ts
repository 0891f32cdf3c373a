import assert from 'node:assert/strict';
import { test } from 'node:test';
import { casas, sampleCriteria } from '../../../test/support/sample-comparison.ts';
import { propertyStayLink, stayLink } from './stay-link.ts';

const STAY = 'from=2027-04-10&to=2027-04-13&people=2';

test('the stay is in the query under the parameter names of the website', () => {
  assert.equal(
    stayLink('https://casas.example/1', casas, sampleCriteria),
    `https://casas.example/1?${STAY}&via=staywire`,
  );
});

test('only the page of all results gets the destination', () => {
  assert.equal(
    stayLink('https://casas.example/all', casas, sampleCriteria, true),
    `https://casas.example/all?${STAY}&city=lisbon-pt&via=staywire`,
  );
});

test('the query and fragment of the page are kept, and a parameter of the stay that it has is replaced', () => {
  assert.equal(
    stayLink('https://casas.example/1?id=7&people=9&id=8#rooms', casas, sampleCriteria),
    'https://casas.example/1?id=7&people=2&id=8&from=2027-04-10&to=2027-04-13&via=staywire#rooms',
  );
});

test('names of parameters are encoded', () => {
  const odd = { ...casas.website.stayParameters, guests: 'guests[adults]', source: 'utm source' };
  const brand = { ...casas, website: { ...casas.website, stayParameters: odd } };
  const { searchParams } = new URL(stayLink('https://casas.example/1', brand, sampleCriteria));
  assert.deepEqual([...searchParams.keys()], ['from', 'to', 'guests[adults]', 'utm source']);
});

test('a brand with a template gets its links built from it, with every value encoded', () => {
  const stayUrl =
    'https://book.casas.example/{reference}/stay?in={check_in}&n={nights}&adults={guests}&c={currency}';
  const brand = { ...casas, website: { ...casas.website, stayUrl } };
  assert.equal(
    propertyStayLink(
      { url: 'https://casas.example/1', reference: 'a_7', currency: 'EUR' },
      brand,
      sampleCriteria,
    ),
    'https://book.casas.example/a_7/stay?in=2027-04-10&n=3&adults=2&c=EUR&via=staywire',
  );
});

const told = {
  ...casas,
  website: { ...casas.website, stayParameters: { ...casas.website.stayParameters, quote: 'quote[id]' } },
};
const home = { url: 'https://casas.example/1', reference: 'a_7', currency: 'EUR' };

test('a brand that asks for it gets the identifier of the quote, in links of either kind', () => {
  assert.equal(
    propertyStayLink(home, told, sampleCriteria, 'nxq_-_1'),
    `https://casas.example/1?${STAY}&via=staywire&quote%5Bid%5D=nxq_-_1`,
  );
  const stayUrl = 'https://book.casas.example/{reference}?in={check_in}&out={check_out}';
  const templated = { ...told, website: { ...told.website, stayUrl } };
  assert.equal(
    propertyStayLink(home, templated, sampleCriteria, 'nxq_-_1'),
    'https://book.casas.example/a_7?in=2027-04-10&out=2027-04-13&via=staywire&quote%5Bid%5D=nxq_-_1',
  );
});

test('a link carries no quote where none was made, or where the brand does not ask for it', () => {
  const plain = `https://casas.example/1?${STAY}&via=staywire`;
  assert.equal(propertyStayLink(home, told, sampleCriteria), plain);
  assert.equal(propertyStayLink(home, casas, sampleCriteria, 'nxq_-_1'), plain);
});
