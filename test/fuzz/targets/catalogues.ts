import assert from 'node:assert/strict';
import { plainContext, plainListing } from '../../support/plain-listing.ts';
import type { FuzzTarget, Timed } from '../fuzz-target.ts';
import type { InputRandom } from '../input-random.ts';
import { mutatedJson } from '../mutate-json.ts';
import { parsedOrUndefined } from '../parsed-or-undefined.ts';
import { listingFrom } from '../readers.ts';
import { spelledJson } from '../spell-json.ts';

/** Control, invisible and direction characters, which no text for a model may hold. */
const HIDDEN = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;
const MAX_LENGTHS = { name: 120, location: 120, summary: 300 } as const;
const MAX_REASON_LENGTH = 400;

/** Listings as operators publish them. */
export const catalogues: FuzzTarget = {
  name: 'catalogues',
  weight: 12,
  maxCpuMs: 25,
  inputsPerOpening: 100_000,
  open: async () => ({ run: readOne, close: async () => undefined }),
};

function readOne(random: InputRandom, timed: Timed): void {
  const value = parsedOrUndefined(spelledJson(mutatedJson(plainListing, random), random));
  const { property, rejections } = timed(() => listingFrom(value));
  for (const { reference, field, reason, value = '' } of rejections) {
    assert.match(value, /^[^\p{C}]{0,80}$/u, 'a value can be printed');
    assert.ok(`${reference}${field}${reason}`.length < MAX_REASON_LENGTH, 'a report is short');
  }
  assert.ok(property || rejections.length > 0, 'what is held back has a reason');
  if (!property) return;
  for (const [member, length] of Object.entries(MAX_LENGTHS)) {
    const text = String(Reflect.get(property, member));
    assert.ok([...text].length <= length, `${member} is at most ${length} long`);
    assert.doesNotMatch(text, HIDDEN);
  }
  assert.ok(property.name.length > 0);
  assert.match(property.id, /^casas:[A-Za-z0-9._-]{1,64}$/);
  assert.ok(Number.isInteger(property.maxGuests) && property.maxGuests >= 1 && property.maxGuests <= 100);
  assert.ok(Number.isFinite(property.rating.score) && property.rating.score <= property.rating.scale);
  for (const address of [property.url, ...property.images.map(({ url }) => url)]) {
    assert.ok(plainContext.hosts.includes(new URL(address).host), `${address} is on a host of the brand`);
  }
  for (const [key, label] of Object.entries(property.amenities ?? {})) {
    assert.match(key, /^[a-z0-9_-]{1,64}$/);
    assert.doesNotMatch(label, HIDDEN);
  }
}
