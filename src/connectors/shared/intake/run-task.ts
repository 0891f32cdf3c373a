import type { Place, PlaceId } from '../../../catalogue/catalogue.ts';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import { weightOf } from '../../../parsing/owned-memory.ts';
import { INTAKE_TASKS } from '../../tasks.ts';
import type {
  Intake,
  IntakeItem,
  IntakeOrder,
  IntakeResult,
  IntakeSummary,
  IntakeTaskName,
} from './intake.ts';
import type { IntakeTask } from './parse-document.ts';

export type IntakeChunk = { readonly items: readonly unknown[]; readonly bytes: number };

/** Copying this much from another thread takes about a millisecond. */
const MAX_CHUNK_BYTES = 128 * 1024;
const MAX_CHUNK_ITEMS = 200;

/** The items of a task in chunks of bounded size, each computed on demand. */
export function* readInChunks(
  task: keyof typeof INTAKE_TASKS,
  document: Uint8Array,
  parameters: unknown,
  places: ReadonlyMap<PlaceId, Place>,
): Generator<IntakeChunk, unknown> {
  // The compiler checks an order where it is created; between threads it is plain data.
  const read = INTAKE_TASKS[task] as IntakeTask<unknown, unknown, unknown>;
  const found = read(document, parameters, places);
  let items: unknown[] = [];
  let bytes = 0;
  for (let next = found.next(); ; next = found.next()) {
    if (next.done) {
      if (items.length > 0) yield { items, bytes };
      return next.value;
    }
    items.push(next.value);
    bytes += weightOf(next.value);
    if (bytes >= MAX_CHUNK_BYTES || items.length >= MAX_CHUNK_ITEMS) {
      yield { items, bytes };
      items = [];
      bytes = 0;
    }
  }
}

/** Reads on the calling thread: for small documents and for tests. */
export function createInlineIntake({ places }: { readonly places: ReadonlyMap<PlaceId, Place> }): Intake {
  return { run: async (order) => runInline(order, places), close: async () => undefined };
}

export function runInline<Name extends IntakeTaskName>(
  order: IntakeOrder<Name>,
  places: ReadonlyMap<PlaceId, Place>,
): IntakeResult<Name> {
  if (order.signal.aborted) throw new BookingSystemFailure('timeout', 'the reading was given up');
  const chunks = readInChunks(order.task, order.document, order.parameters, places);
  for (let next = chunks.next(); ; next = chunks.next()) {
    if (next.done) {
      return {
        summary: next.value as IntakeSummary<Name>,
        document: order.returnsDocument ? order.document : null,
      };
    }
    order.take(next.value.items as readonly IntakeItem<Name>[], next.value.bytes);
  }
}
