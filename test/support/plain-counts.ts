import assert from 'node:assert/strict';
import type { Count } from '../../src/analytics/count.ts';
import { livedActivity } from './lived-activity.ts';
import { totalsOf } from './plain-activity-store.ts';
import type { TestAnswer } from './test-service.ts';

/** What the names that tests use stand for. */
export const PLACE_OF: Readonly<Record<string, string>> = {
  'lisbon-pt': 'lisbon-pt',
  Lisboa: '',
  Libson: '',
  Lisbon: 'lisbon-pt',
  Porto: 'porto-pt',
  'evora-pt': 'evora-pt',
  'Évora, Portugal': 'evora-pt',
  portugal: 'portugal',
};
/** More than an assistant may bring in a day. */
export const INVENTED_NAMES = Array.from(
  { length: 240 },
  (_, number) => `Zz${'abcdefghijklmno'[number % 15]}${'pqrstuvwxyzabcde'[Math.floor(number / 15)]}`,
);
const NAMES_A_DAY = 200;
const FOLDED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(INVENTED_NAMES.map((name) => [name, name.toLowerCase()])),
  Atlantis: 'atlantis',
  Lisboa: 'lisboa',
  Libson: 'libson',
  'São  Tomé 7!': 'sao tome',
};
/** What a slip was meant to be. Where it is suggested, nothing is missing. */
const MISSPELT: Readonly<Record<string, string>> = { Libson: 'lisbon-pt' };
const ORDER = ['brand_locked', 'destination', 'check_in_month', 'check_in_day', 'check_out', 'guests'];
const UNMET = [
  'nothing_free',
  'not_on_offer',
  'minimum_stay',
  'maximum_stay',
  'closed_to_arrival',
  'closed_to_departure',
  'lead_time',
  'beyond_horizon',
  'party_too_large',
  'conflicts_with',
];
/** What is said of paused homes, whether they are those of a place or of a search. */
const IS_PAUSED = /homes (there|of this search) are not on offer here at present/i;
const NO_LABELS = { brand: '', assistant: '', place: '', facet: '', reason: '', count: 1, sum: 0 };

type Verdict =
  | { readonly kind: 'none' }
  | { readonly kind: 'unavailable'; readonly reason: string }
  | { readonly kind: 'quoted'; readonly drift: number };

type Fault = {
  readonly field?: string;
  readonly error: string;
  readonly reason?: { readonly code: string };
  readonly suggestions?: readonly string[];
};
type Exchange = {
  readonly assistant: string;
  readonly answer: TestAnswer;
  readonly startedAt: number;
  readonly now: number;
};

type KnownSession = {
  readonly entry: string;
  readonly assistant: string;
  readonly openedAt: number;
  readonly onlyPlace: string | null;
  received: Record<string, unknown>;
  stage: string;
  refusal: string;
  filters: readonly string[];
  hasHadPrices: boolean;
  millisecondsToResult: number | null;
  readonly counted: Set<string>;
};

