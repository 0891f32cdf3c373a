import { applyEdits, type JSONPath, modify } from 'jsonc-parser';
import { readJsonText } from '../../parsing/read-file.ts';
import type { AssistantId } from '../../sessions/session.ts';
import {
  type AssistantEntry,
  type LimitsInDocument,
  MAX_HISTORY,
  type RegistryChange,
} from './registry-file.ts';

export type LimitChanges = Readonly<Partial<Record<keyof LimitsInDocument, number | null>>>;

const FORMATTING = { insertSpaces: true, tabSize: 2, insertFinalNewline: true };

const EMPTY_REGISTRY = `{
  // Who may call. docs/assistant-registry.md explains every member; comments like this one may stay.
  "assistants": []
}
`;

/** The entries of a registry that was read without faults; none of one that is not there yet. */
export function entriesIn(text: string | null): readonly AssistantEntry[] {
  const reading = readJsonText(text ?? EMPTY_REGISTRY);
  if (reading.kind === 'invalid') throw new RangeError('the registry was not checked before');
  return (reading.value as { readonly assistants: readonly AssistantEntry[] }).assistants;
}

/** Adds an assistant at the end. Comments and the order of everything else stay as they are. */
export function withAssistant(text: string | null, entry: AssistantEntry): string {
  return edited(text ?? EMPTY_REGISTRY, ['assistants', entriesIn(text).length], entry, true);
}

/** The same with another status of one that is listed, and a line in its history. */
export function withStatus(
  text: string,
  id: AssistantId,
  status: AssistantEntry['status'],
  change: RegistryChange,
): string {
  return withChange(edited(text, ['assistants', placeOf(text, id), 'status'], status), id, change);
}

/** The same with other limits of one that is listed, and a line in its history. A limit of null is taken away; those that are left out stay. */
export function withLimits(
  text: string,
  id: AssistantId,
  limits: LimitChanges,
  change: RegistryChange,
): string {
  const place = placeOf(text, id);
  const path = ['assistants', place, 'limits'];
  const before = entriesIn(text)[place]?.limits ?? {};
  const isAnyLeft = Object.values({ ...before, ...limits }).some((value) => value !== null);
  // One at a time, so that comments beside the others stay.
  const changed = Object.entries(limits)
    .filter(([limit, value]) => value !== null || limit in before)
    .reduce((so, [limit, value]) => edited(so, [...path, limit], value ?? undefined), text);
  return withChange(isAnyLeft ? changed : edited(text, path, undefined), id, change);
}

/** Without one that is listed, and so without its history. */
export function withoutAssistant(text: string, id: AssistantId): string {
  return edited(text, ['assistants', placeOf(text, id)], undefined);
}

/** A line at the end of an assistant's history, in which only the newest ones are kept. */
export function withChange(text: string, id: AssistantId, change: RegistryChange): string {
  const place = placeOf(text, id);
  const before = entriesIn(text)[place]?.history;
  const path = ['assistants', place, 'history'];
  if (!before) return edited(text, path, [change]);
  let changed = text;
  for (let excess = before.length + 1 - MAX_HISTORY; excess > 0; excess -= 1) {
    changed = edited(changed, [...path, 0], undefined);
  }
  return edited(changed, [...path, Math.min(before.length, MAX_HISTORY - 1)], change, true);
}

function placeOf(text: string, id: AssistantId): number {
  const place = entriesIn(text).findIndex((entry) => entry.id === id);
  if (place < 0) throw new RangeError(`${id} is not in the registry`);
  return place;
}

function edited(text: string, path: JSONPath, value: unknown, isArrayInsertion = false): string {
  // Editors on some systems begin a file with a mark that JSON does not know.
  const json = text.replace(/^\uFEFF/, '');
  return applyEdits(json, modify(json, path, value, { formattingOptions: FORMATTING, isArrayInsertion }));
}
