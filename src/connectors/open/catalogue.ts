import type { BrandBudget, Property } from '../../catalogue/catalogue.ts';
import type { CatalogueReading } from '../../catalogue/rejections/rejection.ts';
import { createRejectionReport, type RejectionReport } from '../../catalogue/rejections/rejection.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { CallOptions, JsonClient } from '../../outbound/operator-client.ts';
import { weightOf } from '../../parsing/owned-memory.ts';
import type { StillReading } from '../../quotes/booking-system.ts';
import { type BudgetMeter, createBudgetMeter } from '../shared/budget-meter.ts';
import type { Intake } from '../shared/intake/intake.ts';
import type { ListingContext } from '../shared/listings/listing.ts';
import { listedBefore } from '../shared/listings/listing-reader.ts';
import type { PageSummary } from './protocol.ts';

export const MAX_PAGES = 100;

/** The cached facts of a page, which identify it and its listings. */
type KnownPage = PageSummary & {
  readonly etag: string | null;
  readonly digest: string | null;
  readonly references: readonly string[];
  readonly bytes: number;
};

/** The state of one reading. */
type Gathered = {
  readonly properties: Map<string, Property>;
  readonly report: RejectionReport;
  readonly meter: BudgetMeter;
};

/**
 * Reads all pages of `GET /catalogue`, one by one. Reuses a page whose ETag or bytes are the same as in the last complete reading.
 * Stores only the accepted listings of a page.
 */
export function createCatalogueReader({
  client,
  context,
  intake,
  budget,
}: {
  readonly client: JsonClient;
  readonly context: ListingContext;
  readonly intake: Intake;
  readonly budget: BrandBudget;
}): (options: CallOptions, stillReading?: StillReading) => Promise<CatalogueReading> {
  const { places: _, ...brandContext } = context;
  let knownPages: ReadonlyMap<string, KnownPage> = new Map();
  let knownProperties: ReadonlyMap<string, Property> = new Map();

  async function readPage(path: string, gathered: Gathered, options: CallOptions): Promise<KnownPage> {
    const known = knownPages.get(path);
    const answer = await client.get(path, { ...options, etag: known?.etag ?? null });
    if (answer.kind === 'unchanged') {
      if (known) return takeAgain(known, gathered);
      throw new BookingSystemFailure('garbled', 'a page was called unchanged that was never read');
    }
    gathered.meter.sent(answer.bytes.byteLength);
    const { etag, digest } = answer;
    if (known && digest !== null && digest === known.digest) return { ...takeAgain(known, gathered), etag };
    return readNewPage(answer.bytes, { etag, digest }, gathered, options.signal);
  }

  async function readNewPage(
    document: Parameters<Intake['run']>[0]['document'],
    identity: Pick<KnownPage, 'etag' | 'digest'>,
    gathered: Gathered,
    signal: AbortSignal,
  ): Promise<KnownPage> {
    const references: string[] = [];
    let keptBytes = 0;
    let repeated = 0;
    const { summary } = await intake.run({
      task: 'catalogue_page',
      lane: 'background',
      brand: context.brand,
      document,
      parameters: brandContext,
      signal,
      take(properties, bytes) {
        const accepted = properties.filter((property) => add(property, gathered));
        const acceptedBytes = accepted.length === properties.length ? bytes : weightOf(accepted);
        gathered.meter.kept(accepted.length, acceptedBytes);
        keptBytes += acceptedBytes;
        repeated += properties.length - accepted.length;
        for (const { reference } of accepted) references.push(reference);
      },
    });
    gathered.report.add(summary.rejections, summary.notListed, summary.counts);
    return recognisable({ ...summary, ...identity, references, bytes: keptBytes }, repeated === 0);
  }

  function takeAgain(page: KnownPage, gathered: Gathered): KnownPage {
    const properties = page.references.flatMap((reference) => knownProperties.get(reference) ?? []);
    const accepted = properties.filter((property) => add(property, gathered));
    gathered.meter.kept(accepted.length, page.bytes);
    gathered.report.add(page.rejections, page.notListed, page.counts);
    return recognisable(
      { ...page, references: accepted.map(({ reference }) => reference) },
      accepted.length === page.references.length,
    );
  }

  return async (options, stillReading) => {
    const pages = new Map<string, KnownPage>();
    const gathered: Gathered = {
      properties: new Map(),
      report: createRejectionReport(),
      meter: createBudgetMeter(budget),
    };
    let path: string | null = '/catalogue';
    while (path !== null) {
      if (pages.has(path))
        throw new BookingSystemFailure('garbled', 'the pages of the catalogue form a loop');
      if (pages.size >= MAX_PAGES) {
        throw new BookingSystemFailure('too_large', `the catalogue has more than ${MAX_PAGES} pages`);
      }
      const page: KnownPage = await readPage(path, gathered, options);
      pages.set(path, page);
      stillReading?.();
      path =
        page.nextPage === null ? null : `/catalogue?page=${encodeURIComponent(page.nextPage.toWellFormed())}`;
    }
    knownPages = pages;
    knownProperties = gathered.properties;
    return { properties: [...gathered.properties.values()], ...gathered.report.all() };
  };
}

/** False for a listing that an earlier page already had. */
function add(property: Property, { properties, report }: Gathered): boolean {
  const isNew = !properties.has(property.reference);
  if (isNew) properties.set(property.reference, property);
  else report.add([listedBefore(property.reference)]);
  return isNew;
}

/** A page with listings repeated from earlier pages is read again each time: the next reading may find them only here. */
function recognisable(page: KnownPage, isWhole: boolean): KnownPage {
  return isWhole ? page : { ...page, etag: null, digest: null };
}
