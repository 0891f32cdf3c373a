import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BRANDS } from '../brands.ts';
import { propertiesOf } from '../properties.ts';
import { drawPicture } from './draw-picture.ts';

// Every third home is enough to meet every city, kind and hour.
const pictures = BRANDS.flatMap(propertiesOf)
  .filter((_, index) => index % 3 === 0)
  .flatMap((property) =>
    property.pictures.map((type) => ({ property, type, drawn: drawPicture(property, type) })),
  );

test('every picture of a listing is drawn, without a hole in it', () => {
  for (const { property, type, drawn } of pictures) {
    const name = `${property.reference} ${type}`;
    assert.ok(drawn, name);
    assert.match(drawn, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.doesNotMatch(drawn, /NaN|undefined|Infinity|null/, name);
    assert.ok(drawn.length < 150_000, `${name} has ${drawn.length} characters`);
  }
});

test('pictures are well-formed and stand alone', () => {
  for (const { drawn = '' } of pictures) {
    const open: string[] = [];
    for (const [, closing, name = '', rest = ''] of drawn.matchAll(/<(\/?)([a-zA-Z]+)([^<>]*)>/g)) {
      if (closing) assert.equal(open.pop(), name);
      else if (!rest.endsWith('/')) open.push(name);
    }
    assert.deepEqual(open, []);
    for (const [, id = ''] of drawn.matchAll(/url\(#([^)]+)\)/g)) assert.ok(drawn.includes(`id="${id}"`), id);
    assert.doesNotMatch(drawn, /<script|href|https?:(?!\/\/www\.w3\.org\/2000\/svg)/);
  }
});

test('a picture is the same each time, and no two homes look the same', () => {
  const fronts = pictures.filter(({ type }) => type === 'exterior');
  for (const { property, drawn } of fronts.slice(0, 20))
    assert.equal(drawPicture(property, 'exterior'), drawn);
  assert.equal(new Set(fronts.map(({ drawn }) => drawn)).size, fronts.length);
});

test('a picture that the home does not have is not made up', () => {
  const [home] = BRANDS.flatMap(propertiesOf);
  assert.ok(home);
  assert.equal(drawPicture(home, 'amenity'), undefined);
  assert.equal(drawPicture(home, 'constructor'), undefined);
});
