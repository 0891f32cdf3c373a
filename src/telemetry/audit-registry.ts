import { isDeepStrictEqual } from 'node:util';
import type { Assistant, Recognition } from '../access/registry/assistant-registry.ts';
import { describeWay } from '../access/registry/describe-way.ts';
import { risksOfAssistant } from '../access/registry/risky-ways.ts';
import type { AssistantChange } from './audit/audit-record.ts';
import { MAX_LINE_BYTES } from './audit/chained-line.ts';

/** So that a record stays small, whatever an owner writes. */
const MAX_TOLD = 10;
/** Far from what no reader would take. The longest change has a tenth of it. */
const MAX_RECORD_BYTES = MAX_LINE_BYTES / 4;

/** What the audit log is told of a registry, for a record each; at the start `before` is empty, so that all is told. */
export function registryChanges(
  before: readonly Assistant[],
  after: readonly Assistant[],
): readonly (readonly AssistantChange[])[] {
  const earlier = new Map(before.map((one) => [one.id, one]));
  const later = new Map(after.map((one) => [one.id, one]));
  const changes = [...new Set([...earlier.keys(), ...later.keys()])].flatMap((id) =>
    changeOf(id, earlier.get(id), later.get(id)),
  );
  return inRecords(changes);
}

function inRecords(changes: readonly AssistantChange[]): readonly (readonly AssistantChange[])[] {
  const records: AssistantChange[][] = [];
  let room = 0;
  for (const change of changes) {
    const bytes = Buffer.byteLength(JSON.stringify(change));
    if (bytes > room) {
      records.push([]);
      room = MAX_RECORD_BYTES;
    }
    records.at(-1)?.push(change);
    room -= bytes;
  }
  return records;
}

/** None, or one. */
function changeOf(
  assistant: string,
  before: Assistant | undefined,
  after: Assistant | undefined,
): readonly AssistantChange[] {
  const state = { assistant, from: before?.status ?? null, to: after?.status ?? null };
  if (!after) return [state];
  const changed = before ? changedIn(before, after) : [];
  if (before && changed.length === 0 && state.from === state.to) return [];
  const known = before?.recognisedBy ?? [];
  const added = unknownIn(known, after.recognisedBy);
  const removed = unknownIn(after.recognisedBy, known);
  const risks = newRisks(before, after);
  return [
    {
      ...state,
      ...(changed.length > 0 ? { changed } : {}),
      ...(added.length + removed.length > 0 ? { ways: { added: told(added), removed: told(removed) } } : {}),
      ...(changed.includes('limits') || (!before && after.limits) ? { limits: { ...after.limits } } : {}),
      ...(risks.length > 0 ? { risks: risks.slice(0, MAX_TOLD) } : {}),
    },
  ];
}

function changedIn(before: Assistant, after: Assistant): ('name' | 'ways' | 'limits')[] {
  return [
    ...(before.name === after.name ? [] : ['name' as const]),
    ...(isDeepStrictEqual(before.recognisedBy, after.recognisedBy) ? [] : ['ways' as const]),
    ...(isDeepStrictEqual(before.limits, after.limits) ? [] : ['limits' as const]),
  ];
}

/** Also those that differ in what is not told of them, such as the query of an address. */
function unknownIn(known: readonly Recognition[], ways: readonly Recognition[]): readonly Recognition[] {
  return ways.filter((way) => !known.some((other) => isDeepStrictEqual(way, other)));
}

/** Those of an assistant that was suspended are new when it is approved. */
function newRisks(before: Assistant | undefined, after: Assistant): readonly string[] {
  const known = before ? risksOfAssistant(before) : [];
  return risksOfAssistant(after).filter((risk) => !known.includes(risk));
}

function told(ways: readonly Recognition[]): readonly string[] {
  const listed = ways.slice(0, MAX_TOLD).map(describeWay);
  return ways.length > MAX_TOLD ? [...listed, `and ${ways.length - MAX_TOLD} more`] : listed;
}
