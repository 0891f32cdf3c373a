import type { EmulatedRequest } from '../exchange.ts';
import type { EmulatedWorld } from '../world.ts';

export type BookingsyncRecord = {
  readonly id: number;
  readonly links?: Readonly<Record<string, number | readonly number[] | string>>;
  readonly updated_at?: string;
  readonly [attribute: string]: unknown;
};

/** A record that is written only when its page is asked for: an account may have ten thousand calendars. */
export type UnwrittenRecord = {
  readonly id: number;
  readonly changedAt: number;
  readonly write: () => BookingsyncRecord;
};

export type RecordSource = {
  readonly world: EmulatedWorld;
  readonly request: EmulatedRequest;
  readonly createdAt: number;
  /** By home, when a night was taken last. */
  readonly bookedAt: ReadonlyMap<number, number>;
  /** The numbers of amenities and destinations are their places in these lists. */
  readonly amenities: readonly string[];
  readonly cities: readonly string[];
};

/** A rental's number is not the home's, so that one cannot be taken for the other. */
export function rentalIdOf(id: number): number {
  return 40_000 + id;
}

export function times({ createdAt }: RecordSource): { created_at: string; updated_at: string } {
  return { created_at: secondsText(createdAt), updated_at: secondsText(createdAt) };
}

export function secondsText(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}
