import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Property } from '../../inventory/catalogue.ts';
import { BookingSystemFailure, type CatalogueReading, type HeldBack } from '../../quotes/booking-system.ts';
import type { CallOptions, JsonClient } from '../http-client.ts';
import { type ListingContext, readListing } from '../listing-reader.ts';
import { MAX_PAGE_LISTINGS, NextPage } from './protocol.ts';

const MAX_PAGES = 100;

/** Listings are checked one by one, so that a bad one does not affect the others. */
const PageShape = Type.Object({
  properties: Type.Array(Type.Unknown(), { maxItems: MAX_PAGE_LISTINGS }),
  next_page: NextPage,
});
const pageShape = Compile(PageShape);

type Page = CatalogueReading & { readonly etag: string | null; readonly nextPage: string | null };

/**
 * Reads all pages of `GET /catalogue`. The pages of the last complete reading are kept and asked for with `If-None-Match`, so
 * that the operator does not send again what has not changed.
 */
export function createCatalogueReader({
  client,
  context,
}: {
  readonly client: JsonClient;
  readonly context: ListingContext;
}): (options: CallOptions) => Promise<CatalogueReading> {
  let remembered: ReadonlyMap<string, Page> = new Map();

  async function readPage(path: string, options: CallOptions): Promise<Page> {
    const known = remembered.get(path);
    const answer = await client.get(path, { ...options, etag: known?.etag ?? null });
    if (answer.kind === 'unchanged') {
      if (known) return known;
      throw new BookingSystemFailure('garbled', 'a page was called unchanged that was never read');
    }
    if (!pageShape.Check(answer.value)) throw garbledPage(answer.value);
    const readings = answer.value.properties.map((listing) => readListing(listing, context));
    return {
      properties: readings.flatMap(({ property }) => (property ? [property] : [])),
      heldBack: readings.flatMap(({ heldBack }) => heldBack),
      etag: answer.etag,
      nextPage: answer.value.next_page,
    };
  }

  return async (options) => {
    const pages = new Map<string, Page>();
    let path: string | null = '/catalogue';
    while (path !== null) {
      if (pages.has(path))
        throw new BookingSystemFailure('garbled', 'the pages of the catalogue form a loop');
      if (pages.size >= MAX_PAGES) {
        throw new BookingSystemFailure('too_large', `the catalogue has more than ${MAX_PAGES} pages`);
      }
      const page: Page = await readPage(path, options);
      pages.set(path, page);
      path =
        page.nextPage === null ? null : `/catalogue?page=${encodeURIComponent(page.nextPage.toWellFormed())}`;
    }
    remembered = pages;
    return withoutDuplicates([...pages.values()]);
  };
}

function withoutDuplicates(pages: readonly Page[]): CatalogueReading {
  const properties = new Map<string, Property>();
  const heldBack: HeldBack[] = pages.flatMap((page) => page.heldBack);
  for (const property of pages.flatMap((page) => page.properties)) {
    if (properties.has(property.reference)) {
      heldBack.push({
        reference: property.reference,
        field: 'reference',
        reason: 'was listed before; the first listing counts',
      });
    } else {
      properties.set(property.reference, property);
    }
  }
  return { properties: [...properties.values()], heldBack };
}

function garbledPage(value: unknown): BookingSystemFailure {
  const [first] = pageShape.Errors(value);
  return new BookingSystemFailure('garbled', `catalogue page: ${first?.instancePath} ${first?.message}`);
}
