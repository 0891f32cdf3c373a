import { HELD_BACK_RULES } from '../quotes/held-back-rules.ts';
import type { StoredHeldBack } from './held-back-store.ts';
import type { OperatorHealth } from './operator-health.ts';

/** A page for people; the command `held-back` lists more. */
const MAX_LISTED = 500;

/** What costs a home first, because it is the first thing to mend. */
export function listHeldBack({
  heldBack,
  notListed,
}: Pick<StoredHeldBack, 'heldBack' | 'notListed'>): Pick<OperatorHealth, 'heldBack' | 'heldBackBesides'> {
  const [refused, repaired] = [true, false].map((isRefused) =>
    heldBack.filter((one) => isRefused !== (one.repaired ?? false)),
  );
  const listed = [...(refused ?? []), ...(repaired ?? [])].slice(0, MAX_LISTED);
  return {
    heldBack: listed.map(({ reference, field, rule, value, repaired: isRepaired = false }) => ({
      reference,
      field: field === '' ? 'listing' : field,
      rule,
      value: value ?? null,
      remedy: HELD_BACK_RULES[rule].remedy,
      isRepaired,
    })),
    heldBackBesides: heldBack.length - listed.length + notListed,
  };
}
