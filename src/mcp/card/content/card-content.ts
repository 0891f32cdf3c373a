import type { ResultBody } from '../../../contract/result-body.ts';
import type { StayQuestion, StayRefusal, StayView } from '../../../contract/tools/stay-answer.ts';

/** Keys of the card's data in `_meta` of a tool result. Hosts pass `_meta` to the card and keep it from the model. */
export const COMPARISON_META_KEY = 'staywire/comparison';
export const VIEW_META_KEY = 'staywire/view';

/**
 * A result without its session and its addresses under `/ai/`, which only an assistant can use. It has the shown options, in the
 * order of the view.
 */
export type ComparisonPayload = Omit<
  ResultBody,
  'session' | 'session_expires_at' | 'available_requests' | 'self_url' | 'terms_url'
>;

/** The selection of options that the traveller asked for. */
export type ComparisonView = Readonly<StayView> & {
  /** The name of the place. Without it the card derives one from the identifier. */
  readonly place_name?: string;
};

/** The content of the card, from a tool result. */
export type CardContent =
  | {
      readonly kind: 'comparison';
      /** Null in an answer for models, which the card then asks for once more. */
      readonly payload: ComparisonPayload | null;
      readonly view: ComparisonView | null;
      /** Null where the answer names no session for further calls. */
      readonly calls: CardCalls | null;
    }
  | {
      readonly kind: 'question';
      readonly isRefused: boolean;
      readonly refusals: readonly StayRefusal[];
      readonly question: StayQuestion | undefined;
    }
  | { readonly kind: 'problem' }
  | { readonly kind: 'nothing' };

/** Arguments of `refine_stays`: `details` returns all members of the same options for the card, `more` returns more options. */
type CardCalls = { readonly details: JsonObject; readonly more: JsonObject };

type JsonObject = Readonly<Record<string, unknown>>;

/** The limit of the tool. */
const MAX_OPTIONS = 20;

/** Ignores the text of a result, which is for the model and names the session. */
export function readToolResult(result: unknown): CardContent {
  const { _meta, structuredContent } = asObject(result);
  const meta = asObject(_meta);
  const { outcome, session, comparison, refusals, question } = asObject(structuredContent);
  const payload = meta[COMPARISON_META_KEY];
  const { options, view } = asObject(comparison);
  if (isComparison(payload) || Array.isArray(options)) {
    const given = isComparison(payload) ? meta[VIEW_META_KEY] : view;
    return {
      kind: 'comparison',
      payload: isComparison(payload) ? payload : null,
      view: typeof asObject(given).sort === 'string' ? (given as ComparisonView) : null,
      calls:
        typeof session !== 'string'
          ? null
          : {
              details: { session, ...withoutNulls(asObject(view)), for_card: true },
              more: { session, max_options: MAX_OPTIONS, for_card: true },
            },
    };
  }
  if (outcome === 'problem') return { kind: 'problem' };
  if (outcome !== 'question' && outcome !== 'refused') return { kind: 'nothing' };
  return {
    kind: 'question',
    isRefused: outcome === 'refused',
    refusals: Array.isArray(refusals) ? (refusals as readonly StayRefusal[]) : [],
    question: question instanceof Object ? (question as StayQuestion) : undefined,
  };
}

/** The tool's schema accepts no null. */
function withoutNulls(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

/** The service conforms to its contract; this only checks that the payload arrived whole. */
function isComparison(value: unknown): value is ComparisonPayload {
  const { results, comparison_set, query } = asObject(value);
  return (
    Array.isArray(results) && typeof asObject(comparison_set).currency === 'string' && query instanceof Object
  );
}

function asObject(value: unknown): JsonObject {
  return value instanceof Object ? (value as JsonObject) : {};
}

/** Whether an address may become a link or a picture: only http and https, never a script or a file. */
export function isWebLink(address: string): boolean {
  return URL.canParse(address) && ['https:', 'http:'].includes(new URL(address).protocol);
}
