import { Type } from 'typebox';
import { valid } from '../../parsing/reading.ts';
import { cancellationTextMember, createVendorConnector } from '../shared/vendors/vendor-connector.ts';
import { createHostawayBookingSystem } from './hostaway-booking-system.ts';

/** The public API of Hostaway. */
export const hostawayConnector = createVendorConnector({
  kind: 'hostaway',
  // The limits as Hostaway's documentation states them: for an address, and for an account.
  defaults: {
    url: 'https://api.hostaway.com/v1',
    windows: [
      { requests: 15, perMs: 10_000 },
      { requests: 20, perMs: 10_000 },
    ],
    limits: { batchSize: 1, concurrency: 3, timeoutMs: 5000 },
  },
  members: {
    website_listings_only: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Only listings that are active on the operator’s Hostaway website.',
      }),
    ),
    direct_policy_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'The cancellation policy of direct bookings. Left out: cancellation_text, or else the words of the policy that each listing names, which Hostaway calls the policy of other channels.',
      }),
    ),
    cancellation_text: cancellationTextMember(
      'The operator’s cancellation policy in its own words, for direct bookings whose policy is not named by direct_policy_id.',
    ),
  },
  documentation: {
    title: 'Hostaway',
    text: 'For an account at [Hostaway](connectors/hostaway.md), through its public API.',
  },
  credentials: {
    account_id: {
      title: 'Hostaway account ID',
      found: 'in the Hostaway dashboard under Settings, Hostaway API',
    },
    api_key: {
      title: 'API key',
      found: 'created in the Hostaway dashboard under Settings, Hostaway API, and shown there once',
    },
  },
  // The vendor does not say that a total holds every tax and fee.
  canStateAllInTotals: false,
  read: (entry, secrets) =>
    valid({
      accountId: secrets.account_id,
      apiKey: secrets.api_key,
      websiteListingsOnly: entry.website_listings_only ?? false,
      directPolicy: entry.direct_policy_id === undefined ? null : String(entry.direct_policy_id),
      cancellationText: entry.cancellation_text ?? null,
    }),
  connect: createHostawayBookingSystem,
});
