import type { ToolOption } from '../../../contract/tools/stay-answer.ts';
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
      /** The call that answers with all of it; null where it is here, or cannot be asked for. */
      readonly readAgain: { readonly tool: string; readonly args: JsonObject } | null;
    }
  | { readonly kind: 'text'; readonly text: string };

type JsonObject = Readonly<Record<string, unknown>>;

/** A result that is no comparison, a question or a problem, is shown as its text. */
export function readToolResult(result: unknown): CardContent {
  const { _meta, structuredContent, content } = asObject(result);
  const meta = asObject(_meta);
  const payload = meta[COMPARISON_META_KEY];
  if (isComparison(payload)) {
    return {
      kind: 'comparison',
      stays: payload.results.map(stayOfOption),
      currency: payload.comparison_set.currency,
      payload,
      view: isView(meta[VIEW_META_KEY]) ? meta[VIEW_META_KEY] : null,
      readAgain: null,
    };
  }
  const { session, comparison } = asObject(structuredContent);
  const { options, currency, view } = asObject(comparison);
  if (Array.isArray(options) && options.length > 0 && typeof currency === 'string') {
    const stays = (options as readonly ToolOption[]).map(stayOfStructuredOption);
    const readAgain =
      typeof session === 'string'
        ? { tool: 'refine_stays', args: { session, ...asObject(view), for_card: true } }
        : null;
    return { kind: 'comparison', stays, currency, payload: null, view: null, readAgain };
  }
  return { kind: 'text', text: textOf(content) };
}

/** The service wrote it to its contract; this only tells whether it arrived whole. */
function isComparison(value: unknown): value is ComparisonPayload {
  const { results, comparison_set, query } = asObject(value);
  return (
    Array.isArray(results) && typeof asObject(comparison_set).currency === 'string' && query instanceof Object
  );
}

function isView(value: unknown): value is ComparisonView {
  return Array.isArray(asObject(value).property_ids);
}

function textOf(content: unknown): string {
  const blocks = Array.isArray(content) ? content.map(asObject) : [];
  return blocks
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n\n');
}

function asObject(value: unknown): JsonObject {
  return value instanceof Object ? (value as JsonObject) : {};
}
