import type { RangesSnapshot } from '../published/published-documents.ts';

/**
 * An assistant that the owner can approve by its name alone. Nothing here is approved by being here: it only says how the assistant would be
 * recognised, in the shape of an entry of the registry.
 */
export type WellKnownAssistant = {
  readonly id: string;
  readonly name: string;
  /** What it is, for the owner who decides about it. */
  readonly about: string;
  readonly recognisedBy: readonly WellKnownRecognition[];
  /** The lists at `ranges_url` as they were on a day. They grow too old like any copy. */
  readonly snapshots: readonly RangesSnapshot[];
};

export type WellKnownRecognition =
  | { readonly signature_agent: string }
  | { readonly user_agent: string; readonly ranges_url: string }
  | { readonly user_agent: string; readonly ranges: readonly string[] }
  | { readonly user_agent: string; readonly reverse_dns: readonly string[] };
