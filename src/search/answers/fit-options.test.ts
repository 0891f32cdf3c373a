import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sampleCriteria, sampleOption } from '../../../test/support/sample-comparison.ts';
import type { Image, Property } from '../../catalogue/catalogue.ts';
import { ruleAgainstText } from '../../catalogue/text/text-for-a-model.ts';
import type { Option } from '../../contract/option.ts';
import { fitOption, fitOptions } from './fit-options.ts';
import { createOptionWriter } from './option-answer.ts';

const MAX_BYTES = 6144;
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

function optionWith(property: Partial<Property>, labels: readonly string[] = []): Option {
  const lines = labels.map((label) => ({ label, amount: 100 }));
  const quote = { lines, linesAvailable: lines.length > 0 };
  return createOptionWriter(sampleCriteria, 'EUR')(sampleOption({ property, quote }), 1).option;
}

function fitAll(options: readonly Option[], narrowedBy?: readonly string[]): Option[] {
  const written = options.map((option) => ({ option, text: JSON.stringify(option) }));
  return fitOptions(written, narrowedBy).map(({ option, text }) => {
    assert.equal(text, JSON.stringify(option));
    return option;
  });
}

function images(count: number, alt: string): [Image, ...Image[]] {
  const image = (number: number): Image => ({
    url: `https://casas.example/${'p'.repeat(100)}/${number}.jpg`,
    alt,
    type: 'other',
  });
  return [image(0), ...Array.from({ length: count - 1 }, (_, index) => image(index + 1))];
}

const amenities = (count: number, label: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`amenity_${number}`, label]));

const policy = (summary: string): Property['cancellation'] => ({ summary, free: null });

describe('an option within its bytes', () => {});

