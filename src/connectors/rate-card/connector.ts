import { resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import { type BrandBudget, DEFAULT_BRAND_BUDGET } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../../limits/booking-system-failure.ts';
import { openDeadline } from '../../limits/deadline.ts';
import { inTurns } from '../../limits/event-loop.ts';
import type { StoredDocument } from '../../parsing/owned-memory.ts';
import { invalid, type PointedFault, type Reading, valid } from '../../parsing/reading.ts';
import { documentAddress, registeredHost } from '../../parsing/web-address.ts';
import type {
  BookingSystem,
  CalendarReading,
  CallLimits,
  QuoteOutcome,
  QuoteRequest,
  StillReading,
} from '../../quotes/booking-system.ts';
import { createConnector, type Surroundings } from '../connector.ts';
import {
  type AvailabilityFeeds,
  createAvailabilityFeeds,
  type FeedLoss,
  type FeedsReading,
  takesANight,
  UNREADABLE_FEEDS,
} from '../icalendar/availability-feeds.ts';
import { createFeedFetcher } from '../icalendar/fetch-feed.ts';
import { createStoredNights } from '../icalendar/stored-nights.ts';
import { type DocumentSource, documentFile, documentUrl } from '../shared/documents/document-source.ts';
import type { Intake } from '../shared/intake/intake.ts';
import type { ListingContext } from '../shared/listings/listing.ts';
import { readCalendar, readFeedsOfHomes } from './calendar.ts';
import { type AcceptedCard, createLatestCard } from './latest-card.ts';
import { quoteOne } from './quote.ts';
import { RateCard } from './rate-card.ts';

const RateCardEntry = Type.Object(
  {
    kind: Type.Literal('rate-card'),
    file: Type.Optional(Type.String({ description: 'Path of the document, relative to the network file.' })),
    url: Type.Optional(
      Type.String({ description: 'Address from which it is read. https; http only to this machine.' }),
    ),
    feed_hosts: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 20,
        description:
          'host or host:port of iCalendar feeds whose address need not be public, if STAYWIRE_OPERATOR_NETWORKS allows it. Feeds on other hosts must be at public addresses.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Exactly one of file and url.' },
);

type RateCardConnection = (
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string }
) & { readonly feedHosts: readonly string[] };

/** Connects operators without a booking system, who publish a rate card. */
export const rateCardConnector = createConnector({
  entry: RateCardEntry,
  inventorySource: 'rate_card',
  documentation: {
    title: 'Rate card',
    text: `For a [rate card](operator-protocol.md#without-a-booking-system-the-rate-card), exactly one of \`file\` and \`url\`. Each price
reads the rate card again if it has changed: by the ETag of a URL, by the time and size of a file. The
last accepted card stays in use while its source cannot be reached, for prices at most \`STAYWIRE_RATE_CARD_MAX_AGE\`
seconds after its last reading; a document that is not a rate card never replaces it. Its homes may name
[iCalendar feeds](connectors/icalendar.md) with taken nights. The operator writes their addresses, so they must be public ones; \`feed_hosts\` names the
hosts (with \`:port\` unless it is the default) for which the exceptions of \`STAYWIRE_OPERATOR_NETWORKS\` hold.`,
    schemas: { RateCard },
  },
  read: readRateCardEntry,
  connect: (connection, { openClient, stored, feedPace, isForeign, ...tools }) =>
    createRateCardBookingSystem({
      source:
        connection.kind === 'file' ? documentFile(connection.path) : documentUrl(connection.url, openClient),
      stored: stored('rate_card'),
      feeds: createAvailabilityFeeds({
        fetcher: createFeedFetcher(openClient, connection.feedHosts),
        stored: createStoredNights({ stored, clock: tools.clock }),
        brand: tools.context.brand,
        clock: tools.clock,
        intake: tools.intake,
        maxAgeMs: tools.maxDocumentAgeMs,
        pace: feedPace,
        isForeign,
        onLastFeedUsed: tools.onLastDocumentUsed,
      }),
      ...tools,
    }),
});

