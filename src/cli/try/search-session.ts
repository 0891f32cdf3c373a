import type {
  ComparisonAnswer,
  ComparisonBody,
  RefusalAnswer,
  SearchAnswer,
  SendHttp,
  StayValues,
  StaywireClient,
  StaywireError,
} from '../../client/client.ts';
import type { CliTools } from '../command.ts';
import { optionWords, SystemFault, shellCommand, UsageFault } from '../faults.ts';
import { counted } from '../terminal.ts';
import { amenityLabel, oneLine } from './result-text.ts';

/** The options of `staywire try`. */
export type TryOptions = {
  readonly url?: string;
  readonly source?: string;
  readonly brandLocked?: string;
  readonly destination?: string;
  readonly checkIn?: string;
  readonly checkOut?: string;
  readonly guests?: string;
  readonly amenity?: readonly string[];
  readonly open?: boolean;
  readonly json?: boolean;
};

/** Where `npm start` and `staywire serve` listen by default. */
export const LOCAL_SERVICE = 'http://127.0.0.1:8080';

const OPTION_OF: Readonly<Record<string, string>> = {
  brand_locked: '--brand-locked',
  destination: '--destination',
  check_in_month: '--check-in',
  check_in_day: '--check-in',
  check_out: '--check-out',
  guests: '--guests',
  amenities: '--amenity',
};

export function optionFor(field: string): string {
  return OPTION_OF[field] ?? field;
}

/** The fields that the command line answers, without amenities: these narrow the result later, one by one. */
export function valuesIn({ brandLocked, destination, checkIn, checkOut, guests }: TryOptions): StayValues {
  return {
    // The service refuses any other text.
    ...(brandLocked === undefined ? {} : { brand_locked: brandLocked as 'true' | 'false' }),
    ...(destination === undefined ? {} : { destination }),
    ...(checkIn === undefined ? {} : { [isMonth(checkIn) ? 'check_in_month' : 'check_in_day']: checkIn }),
    ...(checkOut === undefined ? {} : { check_out: checkOut }),
    ...(guests === undefined ? {} : { guests }),
  };
}

/** A month instead of a day: the service then offers its days. */
function isMonth(text: string): boolean {
  return /^\d{4}-\d{1,2}$/.test(text);
}

/** The values of a stay in the query of a result. */
function valuesOf({ query }: Pick<ComparisonBody, 'query'>): StayValues {
  return {
    ...(query.brand_locked === undefined ? {} : { brand_locked: query.brand_locked }),
    destination: query.destination,
    check_in_day: query.check_in,
    check_out: query.check_out,
    guests: query.guests,
  };
}

/** The command line that leads to the same result without a question. */
export function commandFor(
  { query }: Pick<ComparisonBody, 'query'>,
  amenities: readonly string[],
  { url, source }: { readonly url: string; readonly source: string | null },
  /** A session without a destination step refuses the option. */
  hasDestination: boolean,
): string {
  return shellCommand([
    'try',
    ...(url === LOCAL_SERVICE ? [] : optionWords('--url', url)),
    ...(source === null ? [] : optionWords('--source', source)),
    ...(query.brand_locked === undefined ? [] : ['--brand-locked', String(query.brand_locked)]),
    ...(hasDestination ? optionWords('--destination', query.destination) : []),
    ...['--check-in', query.check_in, '--check-out', query.check_out, '--guests', String(query.guests)],
    ...amenities.flatMap((amenity) => optionWords('--amenity', amenity)),
  ]);
}

const LET_IN =
  'its owner lets this machine in by its address: STAYWIRE_TRUSTED_NETWORKS in .env (docs/running.md), and a restart; the demo of npm start lets in every program on its own machine';

/** The fault of a service that cannot be used or cannot continue, with what to do about it. */
export function faultOfService(
  {
    code,
    message,
    retryAfterSeconds,
    body,
  }: Pick<StaywireError, 'code' | 'message' | 'retryAfterSeconds' | 'body'>,
  url: string,
): UsageFault {
  switch (code) {
    case 'network_error':
      return new UsageFault(
        [`Nothing answers at ${url}.`],
        'start the demo with npm start, or your own network with staywire serve; --url names a service elsewhere',
      );
    case 'timeout':
      return new SystemFault([`${url} does not answer in time.`], 'try again in a minute');
    case 'unreadable_answer':
      return new UsageFault([`What answers at ${url} is not Staywire.`], 'name the service with --url');
    case 'unexpected_redirect':
      return new UsageFault([`${url}: ${message}`], 'name the address of the service itself with --url');
    case 'access_denied':
      return new UsageFault([`${url} does not let this machine in.`], LET_IN);
    case 'unknown_source': {
      const sources = body && 'sources' in body ? (body.sources ?? []) : [];
      return new UsageFault(
        ['There is no such source on this network.'],
        sources.length > 0 ? `give --source one of ${sources.join(', ')}` : 'leave --source out',
        null,
        { code, sources },
      );
    }
    default:
      return new SystemFault([message], nextStep(code, retryAfterSeconds), null, {
        code,
        ...(retryAfterSeconds === null ? {} : { retry_after_seconds: retryAfterSeconds }),
      });
  }
}

