import { Type } from 'typebox';
import { invalid, valid } from '../../parsing/reading.ts';
import { serverAddress } from '../../parsing/web-address.ts';
import { parseDay } from '../../stay/day.ts';
import { cancellationTextMember, createVendorConnector } from '../shared/vendors/vendor-connector.ts';
import { createQloappsBookingSystem } from './qloapps-booking-system.ts';

/** QloApps, through its web service. */
export const qloappsConnector = createVendorConnector({
  kind: 'qloapps',
  // QloApps has no limits of its own. These leave a small server enough for its guests.
  defaults: {
    // Everybody hosts their own, so there is none to default to.
    url: '',
    windows: [{ requests: 10, perMs: 1000 }],
    limits: { batchSize: 50, concurrency: 2, timeoutMs: 5000 },
  },
  members: {
    url: Type.String({
      description:
        'Base address of the website that runs QloApps; its web service is below /api. https; http only to this machine.',
    }),
    pictures_url: Type.Optional(
      Type.String({
        description:
          'Base address of the pictures, where they are not below that of the website. Its host must be one of the brand’s.',
      }),
    ),
    last_booking_date: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
        description:
          'The last day of departure for which the website takes bookings, for hotels that follow the global setting, which the web service does not show.',
      }),
    ),
    minimum_booking_offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 365,
        default: 0,
        description:
          'How many days before arrival a room is booked at the latest, for hotels that follow the global setting, which the web service does not show.',
      }),
    ),
    refund_rules_apply: Type.Optional(
      Type.Boolean({
        description:
          'Whether refunds are switched on for the whole website, with the rules of each hotel in the order of their days, the most days first: the web service shows neither. Left out: nothing is derived from the rules.',
      }),
    ),
    booking_mode: Type.Optional(
      Type.Enum(['instant', 'request'], {
        default: 'instant',
        description: 'How a stay is booked on the website.',
      }),
    ),
    cancellation_text: cancellationTextMember(
      'The operator’s cancellation policy in its own words. Left out: the refund rules of the hotel where they apply, else its policies, which hold other things too.',
    ),
  },
  documentation: {
    title: 'QloApps',
    text: 'For a website that runs [QloApps](connectors/qloapps.md), through its web service. Each room type is a property to compare.',
    stayUrl:
      '{url}/index.php?id_product={reference}&controller=product&date_from={check_in}&date_to={check_out}',
  },
  credentials: {
    api_key: {
      title:
        'Web service key that may view (GET) hotels, room_types, hotel_features and room_type_features, and add (POST) to hotel_ari',
      found: 'created in the back office of QloApps under Advanced Parameters, Web Service',
    },
  },
  // Fees that QloApps adds to every booking apart from the price of the room are not in the price that it names.
  canStateAllInTotals: false,
  read(entry, secrets) {
    const pictures = serverAddress(entry.pictures_url ?? entry.url);
    if (pictures.kind === 'invalid')
      return invalid({ pointer: '/pictures_url', message: pictures.faults.join('; ') });
    const { last_booking_date: date } = entry;
    const lastDay = date === undefined ? null : parseDay(date);
    if (lastDay === undefined)
      return invalid({ pointer: '/last_booking_date', message: 'is a day that does not exist' });
    return valid({
      apiKey: secrets.api_key,
      picturesUrl: pictures.value.replace(/\/+$/, ''),
      bookableUntil: lastDay,
      bookingMode: entry.booking_mode ?? 'instant',
      cancellationText: entry.cancellation_text ?? null,
      leadDays: entry.minimum_booking_offset ?? 0,
      refundRulesApply: entry.refund_rules_apply ?? null,
    });
  },
  connect: createQloappsBookingSystem,
});