/** Counts from requests and answers alone what the service should have counted; it keeps no sums, only a list of single events. */
export function createPlainCounts({
  isSingle,
  timeZones,
}: {
  readonly isSingle: Readonly<Record<string, string>>;
  /** Of places, as the network has them: days before an arrival are those of its calendar. */
  readonly timeZones: Readonly<Record<string, string>>;
}) {
  const events: Count[] = [];
  const sessions = new Map<string, KnownSession>();
  /** Names of missing places, each once for a day, an assistant and an entry. */
  const namesHeard: { day: number; assistant: string; entry: string; name: string; now: number }[] = [];
  /** What operators said since the last answer. */
  let prices: { readonly brand: string; readonly verdict: Verdict }[] = [];

  function add(measure: Count['measure'], at: number, labels: Partial<Count>): void {
    events.push({ ...NO_LABELS, measure, hour: Math.floor(at / 3_600_000), ...labels });
  }

  function requested(operation: string, { assistant, answer, startedAt, now }: Exchange): void {
    const reason = answer.body.error ?? '';
    add('requests', now, { assistant, facet: operation, reason, sum: now - startedAt });
  }

  function stand(session: KnownSession, by: number): void {
    const { entry, assistant, stage, refusal, openedAt } = session;
    add('standings', openedAt, { brand: entry, assistant, facet: stage, reason: refusal, count: by });
  }

  function askedPrices({ startedAt, now }: Exchange): boolean {
    for (const brand of new Set(prices.map((one) => one.brand))) {
      const sum = now - startedAt;
      add('price_calls', now, { brand, facet: secondsBucket(sum), sum });
    }
    for (const { brand, verdict } of prices) {
      const reason = { none: 'garbled', unavailable: 'unavailable', quoted: 'quoted' }[verdict.kind];
      add('prices', now, { brand, reason });
      if (verdict.kind === 'unavailable') add('refused_offers', now, { brand, reason: verdict.reason });
      if (verdict.kind === 'quoted') {
        const facet = { '-40': '-10', '0': '10', '150': '200' }[String(verdict.drift)] ?? 'unknown';
        add('drifts', now, { brand, facet, sum: verdict.drift });
      }
    }
    const wereAsked = prices.length > 0;
    prices = [];
    return wereAsked;
  }

  function sent(
    exchange: Exchange & { readonly token: string; readonly sent: Record<string, unknown> },
  ): void {
    const { token, answer, now, sent: values } = exchange;
    const { body } = answer;
    const session = sessions.get(token);
    assert.ok(session);
    requested('search', exchange);
    const wereAsked = askedPrices(exchange);
    const isReading = Object.keys(values).length === 0;
    const { assistant, entry } = session;
    if (assistant === 'pauper' && body.error === 'overloaded') {
      const place = session.onlyPlace ?? placeSent(values) ?? String(session.received.destination ?? '');
      add('searches', now, { brand: entry, assistant, place, reason: 'too_many_searches' });
      return;
    }
    const isResult = body.object === 'search_result';
    // Every other answer says what has become of the search, or is about something else, such as the end of the session.
    // One to a key of another request carries nothing out, and leaves out of `received` what fits no home just now.
    const isOfSearch = isResult || (body.received !== undefined && body.error !== 'idempotency_key_reused');
    if (!isOfSearch || answer.headers['idempotent-replayed'] || (isReading && !wereAsked)) return;
    // What stands already is answered with the stored result.
    if (isResult && !wereAsked) return;
    // Nothing is decided then, so what else is wrong is only told.
    const isPaused = body.error === 'nothing_on_offer' && IS_PAUSED.test(body.message);
    const faults = isPaused ? [] : faultsOf(body);
    const isJustRefused = String(body.message).includes('The operators refused what matched');
    const before = session.received;
    const received = isResult ? receivedIn(body.query) : withoutSource(body.received);
    const isEmpty = isResult && body.results.length === 0;
    const isSilent = wereAsked && body.error === 'upstream_unavailable';
    const bySearch = isSilent ? 'operators_silent' : isEmpty ? 'refused_by_operators' : undefined;
    const whole = isPaused ? 'not_on_offer' : bySearch;
    move(session, { received, isCompleting: isResult && !isEmpty, whole, faults });
    if (isPaused) paused(session, { values, now });
    else unmet(session, { values, faults: isJustRefused ? faults.slice(1) : faults, now });
    if (wereAsked || isJustRefused) {
      const stay = isJustRefused ? { ...before, ...implied(values), ...received } : received;
      search(session, { stay, body, isJustRefused, exchange });
    }
    filter(session, { body, received, now });
  }

  function move(
    session: KnownSession,
    {
      received,
      isCompleting,
      whole,
      faults,
    }: {
      received: Record<string, unknown>;
      isCompleting: boolean;
      /** Why operators were asked in vain, or not at all. */
      whole: string | undefined;
      faults: readonly Fault[];
    },
  ): void {
    const asked = ORDER.filter(
      (field) =>
        !(field === 'brand_locked' && session.entry === '') &&
        !(field === 'destination' && session.onlyPlace !== null),
    );
    const isCompleted = isCompleting || session.stage === 'completed';
    const stage = isCompleted
      ? 'completed'
      : (asked.find((field) => received[field] === undefined) ?? 'prices');
    const [fault] = faults;
    const said = fault && (fault.reason ? `${fault.field}:${fault.reason.code}` : fault.error);
    const label = whole ?? said;
    const kept = stage === session.stage ? session.refusal : '';
    stand(session, -1);
    session.received = received;
    session.stage = stage;
    session.refusal = isCompleted ? '' : (label ?? kept);
    stand(session, 1);
  }

  /** One wish, whatever of the request would have been taken. */
  function paused(
    session: KnownSession,
    { values, now }: { values: Record<string, unknown>; now: number },
  ): void {
    const place = session.onlyPlace ?? (placeSent(values) || session.received.destination || '');
    const month = monthWanted(session, { values, isRefused: () => true, now });
    wish(session, { place: String(place), month, reason: 'not_on_offer', now });
  }

  function unmet(
    session: KnownSession,
    { values, faults, now }: { values: Record<string, unknown>; faults: readonly Fault[]; now: number },
  ): void {
    const isRefused = (name: string) => faults.some(({ field }) => field === name);
    const meant = (isRefused('destination') && placeSent(values)) || '';
    const standing = session.onlyPlace ?? session.received.destination ?? meant;
    const month = monthWanted(session, { values, isRefused, now });
    const meantToBe = MISSPELT[String(values.destination)] ?? '';
    const isMissingPlace = ({ field, reason, suggestions }: Fault) =>
      field === 'destination' && reason?.code === 'not_on_network' && !suggestions?.includes(meantToBe);
    for (const fault of faults) {
      const { field, error, reason } = fault;
      if (error !== 'invalid_value' || field === 'amenities' || !reason) continue;
      if (!isMissingPlace(fault) && !UNMET.includes(reason.code)) continue;
      wish(session, {
        place: String(field === 'destination' ? meant : standing),
        month,
        reason: reason.code,
        now,
      });
    }
    const name = FOLDED[String(values.destination)];
    if (faults.some(isMissingPlace) && name !== undefined) missing(session, name, now);
  }

  function missing(session: KnownSession, name: string, now: number): void {
    const { assistant, entry } = session;
    const day = Math.floor(now / 86_400_000);
    const heard = namesHeard.filter((one) => one.day === day && one.assistant === assistant);
    const before = heard.find((one) => one.entry === entry && one.name === name);
    const facet = before || heard.length < NAMES_A_DAY ? name : '';
    if (!once(session, `missing ${facet}`)) return;
    if (!before && facet !== '') namesHeard.push({ day, assistant, entry, name, now });
    add('missing_places', before?.now ?? now, { brand: entry, facet });
  }

  function wish(
    session: KnownSession,
    { place, month, reason, now }: { place: string; month: string; reason: string; now: number },
  ): void {
    if (!once(session, `wish ${place} ${month} ${reason}`)) return;
    const { entry: brand, assistant } = session;
    add('wishes', now, { brand, assistant, place, facet: month, reason });
  }

  function search(
    session: KnownSession,
    {
      stay,
      body,
      isJustRefused,
      exchange: { startedAt, now },
    }: {
      stay: Record<string, unknown>;
      // biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
      body: any;
      isJustRefused: boolean;
      exchange: Exchange;
    },
  ): void {
    const { entry: brand, assistant } = session;
    const place = String(session.onlyPlace ?? stay.destination);
    const options: readonly { readonly brand: string }[] = body.results ?? [];
    const isSilent = body.error === 'upstream_unavailable';
    const end = isSilent
      ? 'operators_silent'
      : isJustRefused
        ? 'just_refused'
        : options.length > 0
          ? 'compared'
          : 'empty';
    add('searches', now, { brand, assistant, place, reason: end, sum: now - startedAt });
    const found =
      { operators_silent: 'operators_silent', compared: 'found' }[String(end)] ?? 'refused_by_operators';
    wish(session, { place, month: String(stay.check_in_day).slice(0, 7), reason: found, now });
    const { check_in_day, check_out, guests } = stay;
    if (!isJustRefused && once(session, `stay ${place} ${check_in_day} ${check_out} ${guests}`)) {
      const nights = daysOf(check_out) - daysOf(check_in_day);
      add('parties', now, { brand, place, facet: String(guests) });
      add('lengths', now, { brand, place, facet: String(nights) });
      const today = new Intl.DateTimeFormat('en-CA', { timeZone: timeZones[place] }).format(now);
      const facet = daysBucket(daysOf(check_in_day) - daysOf(today));
      add('lead_times', now, { brand, assistant, place, facet });
    }
    if (body.object !== 'search_result') return;
    if (!session.hasHadPrices && options.length > 0) {
      session.hasHadPrices = true;
      const sum = now - session.openedAt;
      session.millisecondsToResult = sum;
      add('times_to_result', session.openedAt, { brand, assistant, facet: secondsBucket(sum), sum });
    }
    for (const [at, option] of options.entries()) {
      const ofBrand = option.brand.replace('Brand ', '');
      add('options', now, { brand: ofBrand, assistant, place, facet: at === 0 ? 'first' : 'other' });
    }
  }

  function filter(
    session: KnownSession,
    // biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
    { body, received, now }: { body: any; received: Record<string, unknown>; now: number },
  ): void {
    const filters: readonly string[] = body.applied_filters?.amenities ?? body.received?.amenities ?? [];
    for (const amenity of filters.filter((one) => !session.filters.includes(one))) {
      const place = String(session.onlyPlace ?? received.destination ?? '');
      if (once(session, `amenity ${amenity}`))
        add('amenities', now, { brand: session.entry, place, facet: amenity });
    }
    session.filters = filters;
  }

  return {
    read: (brand: string, now: number) => add('readings', now, { brand, reason: 'succeeded' }),
    priced: (brand: string, verdict: Verdict) => void prices.push({ brand, verdict }),
    requested: ({ operation, ...exchange }: Exchange & { readonly operation: string }) =>
      requested(operation, exchange),
    opened({ source, ...exchange }: Exchange & { readonly source: string | null }): void {
      const { answer, assistant, now } = exchange;
      requested('openSession', exchange);
      if (answer.status !== 200 || answer.headers['idempotent-replayed']) return;
      const entry = source ?? '';
      const onlyPlace = isSingle[entry] ?? null;
      const stage = entry === '' ? 'destination' : 'brand_locked';
      const session = { entry, assistant, openedAt: now, onlyPlace, stage };
      add('sessions', now, { brand: entry, assistant });
      const known = {
        ...session,
        received: {},
        refusal: '',
        filters: [],
        counted: new Set<string>(),
        hasHadPrices: false,
        millisecondsToResult: null,
      };
      sessions.set(answer.body.session, known);
      stand(known, 1);
    },
    sent,
    refusedCaller: ({ assistant, cause, now }: { assistant: string; cause: string; now: number }) =>
      add('requests', now, { assistant, facet: 'other', reason: cause }),
    shed: (kind: string, now: number) => add('shed', now, { reason: kind }),
    totals: () => totalsOf(events),
    /** The same one by one, for the figures of pages. */
    lived: () =>
      livedActivity(
        events,
        [...sessions.values()].map(({ entry: brand, stage, refusal, ...session }) => ({
          ...session,
          brand,
          stands: [[stage, refusal] as const],
        })),
      ),
  };
}

