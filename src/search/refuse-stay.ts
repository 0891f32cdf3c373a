import {
  PAYLOAD_FIELDS,
  type Payload,
  type PayloadField,
  type SearchField,
} from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';
import { fieldInTheWay, type RefusedHomes, type WayField } from './alternatives.ts';
import { askedFields } from './asked-fields.ts';
import type { Completed } from './complete-search.ts';
import type { Decision } from './decide-step.ts';
import { withoutDisputed } from './disputed-values.ts';
import { offerOf } from './fields/rules.ts';
import { type Correction, type FieldFault, NO_DETAILS, type SuggestedStay } from './refusal.ts';
import type { SearchFacts } from './search-facts.ts';
import type { Step } from './step.ts';
import type { SuppliedValue } from './supplied-values.ts';
import { isAskedField } from './take-values.ts';

/** `impossible` is on offer in the index, but must not be in the answer that refuses it. */
export type RefusedStay = Extract<Decision, { kind: 'refused' }> & {
  readonly refused: RefusedHomes;
  readonly impossible: ImpossibleValue;
};

type JustRefused = Extract<Completed, { kind: 'just_refused' }>;
type Dates = Pick<SuggestedStay, 'check_in_day' | 'check_out'>;
type ImpossibleValue = { readonly field: RefusableField; readonly value: string };
/** Whose brand a stay is decides nothing that another value would mend. */
type RefusableField = Exclude<PayloadField, 'brand_locked'>;

/** The later is looked at first: it leaves more of the search as it is. */
const BEFORE_A_STAY = ['check_in_day', 'check_in_month', 'destination'] as const;

/**
 * The index offers a stay that every operator has refused by a rule a moment ago. It is refused like one that the index does
 * not offer: the field that stands in the way is asked for again, with values nearby.
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
  const ways = Object.hasOwn(alternatives, field) ? (alternatives[field as WayField] ?? []) : [];
  const fault: FieldFault = {
    ...NO_DETAILS,
    code: 'invalid_value',
    field,
    // The rules of the operators are not the index's, so their facts are not known.
    reason: { code: 'nothing_free' },
    suggestions: ways.map(([{ value }]) => value),
  };
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

/** Every value of a way on is another than the stay has; an arrival may bring another month along. */
function changedBy(way: readonly Correction[], { check_in_month }: Payload): readonly SearchField[] {
  const fields = way.map(({ field }) => field);
  const arrival = way.find(({ field }) => field === 'check_in_day')?.value;
  const isOtherMonth = arrival !== undefined && !arrival.startsWith(`${check_in_month}-`);
  return isOtherMonth ? ['check_in_month', ...fields] : fields;
}

/** The one that stands in the way, or else the first of those that decide what it can be and has another value. */
function fieldToAskFor(session: Session, refused: RefusedHomes, facts: SearchFacts): RefusableField {
  const asked = askedFields(session);
  const inTheWay = fieldInTheWay(refused);
  const hasAnother = (field: RefusableField) => {
    const payload = withoutDisputed(session.payload, [field], asked);
    const { values } = offerOf(field, { session, payload, facts });
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

/** Who does not take a party does not take a larger one. */
function isPossible(value: string, { field, value: refused }: ImpossibleValue): boolean {
  return field === 'guests' ? Number(value) < Number(refused) : value !== refused;
}