function nextStep(code: string, retryAfterSeconds: number | null): string | null {
  if (retryAfterSeconds !== null) return `run it again in ${retryAfterSeconds} s`;
  return code === 'unsupported_version' ? 'use a staywire of the same version as the service' : null;
}

export type NetworkBrand = { readonly source: string; readonly name: string };

/** The brands on the entry page of a service; none when the page cannot be read, because a search works without them. */
export async function brandsOfService(
  url: string,
  { sendHttp, signal }: { readonly sendHttp: SendHttp; readonly signal: AbortSignal },
): Promise<readonly NetworkBrand[]> {
  try {
    const answer = await sendHttp(new URL('/', url).href, {
      headers: { accept: 'application/json' },
      signal,
    });
    const page: unknown = await answer.json();
    const sources: unknown = Reflect.get(Object(page), 'sources');
    return Array.isArray(sources) ? sources.flatMap(brandIn) : [];
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

function brandIn(entry: unknown): readonly NetworkBrand[] {
  const { source, name }: { source?: unknown; name?: unknown } = Object(entry);
  return typeof source === 'string' && typeof name === 'string' ? [{ source, name }] : [];
}

/** One search of one person. Opens a new session of the service when the old one has ended, or to ask for a field again. */
export type SearchSession = {
  /** The values of the stay so far. */
  readonly received: StayValues;
  /** Amenities that every home must have: the filters of the set, and those that all of its homes have. */
  readonly amenities: readonly string[];
  /** The name of a place if an answer had it, otherwise its identifier. */
  nameOf(place: string): string;
  /** The last one. */
  readonly result: ComparisonAnswer | null;
  send(values: StayValues): Promise<SearchAnswer>;
  /** Narrows a result by one amenity after the other. */
  narrow(from: ComparisonAnswer, amenities: readonly string[]): Promise<SearchAnswer>;
  clearFilters(): Promise<SearchAnswer>;
  /** Searches in a new session with these values and amenities; fields that are not among them are asked for again. */
  startOver(values: StayValues, amenities: readonly string[]): Promise<SearchAnswer>;
};

const ENDED: ReadonlySet<string> = new Set(['session_expired', 'session_not_found']);

export function createSearchSession({
  client,
  source,
  brands,
  token: firstToken,
  tools,
}: {
  readonly client: Pick<StaywireClient, 'open' | 'step' | 'refine'>;
  readonly source: string | null;
  readonly brands: readonly NetworkBrand[];
  readonly token: string;
  readonly tools: Pick<CliTools, 'terminal' | 'clock' | 'signal'>;
}): SearchSession {
  const { terminal, signal } = tools;
  let token = firstToken;
  let received: StayValues = {};
  let filters: readonly string[] = [];
  /** Wanted amenities that are no filters: there is no set yet, or all of its homes have them. */
  let wantedAmenities: readonly string[] = [];
  let result: ComparisonAnswer | null = null;
  const names = new Map<string, string>();

  function sendStep(values: StayValues): Promise<SearchAnswer> {
    return recorded(withProgress({ ...received, ...values }, client.step(token, values, { signal })));
  }

  /** Applies all amenities; if some were refused, returns those refusals together in the end. */
  async function apply(from: ComparisonAnswer, wanted: readonly string[]): Promise<SearchAnswer> {
    let set = from;
    const refused: RefusalAnswer[] = [];
    for (const amenity of wanted) {
      if (amenities().includes(amenity)) continue;
      const answer = await recorded(withProgress(received, client.refine(token, amenity, { signal })));
      if (answer.kind === 'comparison') {
        set = answer;
        if (answer.body.fulfilled_amenities) noteFulfilled(amenity, set);
      } else if (answer.kind !== 'refusal') {
        // Apply the rest when the search continues.
        wantedAmenities = [...wantedAmenities, ...wanted.filter((one) => !amenities().includes(one))];
        return answer;
      } else refused.push(answer);
    }
    const [first] = refused;
    return first ? { ...first, refusals: refused.flatMap(({ refusals }) => refusals) } : set;
  }

  function amenities(): readonly string[] {
    return [...filters, ...wantedAmenities];
  }

  function noteFulfilled(amenity: string, { body }: ComparisonAnswer): void {
    terminal.note(`All of these homes have it already: ${amenityLabel(amenity, body)}.`);
    wantedAmenities = [...wantedAmenities, amenity];
  }

  async function startOver(values: StayValues, wanted: readonly string[]): Promise<SearchAnswer> {
    token = (await client.open({ source, signal })).session;
    received = {};
    filters = [];
    wantedAmenities = wanted;
    return withWantedAmenities(await sendStep(values));
  }

  /** Applies the wanted amenities to a new set: its homes need not have what all homes of the last one had. */
  async function withWantedAmenities(answer: SearchAnswer): Promise<SearchAnswer> {
    if (answer.kind !== 'comparison') return answer;
    const again = wantedAmenities;
    wantedAmenities = [];
    return apply(answer, again);
  }

  function startAfterTheEnd(values: StayValues, wanted: readonly string[]): Promise<SearchAnswer> {
    terminal.note('The session has ended; a new one goes on with what you chose.');
    return startOver(values, wanted);
  }

  /** Shows progress when the stay is complete, because the service then asks operators. */
  function withProgress(stay: StayValues, work: Promise<SearchAnswer>): Promise<SearchAnswer> {
    const isWhole = [stay.check_in_day, stay.check_out, stay.guests].every((value) => value !== undefined);
    const asked =
      String(stay.brand_locked) === 'true' ? brands.filter((brand) => brand.source === source) : brands;
    return isWhole
      ? whileAsking(
          asked.map(({ name }) => name),
          work,
          askedBrands,
          tools,
        )
      : work;
  }

  async function recorded(work: Promise<SearchAnswer>): Promise<SearchAnswer> {
    const answer = await work;
    if (answer.kind === 'comparison') {
      result = answer;
      received = valuesOf(answer.body);
      filters = answer.body.applied_filters.amenities;
    } else if ('received' in answer.body && answer.body.received) {
      const { source: _, amenities: applied = [], check_in_month, ...values } = answer.body.received;
      received = values.check_in_day === undefined && check_in_month ? { ...values, check_in_month } : values;
      filters = applied;
      for (const [id, place] of Object.entries(answer.body.places ?? {})) names.set(id, oneLine(place.name));
    }
    return answer;
  }

  return {
    get received() {
      return received;
    },
    get amenities() {
      return amenities();
    },
    nameOf: (place) => names.get(place) ?? place,
    get result() {
      return result;
    },
    async send(values) {
      const answer = await sendStep(values);
      if (hasEnded(answer)) return startAfterTheEnd({ ...received, ...values }, amenities());
      return withWantedAmenities(answer);
    },
    async narrow(from, wanted) {
      const answer = await apply(from, wanted);
      return hasEnded(answer) ? startAfterTheEnd(received, [...amenities(), ...wanted]) : answer;
    },
    async clearFilters() {
      wantedAmenities = [];
      const answer = await recorded(withProgress(received, client.refine(token, null, { signal })));
      return hasEnded(answer) ? startAfterTheEnd(received, []) : answer;
    },
    startOver,
  };
}

function hasEnded(answer: SearchAnswer): boolean {
  return answer.kind === 'problem' && ENDED.has(answer.code);
}

/** The number of brands that were asked for prices, which need not be all of the network. */
function askedBrands(answer: SearchAnswer): number {
  if (answer.kind !== 'comparison') return 0;
  return answer.body.comparison_set.coverage.filter(({ asked }) => asked > 0).length;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
const FRAME_MS = 100;
const MAX_NAMED_BRANDS = 5;

/** `Casa Azul, Driftlark and 12 more` */
export function brandsText(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED_BRANDS);
  const more = names.length - named.length;
  if (more > 0) return `${named.join(', ')} and ${more.toLocaleString('en')} more`;
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named.join('');
}

/** Shows a spinner and the seconds until the brands have answered. */
export async function whileAsking<Answer>(
  names: readonly string[],
  work: Promise<Answer>,
  /** How many brands were asked; 0 when the service answered alone. */
  askedIn: (answer: Answer) => number,
  { terminal, clock }: Pick<CliTools, 'terminal' | 'clock'>,
): Promise<Answer> {
  const line = terminal.wait();
  const startedAt = clock.elapsed();
  let cancel = () => {};
  let frame = 0;
  turn();
  try {
    const answer = await work;
    const asked = askedIn(answer);
    const whom = asked > 0 ? counted(asked, 'brand') : 'the service';
    line.end(`Asked ${whom} in ${((clock.elapsed() - startedAt) / 1000).toFixed(1)} s.`);
    return answer;
  } catch (error) {
    line.end('Asked the service; no answer came.');
    throw error;
  } finally {
    cancel();
  }

  function turn(): void {
    const seconds = Math.floor((clock.elapsed() - startedAt) / 1000);
    const whom = names.length > 0 ? brandsText(names) : 'the service';
    // The seconds come first, because a long line is cut at its end.
    line.show(`${FRAMES[frame % FRAMES.length]} ${seconds} s  Asking ${whom} …`);
    frame += 1;
    cancel = clock.after(FRAME_MS, turn);
  }
}
