import type { CallToolResult, ClientCapabilities } from '@modelcontextprotocol/server';
import type { Option } from '../contract/option.ts';
import type { NetworkAnswer, ShownStay, ToolProblem } from '../contract/tools/stay-answer.ts';
import type { ToolName } from '../contract/tools/tools.ts';
import { ClientGone, type QuoteProgress } from '../limits/deadline.ts';
import type { Reading } from '../parsing/reading.ts';
import { storageProblem } from '../requests/serve-operation.ts';
import { isSessionToken } from '../sessions/session-token.ts';
import { StorageFailure } from '../sessions/storage-failure.ts';
import { handleAfter, problemOf, toolProblem } from './alternatives.ts';
import { type TravellerForm, travellerForm } from './ask-traveller.ts';
import { ServiceFault } from './calls-over-http.ts';
import { cardData, type PlaceName } from './card-data.ts';
import { type ConnectCalls, hasStep, type InterfaceCalls, isResult, isSession } from './interface-calls.ts';
import { type KeyedOpenings, type ToolCalls, withKeyedOpenings } from './keyed-openings.ts';
import { offeredFor } from './question-answer.ts';
import {
  keyFor,
  refineStays,
  type StayCall,
  type StayOutcome,
  searchStays,
  withReminders,
} from './search-stays.ts';
import { shownStayText } from './shown-stay-text.ts';
import type { SpareSessions } from './spare-sessions.ts';
import { problemText, stayAnswerText } from './stay-answer-text.ts';
import {
  type RawArguments,
  readRefineArguments,
  readSearchArguments,
  readShowArguments,
  readSource,
  type SearchArguments,
  type ShowArguments,
  type WantedOption,
} from './tool-arguments.ts';
import { andMore, countText, linesOf, sessionLine } from './words.ts';

/** One call of a tool, as the protocol has it. */
export type ToolCall = {
  /** What the client can do; undefined where it is not known. */
  readonly capabilities: ClientAbilities | undefined;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Has the host show a form, where that is wanted and possible. Null when no answer came in time. */
  readonly ask?: (form: TravellerForm) => Promise<RawArguments | null>;
  /** Only for a client that asked for progress. */
  readonly tell?: (progress: number, message: string) => void;
};

type ClientAbilities = Pick<ClientCapabilities, 'extensions'>;

type Tool = (args: RawArguments, call: ToolCall) => Promise<CallToolResult>;

/** Where a client puts a key of its own for a call. */
const KEY_META = 'staywire/idempotencyKey';
const UI_EXTENSION = 'io.modelcontextprotocol/ui';
const FORM_UNANSWERED = 'A form with this question came back without an answer: ask the traveller yourself.';

export type ToolParts = {
  readonly connect: ConnectCalls;
  readonly now: () => number;
  readonly elapsed: () => number;
  /** The caller's own key for everything that this exchange does; null when it sent none. */
  readonly key: string | null;
  readonly placeName: PlaceName;
  readonly openings: KeyedOpenings;
  readonly spares: SpareSessions;
  /** Whose keys these are: one key of two callers stands for two calls. */
  readonly caller: string;
  /** An unexpected error in a tool. */
  readonly fault: (fault: unknown) => void;
};

/** The tools by name: a missing one does not compile. */
export function createTools({
  connect,
  now,
  elapsed,
  key,
  placeName,
  openings,
  spares,
  caller,
  fault,
}: ToolParts): Readonly<Record<ToolName, Tool>> {
  const tools: Readonly<Record<ToolName, Tool>> = {
    search_stays: (args, call) =>
      withArguments(args, readSearchArguments(args), async (read) => {
        const outcome = await searchStays(read, stayCall(call));
        return stayResult(await askTraveller(outcome, read, call), showsCards(call), placeName);
      }),
    refine_stays: (args, call) =>
      withArguments(args, readRefineArguments(args), async (read) =>
        stayResult(await refineStays(read, stayCall(call)), read.isForCard || showsCards(call), placeName),
      ),
    show_stay: (args, call) =>
      withArguments(args, readShowArguments(args), async (read) => {
        const answer = await showStay(read, callsFor(call));
        return toolResult(answer, shownStayText(answer, now()));
      }),
    describe_network: (args, call) =>
      withArguments(args, readSource(args), async (source) => {
        const answer = await networkAnswer(source, callsFor(call), keyOf(call));
        return toolResult(answer, networkText(answer));
      }),
  };
  const guarded = Object.entries(tools).map(([name, tool]): [string, Tool] => [name, faultsAsAnswers(tool)]);
  return Object.fromEntries(guarded) as Readonly<Record<ToolName, Tool>>;

  function callsFor({ signal, tell }: ToolCall): ToolCalls {
    // Progress only ever grows, also where operators are asked once more for each amenity.
    let told = 0;
    const hear = ({ asked, answered }: QuoteProgress) => {
      told += 1;
      tell?.(told, `${answered} of ${asked} booking systems have answered`);
    };
    return withKeyedOpenings(connect({ signal, ...(tell ? { hear } : {}) }), { openings, spares }, caller);
  }

  function stayCall(call: ToolCall): StayCall {
    const startedAt = elapsed();
    return {
      calls: callsFor(call),
      key: keyOf(call),
      now: now(),
      tookMs: () => elapsed() - startedAt,
    };
  }

  /** In the call itself, or beside it where the transport has a place for it. */
  function keyOf({ meta }: ToolCall): string | null {
    const own = meta[KEY_META];
    return typeof own === 'string' && own !== '' ? own : key;
  }

  /** What is missing by one form, where the host shows forms. A refusal goes to the model, which has to read the reason. */
  async function askTraveller(
    outcome: StayOutcome,
    read: SearchArguments,
    call: ToolCall,
  ): Promise<StayOutcome> {
    const { asking, answer } = outcome;
    const form = asking && answer.outcome === 'question' ? travellerForm(asking) : null;
    if (form === null || call.ask === undefined) return outcome;
    const answers = readSearchArguments((await call.ask(form)) ?? {});
    if (answers.kind === 'invalid' || Object.keys(answers.value.values).length === 0) {
      return withReminders(outcome, [FORM_UNANSWERED]);
    }
    const { values } = answers.value;
    const asked = stayCall(call);
    return searchStays(
      { ...read, session: answer.session, source: null, values },
      { ...asked, key: keyFor(asked.key, 'form') },
    );
  }

  /** An error of ours says nothing about itself to a model; the log has it. */
  function faultsAsAnswers(tool: Tool): Tool {
    return async (args, call) => {
      try {
        return await tool(args, call);
      } catch (error) {
        if (error instanceof ClientGone || call.signal.aborted) throw error;
        fault(error);
        return problemResult(problemOfFault(error), handleIn(args));
      }
    };
  }
}

