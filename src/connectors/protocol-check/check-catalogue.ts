import type { Place, Property } from '../../catalogue/catalogue.ts';
import { shownText } from '../../catalogue/rejections/rejected-value.ts';
import type { Rejection } from '../../catalogue/rejections/rejection.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { MAX_PAGES } from '../open/catalogue.ts';
import { readCataloguePage } from '../open/protocol.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import type { ListingContext } from '../shared/listings/listing.ts';
import { listedBefore, readListing } from '../shared/listings/listing-reader.ts';
import type { CallServer, ServerAnswer } from './call-server.ts';
import { everyFault, exampleAt, exampleListing, foundText } from './every-fault.ts';
import type { ProtocolRule, VerdictCollector } from './verdict.ts';

type PlacedListing = { readonly place: string; readonly milliseconds: number; readonly listing: unknown };

/** Reads all pages and checks every listing. Returns the homes that can be offered, for the other checks. */
export async function checkCatalogue(
  server: CallServer,
  collector: VerdictCollector,
  network: ListingContext | null,
): Promise<readonly Property[]> {
  collector.begin('http');
  collector.begin('catalogue_pages');
  const raw = await readPages(server, collector);
  if (raw === null) {
    collector.skip('catalogue_pages', 'the call failed');
    return [];
  }
  collector.begin('catalogue_listings');
  const listings = raw.map(({ listing }) => listing);
  const context = network ?? networkOf(listings);
  const homes = new Map<string, Property>();
  for (const one of raw) checkListing(one, context, homes, collector);
  if (raw.length === 0) {
    const found = 'an empty list';
    fault(collector, 'no_listings', { place: 'GET /catalogue properties', found });
  }
  const cities = new Set(homes.values().map(({ place, currency }) => `${shownText(place)} (${currency})`));
  const about = network
    ? ''
    : `, on ${context.hosts.map(shownText).join(', ')}, in ${[...cities].join(', ')}`;
  collector.passed(
    'catalogue_listings',
    `${homes.size} ${homes.size === 1 ? 'listing' : 'listings'}${about}`,
  );
  return [...homes.values()];
}

async function readPages(server: CallServer, collector: VerdictCollector): Promise<PlacedListing[] | null> {
  const listings: PlacedListing[] = [];
  const seen = new Set<string>();
  for (let query: string | null = ''; query !== null; ) {
    const place = `GET /catalogue${shownText(query)}`;
    const looped = seen.has(query);
    if (looped || seen.size >= MAX_PAGES) {
      const rule = looped ? 'page_loop' : 'too_many_pages';
      const found = looped ? 'a page that was read before' : `more than ${MAX_PAGES} pages`;
      fault(collector, rule, { place: `${place} next_page`, found });
      break;
    }
    seen.add(query);
    const page = await server.get(query);
    const nextPage = readPage(page, place, listings, collector);
    if (nextPage === undefined) return listings.length > 0 ? listings : null;
    query = nextPage === null ? null : `?page=${encodeURIComponent(nextPage.toWellFormed())}`;
    if (seen.size === 1) await checkEtag(server, collector, page);
  }
  collector.passed('catalogue_pages', `${seen.size} pages`);
  return listings;
}

/** The name of the next page; undefined when the page cannot be read. */
function readPage(
  page: ServerAnswer,
  place: string,
  listings: PlacedListing[],
  collector: VerdictCollector,
): string | null | undefined {
  const { milliseconds } = page;
  if (page.kind === 'unchanged') {
    fault(collector, 'not_modified_unasked', { place, found: 'the status 304', milliseconds });
  }
  if (page.kind !== 'document') return undefined;
  try {
    // The connector's reader checks the shape of the page; its listings are checked one by one.
    readCataloguePage(page.bytes, EMPTY_NETWORK, EMPTY_NETWORK.places).next();
    const { properties, next_page: next } = parseDocument(page.bytes) as {
      readonly properties: readonly unknown[];
      readonly next_page: string | null;
    };
    for (const [index, listing] of properties.entries()) {
      listings.push({ place: `${place} properties/${index}`, milliseconds, listing });
    }
    return next;
  } catch (error) {
    if (!(error instanceof BookingSystemFailure)) throw error;
    const rule = ruleOfDocument(error, 'page_shape');
    fault(collector, rule, { place, found: error.message, milliseconds });
    return undefined;
  }
}

