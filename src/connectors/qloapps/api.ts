import { type Day, formatDay } from '../../stay/day.ts';
import { CredentialsRefused } from '../shared/account/vendor-failure.ts';
import type { IntakeTaskName } from '../shared/intake/intake.ts';
import type { VendorAnswer, VendorCall, VendorCalls } from '../shared/vendors/vendor-calls.ts';

type Read<Name extends IntakeTaskName> = Omit<
  VendorCall<Name>,
  'method' | 'path' | 'headers' | 'body' | 'maxBytes'
>;
type ListQuery = Readonly<Record<string, string>>;

/** The calls to the web service. They reject when the key is invalid, or not allowed to use the resource. */
export type QloappsCalls = {
  list<Name extends IntakeTaskName>(
    resource: string,
    query: ListQuery,
    call: Read<Name>,
  ): Promise<VendorAnswer<Name>>;
  /** Undefined when the key may not read the resource. */
  listIfAllowed<Name extends IntakeTaskName>(
    resource: string,
    call: Read<Name>,
  ): Promise<VendorAnswer<Name> | undefined>;
  /** Requests prices: availability, rates and inventory. */
  ari<Name extends IntakeTaskName>(question: AriQuestion, call: Read<Name>): Promise<VendorAnswer<Name>>;
};

/** The request of `POST /api/hotel_ari`. Identifiers are digits, so they need no escaping. */
type AriQuestion = {
  readonly hotel: string;
  /** Default: all room types of the hotel. */
  readonly roomType?: string | undefined;
  readonly from: Day;
  readonly to: Day;
  /** Default: one person, assumed by QloApps. */
  readonly adults?: number;
  /** Prices each night separately, regardless of the minimum stay. */
  readonly byNight?: boolean;
};

const LIST_BYTES = 16 * 1024 * 1024;
/** Nightly prices are large answers. */
const NIGHTS_BYTES = 16 * 1024 * 1024;
const PRICES_BYTES = 4 * 1024 * 1024;
/** The key is invalid or may not use the resource; or it may use the resource, but not with this method. */
const REFUSED = [401, 405];

export function createQloappsCalls(calls: VendorCalls, account: string): QloappsCalls {
  const listed = <Name extends IntakeTaskName>(resource: string, query: ListQuery, call: Read<Name>) => {
    const parameters = new URLSearchParams({ output_format: 'JSON', display: 'full', ...query });
    const path = `/api/${resource}?${parameters}`;
    return calls.readUnless(REFUSED, { ...call, path, maxBytes: LIST_BYTES });
  };
  const refusal = (use: string) =>
    new CredentialsRefused(
      `QloApps does not accept the api_key of the account ${account}, or the key may not ${use}`,
    );
  return {
    async list(resource, query, call) {
      const answer = await listed(resource, query, call);
      if (!answer) throw refusal(`view (GET) ${resource}`);
      return answer;
    },
    listIfAllowed: (resource, call) => listed(resource, {}, call),
    async ari(question, call) {
      const answer = await calls.readUnless(REFUSED, {
        ...call,
        method: 'POST',
        path: '/api/hotel_ari?output_format=JSON',
        headers: { 'content-type': 'text/xml' },
        body: ariRequest(question),
        maxBytes: question.byNight === undefined ? PRICES_BYTES : NIGHTS_BYTES,
      });
      if (!answer) throw refusal('add (POST) to hotel_ari');
      return answer;
    },
  };
}

export function ariRequest({ hotel, roomType, from, to, adults, byNight = false }: AriQuestion): string {
  const occupancy =
    adults === undefined
      ? ''
      : `<associations><room_occupancies><room_occupancy><adults>${adults}</adults><children>0</children></room_occupancy></room_occupancies></associations>`;
  const members = [
    `<id_hotel>${hotel}</id_hotel>`,
    `<date_from>${formatDay(from)}</date_from>`,
    `<date_to>${formatDay(to)}</date_to>`,
    roomType === undefined ? '' : `<id_room_type>${roomType}</id_room_type>`,
    '<get_available_rooms>1</get_available_rooms>',
    byNight ? '<date_wise_breakdown>1</date_wise_breakdown>' : '',
    occupancy,
  ];
  return `<qloapps><hotel_ari>${members.join('')}</hotel_ari></qloapps>`;
}
