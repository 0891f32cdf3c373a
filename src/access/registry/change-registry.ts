import type { Clock } from '../../clock.ts';
import type { Reading } from '../../parsing/reading.ts';
import type { AssistantId } from '../../sessions/session.ts';
import type { AssistantRegistry } from './assistant-registry.ts';
import { entriesIn, withStatus } from './edit-registry.ts';
import type { RegistryCopy } from './registry-copy.ts';
import type { AssistantEntry, RegistryChange } from './registry-file.ts';
import type { RegistrySource } from './registry-source.ts';

/** What whoever changes a registry needs of it. */
export type ChangeableRegistry = {
  readonly source: RegistrySource;
  /** For people; holds no password. */
  readonly where: string;
  /** What is gone by where the registry is gone; null where none is kept. */
  readonly copy: RegistryCopy | null;
  /** `place` is where the text is from, for its faults; where the registry is when left out. */
  read(text: string, place?: string): Reading<AssistantRegistry>;
};

export type CurrentRegistry = FoundRegistry & {
  readonly registry: AssistantRegistry;
  readonly entries: readonly AssistantEntry[];
};

type FoundRegistry = {
  /** Null where there is no registry, and no copy of one that is gone. */
  readonly text: string | null;
  /** Null where there is none, or only a copy. */
  readonly version: string | null;
};

/** What keeps a registry from being read or changed, and what the owner can do about it. */
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

/** Nodes look every second; the rest is for those that are busy. */
export const SECONDS_UNTIL_IN_FORCE = 3;
const MAX_TRIES = 10;

/** Services go on by a registry that has got lost, so whoever changes it has to change that one, and not begin with nobody. */
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

/** Changes the registry as it is by now. A change of null leaves it as it is; resolves with whether anything was written. */
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

/** Approves or suspends one that is listed, with a line in its history. */
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

/** A line of the history, at this moment. */
export function changeNow<Change extends RegistryChange['change']>(
  { clock }: { readonly clock: Pick<Clock, 'now'> },
  change: Change,
  note?: string,
): RegistryChange & { readonly change: Change } {
  const at = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  return { at, change, ...(note === undefined ? {} : { note }) };
}
