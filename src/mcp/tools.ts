import { createHash } from 'node:crypto';
import {
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import type { ToolProblem } from '../contract/tools/stay-answer.ts';
import type { ToolName } from '../contract/tools/tools.ts';
import { ClientGone, type QuoteProgress } from '../contract/waiting-client.ts';
import { storageProblem } from '../operations/storage-problem.ts';
import type { Reading } from '../reading/reading.ts';
import { isSessionToken } from '../sessions/session-token.ts';
import { StorageFailure } from '../sessions/storage-failure.ts';
import { travellerForm } from './ask-traveller.ts';
import { ServiceUnreachable } from './calls-over-http.ts';
import { cardData, type PlaceName } from './card-data.ts';
import type { ConnectCalls } from './interface-calls.ts';
import { type KeyedOpenings, type ToolCalls, withKeyedOpenings } from './keyed-openings.ts';
import { networkAnswer } from './network-answer.ts';
import { networkText } from './network-text.ts';
import {
  keyFor,
  refineStays,
  type StayCall,
  type StayOutcome,
  searchStays,
  withReminders,
} from './search-stays.ts';
import { showStay } from './show-stay.ts';
import { shownStayText } from './shown-stay-text.ts';
import type { SpareSessions } from './spare-sessions.ts';
import { stayAnswerText } from './stay-answer-text.ts';
import {
  type RawArguments,
  readRefineArguments,
  readSearchArguments,
  readShowArguments,
  readSource,
} from './tool-arguments.ts';
import { toolProblem } from './ways-on.ts';

/** One call of a tool, as the protocol has it. */
export type ToolCall = {
  /** What the client can do; undefined where it is not known. */
  readonly capabilities: ClientAbilities | undefined;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** What the traveller has answered to a form of this call. */
  readonly inputResponses: Readonly<Record<string, unknown>> | undefined;
  /** What this server gave to the client with that form: the session. */
  readonly state: string | null;
  /** Only for a client that asked for progress. */
  readonly tell?: (progress: number, message: string) => void;
};

type ClientAbilities = Pick<ClientCapabilities, 'elicitation' | 'extensions'>;

type Tool = (args: RawArguments, call: ToolCall) => Promise<CallToolResult | InputRequiredResult>;

/** Where a client puts a key of its own for a call. */
const KEY_META = 'staywire/idempotencyKey';
const UI_EXTENSION = 'io.modelcontextprotocol/ui';
/** Under which name the form of a call is answered. */
const FORM = 'stay';
const FORM_DECLINED = 'The traveller was asked by a form and gave no answer.';

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
      withArguments(args, readSearchArguments({ ...args, ...answersIn(call) }), async (read) => {
        const session = read.session ?? call.state;
        const outcome = await searchStays({ ...read, session }, stayCall(call));
        const form = askTraveller(outcome, call);
        if (form) return form;
        const answered = hasDeclined(call) ? withReminders(outcome, [FORM_DECLINED]) : outcome;
        return stayResult(answered, showsCards(call), placeName);
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
  function keyOf({ meta, inputResponses }: ToolCall): string | null {
    const own = meta[KEY_META];
    const ofCall = typeof own === 'string' && own !== '' ? own : key;
    // With the traveller's answers the same call asks for something else than before.
    return inputResponses === undefined ? ofCall : keyFor(ofCall, `answered-${digestOf(inputResponses)}`);
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

/** Short, because keys have a limit. */
function digestOf(answers: object): string {
  return createHash('sha256').update(JSON.stringify(answers)).digest('base64url').slice(0, 16);
}

async function withArguments<Read>(
  args: RawArguments,
  reading: Reading<Read>,
  use: (read: Read) => Promise<CallToolResult | InputRequiredResult>,
): Promise<CallToolResult | InputRequiredResult> {
  if (reading.kind === 'valid') return use(reading.value);
  const problem = toolProblem('invalid_arguments', { message: reading.faults.join(' ') });
  return problemResult(problem, handleIn(args));
}

/** Only what could be a handle is given back. */
function handleIn({ session }: RawArguments): string | null {
  return typeof session === 'string' && isSessionToken(session) ? session : null;
}

function problemOfFault(fault: unknown): ToolProblem {
  if (fault instanceof ServiceUnreachable)
    return toolProblem('service_unreachable', { message: fault.message });
  if (!(fault instanceof StorageFailure)) return toolProblem('internal_error');
  const { code, retryAfterSeconds } = storageProblem(fault);
  return toolProblem(code, { retryAfterSeconds });
}

/** Missing values as a form, where the client can show one and the traveller has not declined it. */
function askTraveller({ asking, answer }: StayOutcome, call: ToolCall): InputRequiredResult | undefined {
  const { elicitation } = call.capabilities ?? {};
  // An empty capability stands for forms, as it did before there was another kind.
  const hasForms =
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  const form = asking && hasForms && !hasDeclined(call) ? travellerForm(asking) : null;
  if (form === null || answer.session === null) return undefined;
  return inputRequired({
    inputRequests: { [FORM]: inputRequired.elicit(form) },
    // The session is known to this caller only, so that nothing is gained by changing it.
    requestState: answer.session,
  });
}

function hasDeclined({ inputResponses }: ToolCall): boolean {
  const response = inputResponse(inputResponses, FORM);
  if (response.kind !== 'elicit') return false;
  // Who sends an empty form would be asked for ever.
  return response.action !== 'accept' || Object.keys(response.content ?? {}).length === 0;
}

/** What the traveller entered stands beside the arguments, and is checked as they are. */
function answersIn({ inputResponses }: ToolCall): RawArguments {
  const response = inputResponse(inputResponses, FORM);
  return response.kind === 'elicit' && response.action === 'accept' ? (response.content ?? {}) : {};
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
