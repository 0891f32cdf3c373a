import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { casas, sampleCriteria, sampleOption } from '../../../test/support/sample-comparison.ts';
import type { Brand } from '../../catalogue/catalogue.ts';
import type { Option } from '../../contract/option.ts';
import type { ComparedOption } from '../comparison.ts';
import { homeText } from './home-text.ts';
import { createOptionWriter } from './option-text.ts';
import { propertyStayLink } from './stay-link.ts';

const written = (option: ComparedOption): Option =>
  JSON.parse(createOptionWriter(sampleCriteria, 'EUR')(option, 1));

describe('the text of a home', () => {
  it('is written once for a listing', () => {
    const { property, brand } = sampleOption();
    assert.equal(homeText(property, brand), homeText(property, brand));
    assert.notEqual(homeText({ ...property }, brand), homeText(property, brand), 'another version of it');
  });

  it('is written anew for a brand that has another name', () => {
    const option = sampleOption();
    const renamed: Brand = { ...casas, name: 'Casas' };
    assert.deepEqual(
      [casas, renamed, casas].map((brand) => written({ ...option, brand }).brand),
      ['Casas de Lisboa', 'Casas', 'Casas de Lisboa'],
    );
  });
});

describe('the link of an option', () => {
  it('is the one that the page itself would get, whatever the page', () => {
    const page = fc
      .webUrl({ withQueryParameters: true, withFragments: true })
      .chain((url) => fc.constantFrom(url, `${url.split(/[?#]/)[0]}`, `${url.split(/[?#]/)[0]}?`));
    fc.assert(
      fc.property(page, (url) => {
        const option = sampleOption({ property: { url } });
        const { property, brand } = option;
        assert.equal(written(option).url, propertyStayLink(property, brand, sampleCriteria));
      }),
    );
  });
});