export function readRateCardEntry(
  { file, url, feed_hosts: namedHosts = [] }: Omit<Static<typeof RateCardEntry>, 'kind'>,
  { directory }: Pick<Surroundings, 'directory'>,
): Reading<RateCardConnection, PointedFault> {
  const hosts = namedHosts.map(registeredHost);
  const feedHosts = hosts.filter((host) => host !== undefined);
  if (feedHosts.length < hosts.length) {
    const pointer = `/feed_hosts/${hosts.indexOf(undefined)}`;
    return invalid({ pointer, message: 'must be a host name, with :port where it has one' });
  }
  if (file !== undefined && url === undefined)
    return valid({ kind: 'file', path: resolve(directory, file), feedHosts });
  if (url === undefined || file !== undefined) {
    return invalid({ pointer: '', message: 'must have exactly one of file and url' });
  }
  const address = documentAddress(url);
  if (address.kind === 'invalid') return invalid({ pointer: '/url', message: address.faults.join('; ') });
  return valid({ kind: 'url', url: address.value, feedHosts });
}

/** Large batches, because one reading of the card prices any number of stays. */
const LIMITS: CallLimits = { batchSize: 50, concurrency: 8, timeoutMs: 4000 };
/** Ten homes with a hundred seasons and a thousand bookings each take a few milliseconds. */
const HOMES_A_TURN = 10;
/** Of the four seconds of a quote call, including the reading of the card. */
const MAX_FEEDS_FOR_A_PRICE_MS = 3500;
/** Long, because feeds wait for turns on hosts shared with other brands; each reading has its own time limit. */
const MAX_QUIET_FOR_FEEDS_MS = 3_600_000;

/**
 * A booking system for operators without one: prices, rules and booked nights come from a document that the operator publishes.
 * `catalogue` and `quote` read it again; calendars come from the document accepted last.
 */
