import { weightOf } from '../../parsing/owned-memory.ts';
import type { KnownPolicy } from './known-homes.ts';
import type { LodgifyRoom } from './read-room.ts';
import type { LodgifySettings } from './read-settings.ts';

/** What is read of a home beside the list of properties. */
export type LodgifyDetails = {
  readonly room: LodgifyRoom | undefined;
  readonly settings: LodgifySettings | undefined;
  readonly updatedAt: string;
  /** In elapsed time. */
  readonly readAt: number;
};

/** What one reading leaves for the next, so that it asks for less. What does not fit is asked for again. */
export type KeptDetails = {
  readonly details: ReadonlyMap<string, LodgifyDetails>;
  readonly policies: ReadonlyMap<string, KnownPolicy>;
  keepDetails(reference: string, details: LodgifyDetails): void;
  keepPolicy(reference: string, policy: KnownPolicy): void;
};

export function createKeptDetails(maxBytes: number): KeptDetails {
  const details = new Map<string, LodgifyDetails>();
  const policies = new Map<string, KnownPolicy>();
  let bytes = 0;

  function keep<Value>(kept: Map<string, Value>, reference: string, value: Value): void {
    if (kept.has(reference)) return;
    const weight = reference.length + weightOf(value);
    if (bytes + weight > maxBytes) return;
    bytes += weight;
    kept.set(reference, value);
  }

  return {
    details,
    policies,
    keepDetails: (reference, value) => keep(details, reference, value),
    keepPolicy: (reference, policy) => keep(policies, reference, policy),
  };
}
