import { type TSchema, Type } from 'typebox';

export const Timestamp = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$', description });

export const DateText = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description });

export const Text = (description: string) => Type.String({ description });

export const Nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** Bodies allow no additional properties, so that no undocumented field is published by accident. */
export const CLOSED = { additionalProperties: false } as const;

export function formatTimestamp(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}
