import type { BrandBudget } from '../../catalogue/catalogue.ts';
import type { CatalogueReading } from '../../catalogue/rejections/rejection.ts';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../../limits/booking-system-failure.ts';
import type { StoredDocument } from '../../parsing/owned-memory.ts';
import { createBudgetMeter } from '../shared/budget-meter.ts';
import type { DocumentSource } from '../shared/documents/document-source.ts';
import { createLatest, type Dated, type Latest } from '../shared/documents/latest.ts';
import type { Intake, IntakeOrder } from '../shared/intake/intake.ts';
import type { ListingContext } from '../shared/listings/listing.ts';
import type { CardEntry } from './catalogue.ts';

/** An accepted card: its entries by reference, and the report about it. */
export type AcceptedCard = {
  readonly entries: ReadonlyMap<string, CardEntry>;
  readonly reading: CatalogueReading;
  /** Of its bytes, which are not cached. Null for the stored card of an earlier process. */
  readonly digest: string | null;
  readonly version: string | null;
};

/** The last accepted card, and ways to read it again. */
export type LatestCard = Pick<Latest<AcceptedCard>, 'fresh' | 'ageOf' | 'close'> & {
  /** Reads the source. If it is out of reach, returns the last card. */
  refreshed(signal: AbortSignal): Promise<AcceptedCard>;
  /** The last card, of any age; after a restart the stored one. */
  accepted(signal: AbortSignal): Promise<AcceptedCard | undefined>;
};

/** Failures to reach the card, not of the card itself. */
const OUT_OF_REACH: ReadonlySet<FailureKind> = new Set([
  'timeout',
  'unreachable',
  'rate_limited',
  'server_error',
]);

export function createLatestCard({
  source,
  stored,
  parameters,
  intake,
  clock,
  budget,
  maxAgeMs,
  onLastUsed,
}: {
  readonly source: DocumentSource;
  readonly stored: StoredDocument;
  readonly parameters: Omit<ListingContext, 'places'>;
  readonly intake: Intake;
  readonly clock: Clock;
  readonly budget: BrandBudget;
  readonly maxAgeMs: number;
  readonly onLastUsed: (failure: BookingSystemFailure) => void;
}): LatestCard {
  const latest = createLatest<AcceptedCard>({
    clock,
    maxAgeMs,
    onLastUsed,
    async read({ known, urgency: lane, signal }) {
      // The version of the accepted card, not of the last reading: a refused card is read and refused again.
      const answer = await source.read({ version: known?.version ?? null, signal });
      if (answer.kind === 'unchanged') {
        if (known) return known;
        throw new BookingSystemFailure('garbled', 'a card was called unchanged that was never read');
      }
      const { bytes, digest, version } = answer;
      if (known && digest !== null && digest === known.digest) return { ...known, version };
      const { card, document } = await read({ document: bytes, lane, signal, returnsDocument: true });
      if (document) await stored.save(document);
      return { ...card, digest, version };
    },
  });

  async function read(
    order: Required<Pick<IntakeOrder, 'document' | 'lane' | 'signal' | 'returnsDocument'>>,
  ) {
    const entries = new Map<string, CardEntry>();
    const meter = createBudgetMeter(budget);
    const { summary, document } = await intake.run({
      task: 'rate_card',
      brand: parameters.brand,
      parameters,
      ...order,
      take(some, bytes) {
        meter.kept(some.length, bytes);
        for (const entry of some) entries.set(entry.property.reference, entry);
      },
    });
    const properties = Array.from(entries.values(), ({ property }) => property);
    return { card: { entries, reading: { properties, ...summary } }, document };
  }

  async function accepted(signal: AbortSignal): Promise<AcceptedCard | undefined> {
    const last: Dated<AcceptedCard> | undefined = latest.last();
    if (last) return last.content;
    const document = await stored.read();
    if (document === undefined) return latest.last()?.content;
    const { card } = await read({ document, signal, lane: 'background', returnsDocument: false });
    return latest.restore({ ...card, digest: null, version: null }).content;
  }

  return {
    fresh: latest.fresh,
    ageOf: latest.ageOf,
    close: latest.close,
    accepted,
    async refreshed(signal) {
      try {
        return (await latest.read('background', signal)).content;
      } catch (error) {
        if (signal.aborted) throw new BookingSystemFailure('timeout', 'the reading was given up');
        const isOutOfReach = error instanceof BookingSystemFailure && OUT_OF_REACH.has(error.kind);
        const last = isOutOfReach ? await accepted(signal) : undefined;
        if (!isOutOfReach || !last) throw error;
        onLastUsed(error);
        return last;
      }
    },
  };
}
