/**
 * The notes of a result point to members and addresses that tools do not show. What a model can do instead is said in their
 * place; the rest is repeated word for word.
 */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/ What operator_text names [^.]*\./, ''],
  [/ The url of a field in available_requests\.change [^.]*\./, ''],
  // A home without a rating has none in the answers of tools.
  [/ A rating score of 0 with review_count 0 [^.]*\./, ''],
  [
    / A deposit, due_on_site or confirmation_hours that is null [^.]*\./,
    ' What an option leaves out is unpublished, which does not mean none.',
  ],
  [/; selection says how many were\./, '; matches and priced say how many were.'],
  [/; coverage counts them\./, '.'],
  [/; coverage counts them as implausible\./, '.'],
  [
    /, and available_requests\.ask_again asks once more\./,
    '; search_stays with the session and the same guests asks once more.',
  ],
  [/ with a search request\./, ' with search_stays and the session.'],
];

export function notesForModels(notes: string): string {
  return REPLACEMENTS.reduce((text, [pattern, instead]) => text.replace(pattern, instead), notes);
}
