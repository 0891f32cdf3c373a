import assert from 'node:assert/strict';
import type { Measure } from '../../src/analytics/count.ts';
import { type Count, startOfHour } from '../../src/analytics/count.ts';
import { NO_ACTIVITY, type PlainActivity } from './plain-activity.ts';

/**
 * Single events that a client has counted, as lists of what happened: what the pages of the console say is held against plain counts over
 * these. An event is known to the hour, and a lead time to its bucket, which is all that pages tell.
 */
export function livedActivity(events: readonly Count[], sessions: PlainActivity['sessions']): PlainActivity {
  const of = (measure: Measure) =>
    events
      .filter((one) => one.measure === measure)
      .map(({ hour, ...one }) => ({ ...one, at: startOfHour(hour) }));
  const [lengths, leads] = [of('lengths'), of('lead_times')];
  const stays = of('parties').map(({ at, brand, place, facet }, number) => {
    const [length, lead] = [lengths[number], leads[number]];
    assert.ok(length && lead);
    const leadDays = lead.facet === 'more' ? 1000 : Number(lead.facet);
    const { assistant } = lead;
    return { at, brand, place, assistant, guests: Number(facet), nights: Number(length.facet), leadDays };
  });
  return {
    ...NO_ACTIVITY,
    sessions,
    stays,
    wishes: of('wishes').map(({ at, brand, assistant, place, facet: month, reason }) => ({
      at,
      brand,
      assistant,
      place,
      month,
      reason,
    })),
    missing: of('missing_places').map(({ at, brand, facet: name }) => ({ at, brand, name })),
    amenities: of('amenities').map(({ at, brand, place, facet: amenity }) => ({ at, brand, place, amenity })),
    searches: of('searches').map(({ at, brand, assistant, place, reason: end, sum: milliseconds }) => ({
      at,
      brand,
      assistant,
      place,
      end,
      milliseconds,
    })),
    shown: of('options').map(({ at, brand, assistant, place, facet }) => ({
      at,
      brand,
      assistant,
      place,
      isFirst: facet === 'first',
    })),
    requests: of('requests').map(({ at, assistant, facet: door, reason: answer, sum: milliseconds }) => ({
      at,
      assistant,
      door,
      answer,
      milliseconds,
    })),
    prices: of('prices').map(({ at, brand, reason: answer }) => ({ at, brand, answer })),
    calls: of('price_calls').map(({ at, brand, sum: milliseconds }) => ({ at, brand, milliseconds })),
    refusedOffers: of('refused_offers').map(({ at, brand, reason }) => ({ at, brand, reason })),
    drifts: of('drifts').map(({ at, brand, sum: permille }) => ({ at, brand, permille })),
    readings: of('readings').map(({ at, brand, reason: end, sum: milliseconds }) => ({
      at,
      brand,
      end,
      milliseconds,
    })),
    shed: of('shed').map(({ at, reason: kind }) => ({ at, kind })),
  };
}