export function createRateCardBookingSystem({
  source,
  stored,
  feeds = UNREADABLE_FEEDS,
  context,
  clock,
  intake,
  budget = DEFAULT_BRAND_BUDGET,
  maxDocumentAgeMs,
  onLastDocumentUsed = () => undefined,
  onNightsLost = () => undefined,
}: {
  readonly source: DocumentSource;
  readonly stored: StoredDocument;
  /** Reads the availability feeds that the card names. */
  readonly feeds?: AvailabilityFeeds;
  readonly context: ListingContext;
  readonly clock: Clock;
  readonly intake: Intake;
  readonly budget?: BrandBudget;
  /** How long prices come from the last successful reading while the card cannot be read. */
  readonly maxDocumentAgeMs: number;
  /** Called when the card cannot be fetched or read, and the card accepted last is used instead. */
  readonly onLastDocumentUsed?: (failure: BookingSystemFailure) => void;
  /** Called once for each loss: a feed of a home lost most of its nights, which still count as taken. */
  readonly onNightsLost?: (reference: string, loss: FeedLoss) => void;
}): BookingSystem {
  const { places, ...parameters } = context;
  const card = createLatestCard({
    source,
    stored,
    parameters,
    intake,
    clock,
    budget,
    maxAgeMs: maxDocumentAgeMs,
    onLastUsed: onLastDocumentUsed,
  });
  let retainedFor: AcceptedCard['entries'] | undefined;
  /** By reference, the start of the loss last warned of. */
  const warnedOf = new Map<string, number>();

  function warnOf(reference: string, reading: FeedsReading): void {
    const [loss] = reading.kind === 'known' ? reading.lost : [];
    if (!loss) warnedOf.delete(reference);
    if (!loss || warnedOf.get(reference) === loss.since) return;
    warnedOf.set(reference, loss.since);
    onNightsLost(reference, loss);
  }

  async function feedsOf(
    { entries }: AcceptedCard,
    references: readonly string[],
    ...rest: Parameters<typeof readFeedsOfHomes> extends [unknown, unknown, ...infer Rest] ? Rest : never
  ): Promise<ReadonlyMap<string, FeedsReading>> {
    const homes = references.flatMap((reference) => entries.get(reference) ?? []);
    const readings = await readFeedsOfHomes(homes, feeds, ...rest);
    for (const [reference, reading] of readings) warnOf(reference, reading);
    return readings;
  }

  /** A new version of the card can name other feeds; the old ones are never read again. */
  async function forgetOtherFeeds({ entries }: AcceptedCard): Promise<void> {
    if (retainedFor === entries) return;
    retainedFor = entries;
    await feeds.retain(entries.values().flatMap((entry) => entry.feeds));
  }

  return {
    brand: parameters.brand,
    limits: LIMITS,
    catalogue: async (signal) => (await card.refreshed(signal)).reading,
    async calendars(references, horizon, signal, stillReading: StillReading = () => undefined) {
      const current = (await card.accepted(signal)) ?? (await card.refreshed(signal));
      await forgetOtherFeeds(current);
      const onHomeRead = () => stillReading(MAX_QUIET_FOR_FEEDS_MS);
      onHomeRead();
      const taken = await feedsOf(current, references, 'calendar', signal, onHomeRead);
      if (signal.aborted) throw new BookingSystemFailure('timeout', 'the reading was given up');
      const readings = new Map<string, CalendarReading>();
      await inTurns(references, HOMES_A_TURN, (reference) =>
        readings.set(reference, readCalendar(current.entries.get(reference), horizon, taken.get(reference))),
      );
      return readings;
    },
    async quote(request, signal) {
      const references = [...new Set(request.references)];
      const all = (failure: FailureKind) =>
        references.map((reference): QuoteOutcome => ({ kind: 'failed', reference, failure }));
      if (signal.aborted) return all('timeout');
      const deadline = openDeadline({ clock, timeoutMs: MAX_FEEDS_FOR_A_PRICE_MS, parent: signal });
      try {
        const dated = await card.fresh(signal);
        const current = dated.content;
        // From the age: if the wall clock was set back, a stored time would lie in the future.
        const retrievedAt = Math.floor(clock.now() - card.ageOf(dated));
        const outcomes: QuoteOutcome[] = [];
        await inTurns(references, HOMES_A_TURN, (reference) => {
          const entry = current.entries.get(reference);
          const timeZone = entry && places.get(entry.property.place)?.timeZone;
          outcomes.push(quoteOne(entry, reference, request, { timeZone, now: clock.now(), retrievedAt }));
        });
        const priced = outcomes.flatMap(({ kind, reference }) => (kind === 'quoted' ? [reference] : []));
        // The price does not wait for the write, and a failed write does not affect it.
        forgetOtherFeeds(current).catch(() => undefined);
        const taken = await feedsOf(current, priced, 'price', deadline.signal);
        return outcomes.map((outcome) => unlessTaken(outcome, request, taken.get(outcome.reference)));
      } catch (error) {
        if (signal.aborted) return all('timeout');
        return all(error instanceof BookingSystemFailure ? error.kind : 'unreachable');
      } finally {
        deadline.close();
      }
    },
    leads: feeds.leads,
    async close() {
      card.close();
      await Promise.all([feeds.close(), source.close()]);
    },
  };
}

/** The outcome according to the card, unless a feed takes one of its nights. */
function unlessTaken(
  outcome: QuoteOutcome,
  { checkIn, checkOut }: QuoteRequest,
  taken: FeedsReading | undefined,
): QuoteOutcome {
  if (outcome.kind !== 'quoted' || !taken) return outcome;
  const { reference } = outcome;
  if (taken.kind === 'unknown') return { kind: 'failed', reference, failure: taken.failure.kind };
  if (!takesANight(taken.ranges, checkIn, checkOut)) return outcome;
  return { kind: 'unavailable', reference, reason: 'booked' };
}
