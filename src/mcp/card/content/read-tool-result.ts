import type { StayQuestion, StayRefusal, ToolOption } from '../../../contract/tools/stay-answer.ts';
import {
  COMPARISON_META_KEY,
  type ComparisonPayload,
  type ComparisonView,
  VIEW_META_KEY,
} from '../comparison-payload.ts';
import { type CardStay, stayOfOption, stayOfStructuredOption } from './card-stay.ts';

/** What a tool result gives the card to show. */
export type CardContent =
  | {
      readonly kind: 'comparison';
      readonly stays: readonly CardStay[];
      readonly currency: string;
      /** Null for hosts that drop `_meta`. */
      readonly payload: ComparisonPayload | null;
      readonly view: ComparisonView | null;
      /** How many options the set has, with those that are not here. */
      readonly inSet: number;
      /** Null where the answer names no session to ask with. */
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

/** The arguments of `refine_stays` that answer with all that the card shows of the same options, and with more options. */
export type CardCalls = { readonly details: JsonObject; readonly more: JsonObject };

type JsonObject = Readonly<Record<string, unknown>>;

/** The most that the tool takes. */
const MAX_OPTIONS = 20;

/** The tool's schema has no null. */
function withoutNulls(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

/** The text of a result is for the model, and is never shown: it names the session. */
export function readToolResult(result: unknown): CardContent {
  const { _meta, structuredContent } = asObject(result);
  const meta = asObject(_meta);
  const { outcome, session, comparison, refusals, question } = asObject(structuredContent);
  const { options, currency, view, options_in_set } = asObject(comparison);
  const calls: CardCalls | null =
    typeof session !== 'string'
      ? null
      : {
          details: { session, ...withoutNulls(asObject(view)), for_card: true },
          more: { session, max_options: MAX_OPTIONS, for_card: true },
        };
  const payload = meta[COMPARISON_META_KEY];
  if (isComparison(payload)) {
    const { comparison_set } = payload;
    return {
      kind: 'comparison',
      stays: payload.results.map(stayOfOption),
      currency: comparison_set.currency,
      payload,
      view: isView(meta[VIEW_META_KEY]) ? meta[VIEW_META_KEY] : null,
      inSet: comparison_set.options_count,
      calls,
    };
  }
  if (Array.isArray(options) && typeof currency === 'string') {
    return {
      kind: 'comparison',
      stays: (options as readonly ToolOption[]).map(stayOfStructuredOption),
      currency,
      payload: null,
      view: isView(view) ? view : null,
      inSet: Number(options_in_set ?? options.length),
      calls,
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

/** The service wrote it to its contract; this only tells whether it arrived whole. */
function isComparison(value: unknown): value is ComparisonPayload {
  const { results, comparison_set, query } = asObject(value);
  return (
    Array.isArray(results) && typeof asObject(comparison_set).currency === 'string' && query instanceof Object
  );
}

function isView(value: unknown): value is ComparisonView {
  return typeof asObject(value).sort === 'string';
}

function asObject(value: unknown): JsonObject {
  return value instanceof Object ? (value as JsonObject) : {};
}
