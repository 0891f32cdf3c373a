import { looseText } from '../shared/vendors/loose-values.ts';

const MAX_POLICIES = 20;
/** One sign longer than the policy of a listing may be, so that it stays one that is refused. */
const MAX_LENGTH = 20_001;

/** Guesty gives the name of a policy, or the operator's own words; of a rate plan it gives a list of them. */
export function guestyPolicyInWords(published: unknown): string | undefined {
  const policies = (Array.isArray(published) ? published.slice(0, MAX_POLICIES) : [published]).flatMap(
    (policy) => looseText(policy)?.slice(0, MAX_LENGTH) ?? [],
  );
  const names = policies.filter(isName);
  const prose = policies.filter((policy) => !isName(policy));
  const named = names.length > 0 ? [`Cancellation policy: ${names.join(', ')}`] : [];
  return [...named, ...prose].join('\n').slice(0, MAX_LENGTH) || undefined;
}

function isName(policy: string): boolean {
  return !/\s/.test(policy);
}