describe('an option beyond its bytes', () => {
  it('loses pictures from the end first, and says so', () => {
    const option = optionWith({
      images: images(40, 'A room with a view'),
      amenities: amenities(20, 'Label'),
    });
    const fitted = fitOption(option, MAX_BYTES);
    const { length } = fitted.images.gallery;
    assert.ok(length > 5 && length < 39, String(length));
    assert.deepEqual(fitted, {
      ...option,
      images: { ...option.images, gallery: option.images.gallery.slice(0, length) },
      truncated_fields: ['images.gallery'],
    });
    assert.ok(bytesOf(fitted) <= MAX_BYTES);
    assert.ok(bytesOf(fitted) > MAX_BYTES - 500, 'no more goes than must');
  });

  it('keeps a breakdown whole, or drops it and says that there is one', () => {
    const labels = Array.from({ length: 20 }, (_, number) => `${'泊'.repeat(40)}${number}`);
    const long = optionWith({ cancellation: policy('取'.repeat(1500)) }, labels);
    const fitted = fitOption(long, MAX_BYTES);
    assert.deepEqual([fitted.quote.line_items, fitted.quote.line_items_available], [[], true]);
    assert.ok(fitted.truncated_fields?.includes('quote.line_items'));
    assert.equal(fitted.quote.amount, long.quote.amount);
  });

  it('ends a policy that is cut in an ellipsis, between graphemes', () => {
    const fitted = fitOption(optionWith({ cancellation: policy('👨‍👩‍👧'.repeat(400)) }), MAX_BYTES);
    assert.match(fitted.cancellation.summary, /^(?:👨‍👩‍👧)+…$/u);
    assert.deepEqual(fitted.truncated_fields, ['cancellation.summary']);
    assert.ok(bytesOf(fitted) <= MAX_BYTES);
  });

  it('leaves no address and no number at the end of a policy that the whole did not have', () => {
    for (const words of [
      'villas.comfort',
      'villas.comｆort',
      'villas.comра',
      '912345678９９',
      '912 345 678 9é',
    ]) {
      for (let padding = 0; padding < 20; padding += 1) {
        const summary = `${'x'.repeat(padding)} ${`Stay at ${words} again, `.repeat(60)}`;
        const long = optionWith({ images: images(10, 'A room'.repeat(40)), cancellation: policy(summary) });
        const { cancellation } = fitOption(long, 2_000);
        assert.ok(cancellation.summary.endsWith('…'));
        assert.equal(
          ruleAgainstText(cancellation.summary.slice(0, -1).slice(-60)),
          undefined,
          cancellation.summary,
        );
      }
    }
  });

  it('keeps the amenities that the set is narrowed by, and loses others instead', () => {
    const many = amenities(100, 'A label of some length, as operators write them');
    const option = optionWith({ amenities: many, cancellation: policy('取'.repeat(1900)) });
    const plain = fitOption(option, MAX_BYTES);
    assert.ok(!('amenity_97' in (plain.amenities ?? {})), 'it is among those that are cut');
    const narrowed = fitOption(option, MAX_BYTES, ['amenity_97', 'amenity_99']);
    const shown = Object.keys(narrowed.amenities ?? {});
    assert.deepEqual(shown.slice(-2), ['amenity_97', 'amenity_99'], 'in their order');
    assert.equal(shown[0], 'amenity_0');
    assert.ok(bytesOf(narrowed) <= MAX_BYTES);
    assert.ok(narrowed.truncated_fields?.includes('amenities'));
    const [fitted] = fitAll([option], ['amenity_97']);
    assert.ok('amenity_97' in (fitted?.amenities ?? {}));
    const crowd = fitAll(Array(30).fill(option), ['amenity_97']);
    assert.ok(crowd.every((one) => 'amenity_97' in (one.amenities ?? {})));
  });

  it('fits whatever an operator publishes within the limits of a listing', () => {
    const letter = fc.constantFrom('a', 'é', '家', '😀', '"', '\\');
    const text = (max: number) =>
      fc.tuple(letter, fc.integer({ min: 1, max })).map(([one, length]) => one.repeat(length));
    const published = fc.record({
      name: text(120),
      location: text(120),
      summary: text(300),
      cancellation: text(2000).map(policy),
      amenities: fc
        .tuple(fc.integer({ min: 0, max: 100 }), text(80))
        .map(([count, label]) => amenities(count, label)),
      images: fc.tuple(fc.integer({ min: 1, max: 40 }), text(200)).map(([count, alt]) => images(count, alt)),
    });
    const labels = fc
      .tuple(fc.integer({ min: 0, max: 20 }), text(50))
      .map(([count, label]) => Array(count).fill(label));
    fc.assert(
      fc.property(published, labels, (property, lines) => {
        const option = optionWith(property, lines);
        const [fitted = option] = fitAll([option]);
        assert.ok(bytesOf(fitted) <= MAX_BYTES, String(bytesOf(fitted)));
        assert.deepEqual(fitted.truncated_fields ?? [], differencesOf(option, fitted));
        assert.equal(fitted.url, option.url);
        assert.equal(fitted.name, option.name);
      }),
    );
  });
});

describe('many options', () => {
  it('share what an envelope may have', () => {
    const option = optionWith({
      images: images(40, 'A room with a view'),
      amenities: amenities(30, 'Label'),
    });
    for (const count of [20, 30, 60]) {
      const fitted = fitAll(Array.from({ length: count }, () => option));
      assert.equal(fitted.length, count);
      assert.ok(bytesOf(fitted) <= 123 * 1024, `${count}: ${bytesOf(fitted)}`);
    }
  });
});

/** The members that the cut may touch, compared one by one. */
function differencesOf(option: Option, fitted: Option): string[] {
  const changed = {
    'images.gallery': option.images.gallery.length !== fitted.images.gallery.length,
    'quote.line_items': option.quote.line_items.length !== fitted.quote.line_items.length,
    amenities: bytesOf(option.amenities) !== bytesOf(fitted.amenities),
    'cancellation.summary': option.cancellation.summary !== fitted.cancellation.summary,
    'capacity.summary': option.capacity.summary !== fitted.capacity.summary,
    'images.primary.alt': option.images.primary.alt !== fitted.images.primary.alt,
  };
  return Object.entries(changed).flatMap(([field, isChanged]) => (isChanged ? [field] : []));
}