/** That of an arrival that was not taken, or else the one that stands. */
function monthWanted(
  { received }: KnownSession,
  {
    values,
    isRefused,
    now,
  }: { values: Record<string, unknown>; isRefused: (name: string) => boolean; now: number },
): string {
  const arrival = ['check_in_day', 'check_in_month'].find(
    (name) => isRefused(name) && /^\d{4}-\d\d/.test(String(values[name])),
  );
  const wanted = String(arrival ? values[arrival] : (received.check_in_month ?? '')).slice(0, 7);
  const monthsAhead = (daysOf(`${wanted}-01`) - now / 86_400_000) / 30.44;
  return arrival && !(monthsAhead > -1 && monthsAhead < 36.5) ? '' : wanted;
}

function once({ counted }: KnownSession, what: string): boolean {
  // No session is counted for more than this.
  if (counted.has(what) || counted.size >= 32) return false;
  counted.add(what);
  return true;
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
function faultsOf(body: any): readonly Fault[] {
  if (body.refusals) return body.refusals;
  if (!body.refused_fields && body.error !== 'unknown_field') return [];
  const others = body.other_refusals ?? [];
  // What failed for another reason has all that was refused along with it here.
  if (body.error === 'upstream_unavailable') return others;
  const { invalid_field: field, error, reason, suggestions } = body;
  return [{ field, error, reason, suggestions }, ...others];
}

const placeSent = ({ destination }: Record<string, unknown>) => PLACE_OF[String(destination)];

function implied({ check_in_day, ...values }: Record<string, unknown>): Record<string, unknown> {
  const days = check_in_day === undefined ? {} : { check_in_day };
  const place = placeSent(values);
  return { ...values, ...days, ...(place ? { destination: place } : {}) };
}

function receivedIn(query: Record<string, unknown>): Record<string, unknown> {
  const { check_in, check_out, guests, destination, brand_locked } = query;
  const month = String(check_in).slice(0, 7);
  return {
    destination,
    check_in_month: month,
    check_in_day: check_in,
    check_out,
    guests: String(guests),
    ...(brand_locked === undefined ? {} : { brand_locked }),
  };
}

function withoutSource({ source: _, ...received }: Record<string, unknown> = {}): Record<string, unknown> {
  return received;
}

const daysOf = (date: unknown) => Date.parse(String(date)) / 86_400_000;

function secondsBucket(milliseconds: number): string {
  const bounds = ['0.1', '0.25', '0.5', '1', '2', '4', '8', '15', '30', '60', '120', '300', '900'];
  return bounds.find((bound) => milliseconds <= Number(bound) * 1000) ?? 'more';
}

function daysBucket(days: number): string {
  return (
    ['1', '3', '7', '14', '30', '60', '90', '180', '365'].find((bound) => days <= Number(bound)) ?? 'more'
  );
}
