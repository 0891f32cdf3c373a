import type {
  ComparisonAnswer,
  RefusalAnswer,
  SearchAnswer,
  StayValues,
  StaywireClient,
} from '../../client/client.ts';
import type { CliTools } from '../command.ts';
import { counted } from '../text-layout.ts';
import { amenityLabel } from './comparison-text.ts';
import { oneLine } from './option-text.ts';
import type { NetworkBrand } from './service.ts';
import { valuesOf } from './stay-options.ts';

/** One search of one person. The session behind it is replaced where it has ended, or where a field has to be asked for anew. */
export type SearchSession = {
  /** What is known of the stay so far. */
  readonly received: StayValues;
  /** What every home must have: the filters of the set, and what all of it has without one. */
  readonly amenities: readonly string[];
  /** What people call a place, where an answer said so. */
  nameOf(place: string): string;
  /** The last one. */
  readonly result: ComparisonAnswer | null;
  send(values: StayValues): Promise<SearchAnswer>;
  /** Narrows a result by one amenity after the other. */
  narrow(from: ComparisonAnswer, amenities: readonly string[]): Promise<SearchAnswer>;
  clearFilters(): Promise<SearchAnswer>;
  /** Asks anew for a stay of these values and amenities: what is not among them is offered again. */
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
  /** Wanted, but no filters of the set: there is none yet, or they would have told nothing apart in it. */
  let others: readonly string[] = [];
  let result: ComparisonAnswer | null = null;
  const names = new Map<string, string>();

  function give(values: StayValues): Promise<SearchAnswer> {
    return noted(shown({ ...received, ...values }, client.step(token, values, { signal })));
  }

  /** Goes on past what is refused, which is what it returns in the end. */
  async function apply(from: ComparisonAnswer, wanted: readonly string[]): Promise<SearchAnswer> {
    let set = from;
    const refused: RefusalAnswer[] = [];
    for (const amenity of wanted) {
      if (amenities().includes(amenity)) continue;
      const answer = await noted(shown(received, client.refine(token, amenity, { signal })));
      if (answer.kind === 'comparison') {
        set = answer;
        if (answer.body.fulfilled_amenities) keepMet(amenity, set);
      } else if (answer.kind !== 'refusal') {
        // They are wanted still when it goes on from here.
        others = [...others, ...wanted.filter((one) => !amenities().includes(one))];
        return answer;
      } else refused.push(answer);
    }
    const [first] = refused;
    return first ? { ...first, refusals: refused.flatMap(({ refusals }) => refusals) } : set;
  }

  function amenities(): readonly string[] {
    return [...filters, ...others];
  }

  function keepMet(amenity: string, { body }: ComparisonAnswer): void {
    terminal.note(`All of these homes have it already: ${amenityLabel(amenity, body)}.`);
    others = [...others, amenity];
  }

  async function startOver(values: StayValues, wanted: readonly string[]): Promise<SearchAnswer> {
    token = (await client.open({ source, signal })).session;
    received = {};
    filters = [];
    others = wanted;
    return withOthers(await give(values));
  }

  /** Of the homes of another stay, not all may have what those of the last one had. */
  async function withOthers(answer: SearchAnswer): Promise<SearchAnswer> {
    if (answer.kind !== 'comparison') return answer;
    const again = others;
    others = [];
    return apply(answer, again);
  }

  function startAfterTheEnd(values: StayValues, wanted: readonly string[]): Promise<SearchAnswer> {
    terminal.note('The session has ended; a new one goes on with what you chose.');
    return startOver(values, wanted);
  }

  /** Operators are asked, and it takes a while, when nothing is missing. */
  function shown(stay: StayValues, work: Promise<SearchAnswer>): Promise<SearchAnswer> {
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

  async function noted(work: Promise<SearchAnswer>): Promise<SearchAnswer> {
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
      const answer = await give(values);
      if (hasEnded(answer)) return startAfterTheEnd({ ...received, ...values }, amenities());
      return withOthers(answer);
    },
    async narrow(from, wanted) {
      const answer = await apply(from, wanted);
      return hasEnded(answer) ? startAfterTheEnd(received, [...amenities(), ...wanted]) : answer;
    },
    async clearFilters() {
      others = [];
      const answer = await noted(shown(received, client.refine(token, null, { signal })));
      return hasEnded(answer) ? startAfterTheEnd(received, []) : answer;
    },
    startOver,
  };
}

function hasEnded(answer: SearchAnswer): boolean {
  return answer.kind === 'problem' && ENDED.has(answer.code);
}

/** Those whose homes were to be priced, which need not be all of the network. */
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
  const others = names.length - named.length;
  if (others > 0) return `${named.join(', ')} and ${others.toLocaleString('en')} more`;
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named.join('');
}

/** A line that turns and counts the seconds until the brands have answered. */
export async function whileAsking<Answer>(
  names: readonly string[],
  work: Promise<Answer>,
  /** How many were asked; none where the service answered by itself. */
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
    // The seconds are first, because a long line is cut at its end.
    line.show(`${FRAMES[frame % FRAMES.length]} ${seconds} s  Asking ${whom} …`);
    frame += 1;
    cancel = clock.after(FRAME_MS, turn);
  }
}
