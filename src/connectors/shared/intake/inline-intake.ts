import type { Place, PlaceId } from '../../../catalogue/catalogue.ts';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import type {
  Intake,
  IntakeItem,
  IntakeOrder,
  IntakeResult,
  IntakeSummary,
  IntakeTaskName,
} from './intake.ts';
import { readInChunks } from './read-in-chunks.ts';

/** Reads on the thread that asks: for documents that are small enough, and for tests. */
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
