import { applyEdits, type JSONPath, modify } from 'jsonc-parser';
import type { Clock } from '../../clock.ts';
import { readJsonText } from '../../parsing/read-file.ts';
import type { Reading } from '../../parsing/reading.ts';
import type { AssistantId } from '../../sessions/session.ts';
import type { AssistantRegistry } from './assistant-registry.ts';
import {
  type AssistantEntry,
  type LimitsInDocument,
  MAX_HISTORY,
  type RegistryChange,
} from './registry-file.ts';
import type { RegistryCopy, RegistrySource } from './registry-source.ts';

/** The access to a registry that changing it requires. */
export type ChangeableRegistry = {
  readonly source: RegistrySource;
  /** Describes the source for people, without a password. */
  readonly where: string;
  /** The copy in use when the registry is missing; null if no copy is stored. */
  readonly copy: RegistryCopy | null;
  /** `place` is the source of the text, for its faults; `where` by default. */
  read(text: string, place?: string): Reading<AssistantRegistry>;
};

type CurrentRegistry = FoundRegistry & {
  readonly registry: AssistantRegistry;
  readonly entries: readonly AssistantEntry[];
};

type FoundRegistry = {
  /** Null without a registry or a copy of one. */
  readonly text: string | null;
  /** Null without a registry, or with only a copy. */
  readonly version: string | null;
};

/** Why a registry cannot be read or changed, and what the owner can do. */
export class RegistryFault extends Error {
  readonly faults: readonly string[];
  readonly next: string | null;

  constructor(faults: readonly string[], next: string | null = null) {
    super(faults.join('\n'));
    this.name = 'RegistryFault';
    this.faults = faults;
    this.next = next;
  }
}

/** Nodes check every second; the rest is a margin for busy ones. */
export const SECONDS_UNTIL_IN_FORCE = 3;
const MAX_TRIES = 10;

/** If the registry is lost, services continue with its copy, so a change must start from the copy, and not from an empty registry. */
export async function findRegistry({ source, copy, where }: ChangeableRegistry): Promise<FoundRegistry> {
  let found = where;
  try {
    const document = await source.read();
    if (document || !copy) return document ?? { text: null, version: null };
    found = copy.path;
    return { text: copy.read(), version: null };
  } catch (error) {
    throw unreadable(found, error);
  }
}

function unreadable(place: string, error: unknown): RegistryFault {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return new RegistryFault(
    [`The registry in ${place} cannot be read: ${message}`],
    code === 'EACCES' || code === 'EPERM'
      ? 'run this as the account of the service, or let your account read the file'
      : null,
  );
}

export async function currentRegistry(opened: ChangeableRegistry): Promise<CurrentRegistry> {
  const { read, where, copy } = opened;
  const { text, version } = await findRegistry(opened);
  if (text === null) return { text, version, registry: { assistants: [] }, entries: [] };
  const isCopy = version === null && copy !== null;
  const reading = isCopy ? read(text, copy.path) : read(text);
  if (reading.kind === 'invalid' && isCopy) {
    throw new RegistryFault(reading.faults, 'mend this copy, or delete it to begin anew');
  }
  if (reading.kind === 'invalid') {
    throw new RegistryFault(
      reading.faults,
      `mend the registry in ${where} first (docs/assistant-registry.md); until then services go on with the last one that was right`,
    );
  }
  return { text, version, registry: reading.value, entries: entriesIn(text) };
}

/** Changes the latest registry. If `change` returns null, nothing is written. Resolves with whether anything was written. */
export async function changeRegistry(
  opened: ChangeableRegistry,
  change: (current: CurrentRegistry) => string | null,
): Promise<boolean> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const current = await currentRegistry(opened);
    const text = change(current);
    if (text === null) return false;
    const reading = opened.read(text);
    if (reading.kind === 'invalid') throw new RegistryFault(reading.faults, 'see docs/assistant-registry.md');
    if ((await opened.source.replace(current.version, text)) === 'replaced') return true;
  }
  throw new RegistryFault(['Others change the registry all the time.'], 'run this again');
}

export type StatusOutcome =
  | { readonly kind: 'changed' | 'as_it_was' }
  | { readonly kind: 'not_listed'; readonly isThere: boolean };

/** Approves or suspends a listed assistant, and adds a line to its history. */
export async function changeStatus(
  opened: ChangeableRegistry,
  id: AssistantId,
  change: RegistryChange & { readonly change: AssistantEntry['status'] },
): Promise<StatusOutcome> {
  let outcome: StatusOutcome = { kind: 'as_it_was' };
  const isChanged = await changeRegistry(opened, ({ entries, text }) => {
    const listed = entries.find((entry) => entry.id === id);
    if (!listed || text === null) {
      outcome = { kind: 'not_listed', isThere: text !== null };
      return null;
    }
    return listed.status === change.change ? null : withStatus(text, id, change.change, change);
  });
  return isChanged ? { kind: 'changed' } : outcome;
}

/** A line of the history with the current time. */
export function changeNow<Change extends RegistryChange['change']>(
  { clock }: { readonly clock: Pick<Clock, 'now'> },
  change: Change,
  note?: string,
): RegistryChange & { readonly change: Change } {
  const at = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  return { at, change, ...(note === undefined ? {} : { note }) };
}

export type LimitChanges = Readonly<Partial<Record<keyof LimitsInDocument, number | null>>>;

const FORMATTING = { insertSpaces: true, tabSize: 2, insertFinalNewline: true };

const EMPTY_REGISTRY = `{
  // Who may call. docs/assistant-registry.md explains every member; comments like this one may stay.
  "assistants": []
}
`;

/** The entries of a valid registry; none if it does not exist yet. */
export function entriesIn(text: string | null): readonly AssistantEntry[] {
  const reading = readJsonText(text ?? EMPTY_REGISTRY);
  if (reading.kind === 'invalid') throw new RangeError('the registry was not checked before');
  return (reading.value as { readonly assistants: readonly AssistantEntry[] }).assistants;
}

/** Adds an assistant at the end. Comments and the order of all else stay. */
export function withAssistant(text: string | null, entry: AssistantEntry): string {
  return edited(text ?? EMPTY_REGISTRY, ['assistants', entriesIn(text).length], entry, true);
}

/** Sets the status of a listed assistant, and adds a line to its history. */
export function withStatus(
  text: string,
  id: AssistantId,
  status: AssistantEntry['status'],
  change: RegistryChange,
): string {
  return withChange(edited(text, ['assistants', placeOf(text, id), 'status'], status), id, change);
}

/** Sets limits of a listed assistant, and adds a line to its history. Null removes a limit; omitted limits stay. */
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

/** Removes a listed assistant with its history. */
export function withoutAssistant(text: string, id: AssistantId): string {
  return edited(text, ['assistants', placeOf(text, id)], undefined);
}

/** Adds a line to an assistant's history, and removes the oldest beyond the limit. */
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
  // Some editors write a byte order mark, which is not JSON.
  const json = text.replace(/^\uFEFF/, '');
  return applyEdits(json, modify(json, path, value, { formattingOptions: FORMATTING, isArrayInsertion }));
}
