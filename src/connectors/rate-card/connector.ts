import { resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import type { PointedFault } from '../../parsing/reading.ts';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import { documentAddress, registeredHost } from '../../parsing/web-address.ts';
import { createConnector, type Surroundings } from '../connector.ts';
import { createAvailabilityFeeds } from '../icalendar/availability-feeds.ts';
import { createFeedFetcher } from '../icalendar/fetch-feed.ts';
import { createStoredNights } from '../icalendar/stored-nights.ts';
import { documentFile, documentUrl } from '../shared/documents/latest-document.ts';
import { RateCard } from './rate-card.ts';
import { createRateCardBookingSystem } from './rate-card-booking-system.ts';

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

/** A document that an operator without a booking system publishes. */
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
        connection.kind === 'file'
          ? documentFile(connection.path)
          : documentUrl({ url: connection.url, openClient }),
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