async function withArguments<Read>(
  args: RawArguments,
  reading: Reading<Read>,
  use: (read: Read) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  if (reading.kind === 'valid') return use(reading.value);
  const problem = toolProblem('invalid_arguments', { message: reading.faults.join(' ') });
  return problemResult(problem, handleIn(args));
}

/** Only what could be a handle is given back. */
function handleIn({ session }: RawArguments): string | null {
  return typeof session === 'string' && isSessionToken(session) ? session : null;
}

function problemOfFault(fault: unknown): ToolProblem {
  if (fault instanceof ServiceFault) return toolProblem(fault.code, { message: fault.message });
  if (!(fault instanceof StorageFailure)) return toolProblem('internal_error');
  const { code, retryAfterSeconds } = storageProblem(fault);
  return toolProblem(code, { retryAfterSeconds });
}

/**
 * What a card is drawn from is many times as long as the answer, and not every host keeps it from its model. A card whose host
 * does not say so asks for it itself.
 */
function showsCards({ capabilities }: ToolCall): boolean {
  return UI_EXTENSION in (capabilities?.extensions ?? {});
}

function stayResult(
  { answer, result }: StayOutcome,
  isCardWanted: boolean,
  placeName: PlaceName,
): CallToolResult {
  return {
    ...toolResult(answer, stayAnswerText(answer)),
    ...(result && answer.comparison && isCardWanted
      ? { _meta: cardData(result, answer.comparison, placeName) }
      : {}),
  };
}

function problemResult(problem: ToolProblem, session: string | null = null): CallToolResult {
  const answer = { outcome: 'problem', session, problem } as const;
  return toolResult(answer, stayAnswerText(answer));
}

function toolResult(answer: { readonly outcome: string }, text: string): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    structuredContent: { ...answer },
    ...(answer.outcome === 'problem' ? { isError: true } : {}),
  };
}

/** One option of the set as it is kept: no operator is asked. */
async function showStay(
  { session, wanted }: ShowArguments,
  calls: Pick<InterfaceCalls, 'result'>,
): Promise<ShownStay> {
  const body = await calls.result(session, 'full');
  if (!isResult(body)) {
    return { outcome: 'problem', session: handleAfter(body, session), problem: problemOf(body) };
  }
  const option = body.results.find((one) => isWanted(one, wanted));
  if (!option) {
    const message = `The set has ${countText(body.results.length, 'option')}, and that is none of them.`;
    return { outcome: 'problem', session, problem: toolProblem('unknown_stay', { message }) };
  }
  const { totals_include_taxes_and_fees } = body.comparison_set;
  return { outcome: 'stay', session, option, totals_include_taxes_and_fees };
}

function isWanted({ property_id, rank }: Option, wanted: WantedOption): boolean {
  return 'rank' in wanted ? rank === wanted.rank : property_id === wanted.property_id;
}

export function networkText(answer: NetworkAnswer): string {
  const { session, name, about, brands = [], brands_in_all = 0, places = [], places_in_all = 0 } = answer;
  const { outcome, problem } = answer;
  if (outcome === 'problem') return problem ? problemText(problem) : '';
  return linesOf([
    `${name}. ${about}`,
    `Brands (${brands_in_all}): ${brands.map(brandText).join('; ')}${andMore(brands.length, brands_in_all)}.`,
    problem && `${problem.message} ${problem.how_to_go_on}`,
    places.length === 0
      ? !problem && 'Every home of this search is in one place: no destination is needed.'
      : `Places (${places_in_all}): ${places.map((place) => `${place.name} [${place.destination}]`).join('; ')}${andMore(places.length, places_in_all)}.`,
    sessionLine(session),
  ]);
}

function brandText({ name, source, single_location }: NonNullable<NetworkAnswer['brands']>[number]): string {
  return `${name} [source ${source}${single_location ? ', one place' : ''}]`;
}

const MAX_BRANDS = 50;
const MAX_PLACES = 40;

const ABOUT =
  'Short-term rentals with live, final prices from the operators’ own booking systems. Search with search_stays, then give the traveller the url of an option: the booking is made on the operator’s website. Nothing can be booked, held or cancelled here.';

/** The brands, and the places on offer in a new session, which can be used for the search. */
async function networkAnswer(
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
