import { PAYLOAD_FIELDS } from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';
import { askedFields } from './asked-fields.ts';
import type { Completed } from './complete-search.ts';
import type { Decision } from './decide-step.ts';
import { withoutDisputed } from './disputed-values.ts';
import { type FieldFault, NO_DETAILS } from './refusal.ts';
import type { SuppliedValue } from './supplied-values.ts';
import { isAskedField } from './take-values.ts';
import { fieldInTheWay, type RefusedHomes } from './ways-on.ts';

/**
 * The index offers a stay that every operator has refused by a rule a moment ago. It is refused like one that the index does
 * not offer: the field that stands in the way is asked for again, with values nearby.
 */
export function refuseStay(
  decision: Extract<Decision, { kind: 'quote' }>,
  supplied: readonly SuppliedValue[],
  { refused, waysOn }: Extract<Completed, { kind: 'just_refused' }>,
): Extract<Decision, { kind: 'refused' }> & { readonly refused: RefusedHomes } {
  const field = fieldInTheWay(refused);
  const ways = waysOn[field] ?? [];
  const fault: FieldFault = {
    ...NO_DETAILS,
    code: 'invalid_value',
    field,
    // The rules of the operators are not the index's, so their facts are not known.
    reason: { code: 'nothing_free' },
    suggestions: ways.map(([{ value }]) => value),
  };
  const { payload } = decision.session;
  const left = withoutDisputed(payload, [field], askedFields(decision.session));
  const session: Session = { ...decision.session, payload: left, operatorsSilent: false };
  const lost = PAYLOAD_FIELDS.filter((one) => payload[one] !== undefined && left[one] === undefined);
  const { cleared, refusal } = decision;
  const isTaken = (name: string) =>
    name === 'amenities' || (isAskedField(name, session) && left[name] !== undefined);
  const refusedBefore = new Set(refusal?.faults.map((one) => one.field));
  return {
    kind: 'refused',
    session,
    cleared: { ...cleared, fields: [...cleared.fields, ...lost.filter((one) => one !== field)] },
    refused,
    refusal: {
      faults: [fault, ...(refusal?.faults ?? [])],
      accepted: [...askedFields(session).order, 'amenities' as const].filter(
        (name) => isTaken(name) && !refusedBefore.has(name) && supplied.some((one) => one.field === name),
      ),
      corrections: ways[0] ?? [],
      clearing: [],
      carried: [],
    },
  };
}