function checkListing(
  { place, milliseconds, listing }: PlacedListing,
  context: ListingContext,
  homes: Map<string, Property>,
  collector: VerdictCollector,
): void {
  const example = exampleListing(context);
  const { property } = readListing(listing, context);
  const isRepeated = property !== null && homes.has(property.reference);
  const faults: readonly Rejection[] = isRepeated
    ? [listedBefore(property.reference)]
    : everyFault(listing, example, (value) => {
        const reading = readListing(value, context);
        const [first = null] = reading.rejections;
        return { faults: reading.rejections, endedBy: reading.property ? null : first };
      });
  if (property && !isRepeated) homes.set(property.reference, property);
  for (const { field, rule, reason, value, repaired = false } of faults) {
    const right = exampleAt(example, field);
    collector.fault('catalogue_listings', {
      place: `${place}${field === '' ? '' : `/${field}`}${property ? ` (${property.reference})` : ''}`,
      rule,
      found: foundText(reason, value),
      ...(right === undefined ? {} : { example: JSON.stringify(right) }),
      milliseconds,
      // The home is offered without the faulty part. A repeated listing hides another home.
      isWarning: repaired && rule !== 'listed_twice',
    });
  }
}

async function checkEtag(server: CallServer, collector: VerdictCollector, page: ServerAnswer): Promise<void> {
  if (page.kind !== 'document') return;
  collector.begin('catalogue_etag');
  const warn = (rule: ProtocolRule, found: string, milliseconds: number) =>
    collector.fault('catalogue_etag', {
      place: 'GET /catalogue',
      rule,
      found,
      milliseconds,
      isWarning: rule === 'no_etag',
    });
  const sent = page.header('etag');
  if (page.etag === null) {
    if (sent === undefined) return warn('no_etag', 'no ETag', page.milliseconds);
    return warn('etag_malformed', `ETag: ${shownText(sent)}`, page.milliseconds);
  }
  const again = await server.get('', page.etag);
  if (again.kind === 'document' && again.digest === page.digest) {
    warn('etag_ignored', 'the same page once more', again.milliseconds);
  }
}

const EMPTY_NETWORK: ListingContext = {
  brand: 'check',
  hosts: [],
  placeAliases: new Map(),
  places: new Map(),
};

/** A network built from the places and hosts of the listings, for a server that belongs to no network. */
function networkOf(listings: readonly unknown[]): ListingContext {
  const hosts = new Set<string>();
  const places = new Map<string, Place>();
  const textAt = (value: unknown, field: string) => {
    const text = exampleAt(value, field);
    return typeof text === 'string' ? text : '';
  };
  for (const listing of listings) {
    for (const address of [
      textAt(listing, 'url'),
      ...imagesOf(listing).map((image) => textAt(image, 'url')),
    ]) {
      const host = URL.parse(address)?.host;
      if (host) hosts.add(host);
    }
    const [id, currency] = [textAt(listing, 'place'), textAt(listing, 'currency')];
    if (id === '' || !/^[A-Z]{3}$/.test(currency) || places.has(id)) continue;
    places.set(id, { id, name: id, aliases: [], kind: 'city', parent: null, timeZone: 'UTC', currency });
  }
  return { ...EMPTY_NETWORK, hosts: [...hosts], places };
}

function imagesOf(listing: unknown): readonly unknown[] {
  const images =
    typeof listing === 'object' && listing !== null && 'images' in listing ? listing.images : undefined;
  return Array.isArray(images) ? images : [];
}

export function ruleOfDocument(
  { kind, message }: BookingSystemFailure,
  otherwise: ProtocolRule,
): ProtocolRule {
  if (kind === 'too_large') return 'too_large';
  return /is not (?:JSON|UTF-8)/.test(message) ? 'not_json' : otherwise;
}

function fault(
  collector: VerdictCollector,
  rule: ProtocolRule,
  where: { readonly place: string; readonly found: string; readonly milliseconds?: number },
): void {
  const check = rule === 'no_listings' ? 'catalogue_listings' : 'catalogue_pages';
  collector.fault(check, { ...where, rule });
}
