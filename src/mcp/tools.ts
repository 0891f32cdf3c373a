import type { CallToolResult, ClientCapabilities } from '@modelcontextprotocol/server';
import type { Option } from '../contract/option.ts';
import type { NetworkAnswer, ShownStay, ToolProblem } from '../contract/tools/stay-answer.ts';
import type { ToolName } from '../contract/tools/tools.ts';
import { ClientGone, type QuoteProgress } from '../limits/deadline.ts';
import type { Reading } from '../parsing/reading.ts';
import { storageProblem } from '../requests/serve-operation.ts';
import type { RecentOpenings } from '../sessions/recent-openings.ts';
import { isSessionToken } from '../sessions/session-token.ts';
import { StorageFailure } from '../sessions/storage-failure.ts';
import { counted } from '../stay/wording.ts';
import { networkText, shownStayText, stayAnswerText } from './answer-text.ts';
import { cardData, type PlaceName } from './card/comparison-card.ts';
import {
  type ConnectCalls,
  hasStep,
  type InterfaceCalls,
  isResult,
  isSession,
  type OpeningBody,
  withKeyedOpenings,
} from './interface-calls.ts';
import { offeredFor } from './questions-and-refusals.ts';
import { keyFor, refineStays, type StayCall, type StayOutcome, searchStays } from './search-stays.ts';
import {
  type RawArguments,
  readRefineArguments,
  readSearchArguments,
  readShowArguments,
  readSource,
  type ShowArguments,
  type WantedOption,
} from './tool-arguments.ts';
import { handleAfter, problemOf, ServiceFault, toolProblem } from './tool-errors.ts';

/** One call of a tool over the protocol. */
export type ToolCall = {
  /** Undefined where the capabilities of the client are not known. */
  readonly capabilities: ClientAbilities | undefined;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Present only for a client that asked for progress. */
  readonly reportProgress?: (progress: number, message: string) => void;
};

type ClientAbilities = Pick<ClientCapabilities, 'extensions'>;

type Tool = (args: RawArguments, call: ToolCall) => Promise<CallToolResult>;

/** Member of `_meta` with a client's own key for a call. */
const KEY_META = 'staywire/idempotencyKey';
const UI_EXTENSION = 'io.modelcontextprotocol/ui';

export type ToolParts = {
  readonly connect: ConnectCalls;
  readonly now: () => number;
  readonly elapsed: () => number;
  /** The caller's own key for the whole exchange; null when it sent none. */
  readonly key: string | null;
  readonly placeName: PlaceName;
  readonly openings: RecentOpenings<OpeningBody>;
  readonly caller: string;
  /** An unexpected error in a tool. */
  readonly fault: (fault: unknown) => void;
};

/** The tools by name. A missing one does not compile. */
export function createTools({
  connect,
  now,
  elapsed,
  key,
  placeName,
  openings,
  caller,
  fault,
}: ToolParts): Readonly<Record<ToolName, Tool>> {
  const tools: Readonly<Record<ToolName, Tool>> = {
    search_stays: (args, call) =>
      withArguments(args, readSearchArguments(args), async (read) => {
        const outcome = await searchStays(read, stayCall(call));
        return stayResult(outcome, showsCards(call), placeName);
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

  function callsFor({ signal, reportProgress }: ToolCall): InterfaceCalls {
    // Progress must grow, also where operators are asked again for each amenity.
    let reports = 0;
    const onProgress = ({ asked, answered }: QuoteProgress) => {
      reports += 1;
      reportProgress?.(reports, `${answered} of ${asked} booking systems have answered`);
    };
    const calls = connect({ signal, ...(reportProgress ? { onProgress } : {}) });
    return withKeyedOpenings(calls, openings, caller);
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

  /** The key in the call itself, or else that of the transport. */
  function keyOf({ meta }: ToolCall): string | null {
    const own = meta[KEY_META];
    return typeof own === 'string' && own !== '' ? own : key;
  }

  /** Internal errors are logged; the model gets a general message. */
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

/** Returns only text that could be a handle. */
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
 * The data of a card is many times as long as the answer, and not every host keeps it from its model. So it is sent only where the
 * host declares support for cards; other cards request it themselves.
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

/** One option of the stored set. No operator is asked. */
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
    const message = `The set has ${counted(body.results.length, 'option')}, and that is none of them.`;
    return { outcome: 'problem', session, problem: toolProblem('unknown_stay', { message }) };
  }
  const { totals_include_taxes_and_fees } = body.comparison_set;
  return { outcome: 'stay', session, option, totals_include_taxes_and_fees };
}

function isWanted({ property_id, rank }: Option, wanted: WantedOption): boolean {
  return 'rank' in wanted ? rank === wanted.rank : property_id === wanted.property_id;
}

const MAX_BRANDS = 50;
const MAX_PLACES = 40;

const ABOUT =
  'Short-term rentals with live, final prices from the operators’ own booking systems. Search with search_stays, then give the traveller the url of an option: the booking is made on the operator’s website. Nothing can be booked, held or cancelled here.';

/** The brands, and the places on offer in a new session, which the search can continue. */
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
  // The answer still lists the brands, and the session can be used once homes are on offer.
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
