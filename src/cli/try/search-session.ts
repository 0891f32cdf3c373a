import type { ComparisonAnswer, SearchAnswer, StayValues, StaywireClient } from '../../client/client.ts';
import type { CliTools } from '../command.ts';
import type { NetworkBrand } from './entry-page.ts';
import { oneLine } from './option-facts.ts';
import { valuesOf } from './stay-options.ts';
import { whileAsking } from './while-waiting.ts';

/** One search of one person. The session behind it is replaced where it has ended, or where a field has to be asked for anew. */
export type SearchSession = {
  /** What is known of the stay so far. */
  readonly received: StayValues;
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
  let amenities: readonly string[] = [];
  let result: ComparisonAnswer | null = null;
  const names = new Map<string, string>();

  function give(values: StayValues): Promise<SearchAnswer> {
    return noted(shown({ ...received, ...values }, client.step(token, values, { signal })));
  }

  async function apply(from: SearchAnswer, wanted: readonly string[]): Promise<SearchAnswer> {
    let answer = from;
    for (const amenity of wanted) {
      if (answer.kind !== 'comparison') break;
      if (!amenities.includes(amenity)) {
        answer = await noted(shown(received, client.refine(token, amenity, { signal })));
      }
    }
    return answer;
  }

  async function startOver(values: StayValues, wanted: readonly string[]): Promise<SearchAnswer> {
    token = (await client.open({ source, signal })).session;
    received = {};
    amenities = [];
    return apply(await give(values), wanted);
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
          tools,
        )
      : work;
  }

  async function noted(work: Promise<SearchAnswer>): Promise<SearchAnswer> {
    const answer = await work;
    if (answer.kind === 'comparison') {
      result = answer;
      received = valuesOf(answer.body);
      amenities = answer.body.applied_filters.amenities;
    } else if ('received' in answer.body && answer.body.received) {
      const { source: _, amenities: applied = [], check_in_month, ...values } = answer.body.received;
      received = values.check_in_day === undefined && check_in_month ? { ...values, check_in_month } : values;
      amenities = applied;
      for (const [id, place] of Object.entries(answer.body.places ?? {})) names.set(id, oneLine(place.name));
    }
    return answer;
  }

  return {
    get received() {
      return received;
    },
    get amenities() {
      return amenities;
    },
    nameOf: (place) => names.get(place) ?? place,
    get result() {
      return result;
    },
    async send(values) {
      const answer = await give(values);
      return hasEnded(answer) ? startAfterTheEnd({ ...received, ...values }, amenities) : answer;
    },
    async narrow(from, wanted) {
      const answer = await apply(from, wanted);
      return hasEnded(answer) ? startAfterTheEnd(received, [...amenities, ...wanted]) : answer;
    },
    async clearFilters() {
      const answer = await noted(shown(received, client.refine(token, null, { signal })));
      return hasEnded(answer) ? startAfterTheEnd(received, []) : answer;
    },
    startOver,
  };
}

function hasEnded(answer: SearchAnswer): boolean {
  return answer.kind === 'problem' && ENDED.has(answer.code);
}
