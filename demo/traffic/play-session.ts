import { BRANDS } from '../brands.ts';
import type { Seeded } from '../seeded.ts';
import { readSearchAnswer, type SearchAnswer, textAt } from './answers.ts';
import { bookStay } from './book-stay.ts';
import type { Wish } from './demand.ts';
import { addOne, type Tally } from './tally.ts';
import type { TrafficClient } from './traffic-client.ts';

const MAX_CORRECTIONS = 4;
/** The cheapest options are looked at most. */
const LOOKS_FURTHER = 0.45;

/** Plays one session as its assistant would, and counts what came of it. */
export async function playSession(
  wish: Wish,
  {
    client,
    seeded,
    tally,
  }: { readonly client: TrafficClient; readonly seeded: Seeded; readonly tally: Tally },
): Promise<void> {
  const { manner, entry } = wish;
  const counts = tally.of(manner.assistant.id);
  const opened = await send('GET', `/ai/v1/auth${entry === null ? '' : `?source=${entry.source}`}`);
  const session = textAt(opened, 'session');
  if (session === null) {
    counts.refusedOpenings += 1;
    return;
  }
  counts.sessions += 1;

  let standing = entry === null ? 'destination' : 'brand_locked';
  let hasHadPrices = false;
  const missingPlaces = new Set<string>();
  const result = await reachResult();
  if (result) await useResult(result);
  for (const name of missingPlaces) addOne(tally.missingPlaces, name);
  if (hasHadPrices) counts.completed += 1;
  else addOne(counts.stopped, standing);

  /** The first result; undefined when the traveller has left before it. */
  async function reachResult(): Promise<SearchAnswer | undefined> {
    let answer: SearchAnswer | undefined;
    let isFirst = true;
    for (const fields of manner.requests) {
      const left = fields.some((field) => seeded.chance(manner.leavesAt[field]));
      if (left) return undefined;
      const values: Record<string, unknown> = {};
      if (isFirst && entry !== null) values.brand_locked = entry.isLocked;
      for (const field of fields)
        if (field !== 'destination' || !hasOneLocation()) values[field] = wish.values[field];
      isFirst = false;
      if (Object.keys(values).length === 0) continue;
      answer = await ask(values);
      for (let again = 0; again < manner.repeats; again += 1) answer = (await ask(values)) ?? answer;
      answer = await correct(answer);
      if (!answer || answer.isResult) return answer;
    }
    return answer?.isResult ? answer : undefined;
  }

  /** Takes what is suggested, as long as the traveller goes along. */
  async function correct(first: SearchAnswer | undefined): Promise<SearchAnswer | undefined> {
    let answer = first;
    for (let turn = 0; answer?.invalidField && !answer.isResult; turn += 1) {
      const { invalidField, suggestions } = answer;
      const isTaken =
        suggestions.length > 0 && turn < MAX_CORRECTIONS && seeded.chance(manner.takesSuggestions);
      if (!isTaken) return undefined;
      answer = await ask({ [invalidField]: seeded.pick(suggestions.slice(0, 3)) });
    }
    return answer;
  }

  async function useResult(first: SearchAnswer): Promise<void> {
    let shown = first;
    if (seeded.chance(manner.refines)) {
      const wanted = wish.amenities.find((amenity) => shown.amenities.includes(amenity));
      const narrowed = wanted === undefined ? undefined : await ask({ amenities: wanted });
      if (narrowed?.isResult) shown = narrowed;
    }
    if (seeded.chance(manner.changesItsMind)) {
      const other = await ask({
        guests: String(Math.max(1, Number(wish.values.guests) + seeded.pick([-1, 1]))),
      });
      if (other?.isResult) shown = other;
    }
    await followLink(shown);
  }

  async function followLink({ options }: SearchAnswer): Promise<void> {
    if (!seeded.chance(manner.followsALink)) return;
    let rank = 0;
    while (rank < options.length - 1 && seeded.chance(LOOKS_FURTHER)) rank += 1;
    const option = options[rank];
    const isBooked = seeded.chance(manner.booksWhatItFollows);
    const isCancelled = seeded.chance(0.08);
    if (!option) return;
    counts.linksFollowed += 1;
    const outcome = await bookStay(option.url, { isBooked, isCancelled, client });
    if (outcome !== 'looked_at') counts.bookings += 1;
    if (outcome === 'cancelled') counts.cancelled += 1;
  }

  async function ask(values: Readonly<Record<string, unknown>>): Promise<SearchAnswer | undefined> {
    const body = await send('POST', `/ai/v1/search?session=${session}&view=compact`, values);
    if (body === undefined) return undefined;
    const answer = readSearchAnswer(body);
    if (answer.isResult) {
      counts.results += 1;
      // As the console says it: one in which operators refused every home leaves the session at the prices.
      hasHadPrices ||= answer.options.length > 0;
      standing = 'prices';
    } else if (answer.error === 'incomplete_payload' || answer.invalidField !== null) {
      standing = answer.missingFields[0] ?? 'prices';
    } else if (answer.error === 'upstream_unavailable') {
      standing = 'prices';
    }
    if (answer.invalidField !== null) {
      addOne(counts.refusals, `${answer.invalidField}:${answer.reason ?? answer.error}`);
      const isPlace = answer.invalidField === 'destination' && answer.reason === 'not_on_network';
      const isUnderstood = wish.city !== null && answer.suggestions.includes(wish.city);
      if (isPlace && !isUnderstood && typeof values.destination === 'string')
        missingPlaces.add(values.destination);
    }
    return answer;
  }

  /** Undefined when it was refused: to an assistant that does not wait, or that is not let in. */
  async function send(method: 'GET' | 'POST', path: string, values?: unknown): Promise<unknown> {
    const waits = manner.repeats === 0;
    const { body, requests, limited, isDenied } = await client.call({
      assistant: manner.assistant,
      method,
      path,
      values,
      waits,
    });
    counts.requests += requests;
    counts.limited += limited;
    if (isDenied) counts.denied += 1;
    return body;
  }

  function hasOneLocation(): boolean {
    return BRANDS.some(
      ({ source, singleLocation }) => source === entry?.source && entry.isLocked && singleLocation,
    );
  }
}
