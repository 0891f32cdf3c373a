import { isPayloadField, type Payload } from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';
import { formatDay, parseDay } from '../stay/day.ts';
import { nearestOffered } from './fields/rules.ts';
import type { SearchFacts } from './search-facts.ts';
import type { Step } from './step.ts';

/**
 * A step that asks again for an answer that was cleared proposes the value nearest to it: a party of ten that has no home any
 * more is not one person.
 */
export function withProposal(step: Step, before: Payload, session: Session, facts: SearchFacts): Step {
  const { next } = step;
  if (next === null || !isPayloadField(next)) return step;
  const lost = next === 'check_out' ? departureLost(before, session.payload) : before[next];
  if (lost === undefined) return step;
  const [proposed] = nearestOffered(next, [String(lost)], { session, payload: session.payload, facts });
  return proposed === undefined ? step : { ...step, proposed };
}

/** For the arrival that stands now, after as many nights as before. */
function departureLost(before: Payload, after: Payload): string | undefined {
  const [arrival, departure, arrivalNow] = [before.check_in_day, before.check_out, after.check_in_day].map(
    (text) => (text === undefined ? undefined : parseDay(text)),
  );
  if (arrival === undefined || departure === undefined || arrivalNow === undefined) return undefined;
  return formatDay(arrivalNow + departure - arrival);
}
