import { PAYLOAD_FIELDS, type Payload } from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';

/** After a change the old result can still be read, but it no longer answers the search. */
export function withoutCurrentResult(session: Session): Session {
  const { result } = session;
  return {
    ...session,
    result: result && { answersPayload: false, amenityOffers: [] },
    operatorsSilent: false,
  };
}

/** A result goes on answering the search when the values are those that it has. */
export function withPayload(session: Session, payload: Payload): Session {
  const isSame = PAYLOAD_FIELDS.every((field) => session.payload[field] === payload[field]);
  return isSame ? session : withoutCurrentResult({ ...session, payload });
}
