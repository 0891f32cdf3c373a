import { type Static, Type } from 'typebox';
import { type Reading, valid } from '../../reading/reading.ts';
import type { PointedFault } from '../../reading/schema-faults.ts';
import {
  type AccountEntryDefaults,
  accountEntryMembers,
  readAccountEntry,
} from '../account/account-entry.ts';
import { AccountName, createConnector, type Surroundings } from '../connector.ts';
import { createHostawayBookingSystem, type HostawayConnection } from './hostaway-booking-system.ts';

/** The limits as Hostaway's documentation states them: for an address, and for an account. */
const DEFAULTS: AccountEntryDefaults = {
  url: 'https://api.hostaway.com/v1',
  windows: [
    { requests: 15, perMs: 10_000 },
    { requests: 20, perMs: 10_000 },
  ],
  limits: { batchSize: 1, concurrency: 3, timeoutMs: 5000 },
};

const HostawayEntry = Type.Object(
  {
    kind: Type.Literal('hostaway'),
    account: AccountName,
    ...accountEntryMembers(DEFAULTS),
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
    cancellation_text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20_000,
        description:
          'The operator’s cancellation policy in its own words, for direct bookings whose policy is not named by direct_policy_id.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The public API of Hostaway. */
export const hostawayConnector = createConnector({
  entry: HostawayEntry,
  inventorySource: 'live_booking_system',
  documentation: {
    title: 'Hostaway',
    text: 'For an account at [Hostaway](connectors/hostaway.md), through its public API.',
    schemas: {},
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
  read: readHostawayEntry,
  connect: createHostawayBookingSystem,
});

function readHostawayEntry(
  entry: Static<typeof HostawayEntry>,
  _: Surroundings,
  secrets: { readonly account_id: string; readonly api_key: string },
): Reading<HostawayConnection, PointedFault> {
  const settings = readAccountEntry(entry, DEFAULTS);
  if (settings.kind === 'invalid') return settings;
  return valid({
    ...settings.value,
    account: entry.account,
    accountId: secrets.account_id,
    apiKey: secrets.api_key,
    websiteListingsOnly: entry.website_listings_only ?? false,
    directPolicy: entry.direct_policy_id === undefined ? null : String(entry.direct_policy_id),
    cancellationText: entry.cancellation_text ?? null,
  });
}
