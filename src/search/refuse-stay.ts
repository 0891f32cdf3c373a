import type { Payload, PayloadField, SearchField } from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';
import { withoutDisputed } from './accept.ts';
import { type AlternativeField, fieldToChangeFirst, type RefusedHomes } from './alternatives.ts';
import type { Completed } from './complete-search.ts';
import type { Decision } from './decision.ts';
import { FIELD_RULES } from './fields/rules.ts';
import { askedFields, isAskedField, lostFields, type SearchFacts } from './payload.ts';
import { type Correction, type FieldFault, NO_DETAILS, type SuggestedStay } from './refusal.ts';
import type { Step } from './step.ts';
import type { SuppliedValue } from './supplied-values.ts';

/** `impossible` is on offer in the index, but must not be in the answer that refuses it. */
export type RefusedStay = Extract<Decision, { kind: 'refused' }> & {
  readonly refused: RefusedHomes;
  readonly impossible: ImpossibleValue;
};

type JustRefused = Extract<Completed, { kind: 'just_refused' }>;
type Dates = Pick<SuggestedStay, 'check_in_day' | 'check_out'>;
type ImpossibleValue = { readonly field: RefusableField; readonly value: string };
/** Another value of `brand_locked` would not help. */
type RefusableField = Exclude<PayloadField, 'brand_locked'>;

/** Later fields first: changing them preserves more of the search. */
const BEFORE_A_STAY = ['check_in_day', 'check_in_month', 'destination'] as const;

/**
 * Refuses a stay that the index offers but every operator declined a moment ago, like one that the index does not offer: asks again for the
 * field to change, with nearby values.
 */
export function refuseStay(
  decision: Extract<Decision, { kind: 'quote' }>,
  supplied: readonly SuppliedValue[],
  completed: JustRefused,
  facts: SearchFacts,
): RefusedStay {
  const { refused, alternatives } = completed;
  const { payload } = decision.session;
  const asked = askedFields(decision.session);
  const field = fieldToAskFor(decision.session, refused, facts);
  const left = withoutDisputed(payload, [field], asked);
  const ways = Object.hasOwn(alternatives, field) ? (alternatives[field as AlternativeField] ?? []) : [];
  const fault: FieldFault = {
    ...NO_DETAILS,
    code: 'invalid_value',
    field,
    // The operators' rules are not in the index, so their details are unknown.
    reason: { code: 'nothing_free' },
    suggestions: ways.map(([{ value }]) => value),
  };
  const session: Session = { ...decision.session, payload: left, operatorsSilent: false };
  const lost = lostFields(payload, left);
  const { cleared, refusal } = decision;
  const isTaken = (name: string) =>
    name === 'amenities' || (isAskedField(name, session) && left[name] !== undefined);
  const refusedBefore = new Set(refusal?.faults.map((one) => one.field));
  return {
    kind: 'refused',
    session,
    cleared: { ...cleared, fields: [...cleared.fields, ...lost.filter((one) => one !== field)] },
    refused,
    impossible: { field, value: String(payload[field]) },
    refusal: {
      faults: [fault, ...(refusal?.faults ?? [])],
      accepted: [...asked.order, 'amenities' as const].filter(
        (name) => isTaken(name) && !refusedBefore.has(name) && supplied.some((one) => one.field === name),
      ),
      corrections: ways[0] ?? [],
      changing: changedBy(ways[0] ?? [], payload),
      stays: (alternatives.check_in_day ?? []).map((way) => ({
        ...(Object.fromEntries(way.map(({ field: name, value }) => [name, value])) as Dates),
        changing: changedBy(way, payload),
      })),
      clearing: [],
      carried: [],
    },
  };
}

/** Every value of an alternative differs from the stay's; an arrival may also change the month. */
function changedBy(way: readonly Correction[], { check_in_month }: Payload): readonly SearchField[] {
  const fields = way.map(({ field }) => field);
  const arrival = way.find(({ field }) => field === 'check_in_day')?.value;
  const isOtherMonth = arrival !== undefined && !arrival.startsWith(`${check_in_month}-`);
  return isOtherMonth ? ['check_in_month', ...fields] : fields;
}

/** The field to change, if it has another value on offer; otherwise the first earlier field that has. */
function fieldToAskFor(session: Session, refused: RefusedHomes, facts: SearchFacts): RefusableField {
  const asked = askedFields(session);
  const inTheWay = fieldToChangeFirst(refused);
  const hasAnother = (field: RefusableField) => {
    const payload = withoutDisputed(session.payload, [field], asked);
    const { values } = FIELD_RULES[field].offer({ session, payload, facts });
    const impossible = { field, value: String(session.payload[field]) };
    return values.some((value) => isPossible(value, impossible));
  };
  return (
    [inTheWay, ...BEFORE_A_STAY].filter((field) => asked.order.includes(field)).find(hasAnother) ?? inTheWay
  );
}

export function withoutImpossible(step: Step, impossible: ImpossibleValue): Step {
  const { field } = impossible;
  const offered = step.allowed[field] ?? [];
  return {
    ...step,
    allowed: { ...step.allowed, [field]: offered.filter((value) => isPossible(value, impossible)) },
  };
}

/** A home that declined a party takes no larger one. */
function isPossible(value: string, { field, value: refused }: ImpossibleValue): boolean {
  return field === 'guests' ? Number(value) < Number(refused) : value !== refused;
}
