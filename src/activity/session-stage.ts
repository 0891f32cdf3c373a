import type { PayloadField } from '../contract/payload-fields.ts';
import { askedFields } from '../search/asked-fields.ts';
import type { Refusal } from '../search/refusal.ts';
import type { Session } from '../sessions/session.ts';

/** The field that is asked for next, `prices` once all are given, and `completed` for good once a result had an option with a price. */
export type SessionStage = PayloadField | 'prices' | 'completed';

export function stageOf(session: Session): SessionStage {
  if (session.hasHadPrices) return 'completed';
  return askedFields(session).order.find((field) => session.payload[field] === undefined) ?? 'prices';
}

/** The first thing that was refused, in our words only: a field with its reason, or another error code. */
export function refusalLabel({ faults: [{ code, field, reason }] }: Refusal): string {
  return field !== null && reason !== null ? `${field}:${reason.code}` : code;
}
