import type { Clock } from '../../src/clock.ts';
import { BRANDS } from '../brands.ts';
import { type Seeded, seededBy } from '../seeded.ts';
import { demandOf, type TravellerDemand } from './demand.ts';
import { addOne, createTally, type Tally } from './tally.ts';
import { readSearchAnswer, type SearchAnswer, type TrafficClient, textAt } from './traffic-client.ts';

const MS_PER_DAY = 86_400_000;

/** Plays the sessions in the order of their numbers, `atOnce` in parallel. The demand depends only on the seed and the day. */
export async function playTraffic({
  client,
  sessions,
  seed,
  atOnce,
  clock,
  onPlayed = () => undefined,
}: {
  readonly client: TrafficClient;
  readonly sessions: number;
  readonly seed: string;
  readonly atOnce: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly onPlayed?: (tally: Tally) => void;
}): Promise<Tally> {
  const tally = createTally();
  const today = Math.floor(clock.now() / MS_PER_DAY);
  let next = 0;
  async function playSome(): Promise<void> {
    while (next < sessions) {
      const number = next;
      next += 1;
      const seeded = seededBy(`${seed} session ${number}`);
      await playSession(demandOf(seed, number, today), { client, seeded, tally });
      onPlayed(tally);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, playSome));
  return tally;
}

const MAX_CORRECTIONS = 4;
/** The chance to look at the next option: the cheapest ones are looked at most. */
const LOOKS_FURTHER = 0.45;

/** Plays one session as its assistant would, and counts its outcome. */
export async function playSession(
  demand: TravellerDemand,
  {
    client,
    seeded,
    tally,
  }: { readonly client: TrafficClient; readonly seeded: Seeded; readonly tally: Tally },
): Promise<void> {
  const { behaviour, entry } = demand;
  const counts = tally.of(behaviour.assistant.id);
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

  /** The first result; undefined when the traveller left before it. */
  async function reachResult(): Promise<SearchAnswer | undefined> {
    let answer: SearchAnswer | undefined;
    let isFirst = true;
    for (const fields of behaviour.requests) {
      const left = fields.some((field) => seeded.chance(behaviour.leavesAt[field]));
      if (left) return undefined;
      const values: Record<string, unknown> = {};
      if (isFirst && entry !== null) values.brand_locked = entry.isLocked;
      for (const field of fields)
        if (field !== 'destination' || !hasOneLocation()) values[field] = demand.values[field];
      isFirst = false;
      if (Object.keys(values).length === 0) continue;
      answer = await ask(values);
      for (let again = 0; again < behaviour.repeats; again += 1) answer = (await ask(values)) ?? answer;
      answer = await correct(answer);
      if (!answer || answer.isResult) return answer;
    }
    return answer?.isResult ? answer : undefined;
  }

  /** Sends suggested values until they are accepted or the traveller gives up. */
  async function correct(first: SearchAnswer | undefined): Promise<SearchAnswer | undefined> {
    let answer = first;
    for (let turn = 0; answer?.invalidField && !answer.isResult; turn += 1) {
      const { invalidField, suggestions } = answer;
      const isTaken =
        suggestions.length > 0 && turn < MAX_CORRECTIONS && seeded.chance(behaviour.takesSuggestions);
      if (!isTaken) return undefined;
      answer = await ask({ [invalidField]: seeded.pick(suggestions.slice(0, 3)) });
    }
    return answer;
  }

  async function useResult(first: SearchAnswer): Promise<void> {
    let shown = first;
    if (seeded.chance(behaviour.refines)) {
      const wanted = demand.amenities.find((amenity) => shown.amenities.includes(amenity));
      const narrowed = wanted === undefined ? undefined : await ask({ amenities: wanted });
      if (narrowed?.isResult) shown = narrowed;
    }
    if (seeded.chance(behaviour.changesItsMind)) {
      const other = await ask({
        guests: String(Math.max(1, Number(demand.values.guests) + seeded.pick([-1, 1]))),
      });
      if (other?.isResult) shown = other;
    }
    await followLink(shown);
  }

  async function followLink({ options }: SearchAnswer): Promise<void> {
    if (!seeded.chance(behaviour.followsALink)) return;
    let rank = 0;
    while (rank < options.length - 1 && seeded.chance(LOOKS_FURTHER)) rank += 1;
    const option = options[rank];
    const isBooked = seeded.chance(behaviour.booksWhatItFollows);
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
      // As in the console: a session stays at the prices when operators refused every home.
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
      const isUnderstood = demand.city !== null && answer.suggestions.includes(demand.city);
      if (isPlace && !isUnderstood && typeof values.destination === 'string')
        missingPlaces.add(values.destination);
    }
    return answer;
  }

  /** Undefined when the request was refused to an assistant that does not wait or is not admitted. */
  async function send(method: 'GET' | 'POST', path: string, values?: unknown): Promise<unknown> {
    const waits = behaviour.repeats === 0;
    const { body, requests, limited, isDenied } = await client.call({
      assistant: behaviour.assistant,
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

type StayOutcome = 'looked_at' | 'booked' | 'cancelled';

const GUEST = { name: 'Demo Traveller', email: 'traveller@example.com' };

/** Follows a link to the website of its operator and books there with the form of the page, as a person would. */
async function bookStay(
  link: string,
  {
    isBooked,
    isCancelled,
    client,
  }: { readonly isBooked: boolean; readonly isCancelled: boolean; readonly client: TrafficClient },
): Promise<StayOutcome> {
  const page = await client.visit(link);
  const form = /<form action="([^"]+)" method="post" data-testid="booking-form"[\s\S]*?<\/form>/.exec(
    page.text,
  );
  if (!isBooked || !form) return 'looked_at';
  const hidden = form[0].matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  const fields = Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, value]));
  const confirmation = await client.visit(new URL(form[1] ?? '', link).href, { ...fields, ...GUEST });
  if (!confirmation.text.includes('data-testid="confirmation"')) return 'looked_at';
  if (!isCancelled) return 'booked';
  const cancelled = await client.visit(`${confirmation.url}/cancel`, {});
  return cancelled.text.includes('Your stay is cancelled') ? 'cancelled' : 'booked';
}
