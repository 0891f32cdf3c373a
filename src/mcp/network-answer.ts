import type { NetworkAnswer } from '../contract/tools/stay-answer.ts';
import { hasStep, type InterfaceCalls, isSession } from './interface-calls.ts';
import { offeredFor } from './question-answer.ts';
import { keyFor } from './search-stays.ts';
import { problemOf } from './ways-on.ts';

const MAX_BRANDS = 50;
const MAX_PLACES = 40;

const ABOUT =
  'Short-term rentals with live, final prices from the operators’ own booking systems. Search with search_stays, then give the traveller the url of an option: the booking is made on the operator’s website. Nothing can be booked, held or cancelled here.';

/** The brands, and the places on offer in a new session, which can be used for the search. */
export async function networkAnswer(
  source: string | null,
  calls: InterfaceCalls,
  key: string | null,
): Promise<NetworkAnswer> {
  const opened = await calls.open(source, keyFor(key, 'open'));
  if (!isSession(opened)) return { outcome: 'problem', session: null, problem: problemOf(opened) };
  const { session } = opened;
  const [{ name, sources }, step] = await Promise.all([calls.network(), calls.search(session, {}, null)]);
  const places = hasStep(step) ? offeredFor('destination', step) : [];
  const placesInAll = hasStep(step) ? step.allowed_values_truncated?.destination?.total : undefined;
  // The brands are told all the same, and the session can be used once homes are on offer.
  const isNothingOnOffer = 'error' in step && step.error === 'nothing_on_offer';
  return {
    outcome: 'network',
    session,
    name,
    about: ABOUT,
    brands: sources.slice(0, MAX_BRANDS).map((brand) => ({ ...brand })),
    brands_in_all: sources.length,
    places: places
      .slice(0, MAX_PLACES)
      .map(({ value, means }) => ({ destination: String(value), name: means ?? String(value) })),
    places_in_all: placesInAll ?? places.length,
    ...(isNothingOnOffer ? { problem: problemOf(step) } : {}),
  };
}
