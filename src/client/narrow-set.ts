import type { ComparisonAnswer, SearchAnswer, StayValues } from './answers.ts';
import type { SearchRefusal } from './question.ts';
import type { SearchOutcome, UnmetAmenity } from './search-types.ts';

/** Applies the amenities one by one, as the interface wants it. Those that narrow nothing leave the set as it is. */
export async function narrowSet(
  complete: ComparisonAnswer,
  {
    tried,
    amenities,
    send,
  }: {
    /** The amenity that came along with the stay. */
    readonly tried: StayValues['amenities'];
    readonly amenities: readonly string[];
    send(values: StayValues): Promise<SearchAnswer>;
  },
): Promise<SearchOutcome> {
  const unmetAmenities: UnmetAmenity[] = [];
  const note = (amenity: string, refusals: readonly SearchRefusal[]) => {
    const refusal = refusals.find(({ field }) => field === 'amenities');
    if (refusal && !everyOptionHas(refusal)) unmetAmenities.push({ amenity, refusal });
  };
  let set = complete;
  for (const amenity of new Set(amenities)) {
    if (amenity === tried) {
      note(amenity, set.refusals);
      continue;
    }
    const answer = await send({ amenities: amenity });
    if (answer.kind === 'problem') return answer;
    if (answer.kind === 'question') return { ...answer, kind: 'stopped', because: 'no_choice' };
    if (answer.kind === 'comparison') set = answer;
    note(amenity, answer.refusals);
  }
  const refusals = complete.refusals.filter(({ field }) => field !== 'amenities');
  return { ...set, refusals, unmetAmenities };
}

/** An amenity is refused where it tells nothing apart: because it is applied, or because every match has it. */
function everyOptionHas({ reason }: SearchRefusal): boolean {
  if (reason?.code === 'already_applied') return true;
  return reason?.code === 'not_discriminating' && reason.having === reason.of;
}
