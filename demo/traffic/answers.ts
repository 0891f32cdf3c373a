/** What the traffic reads of an answer of the interface. It is another program, so nothing of it is taken for granted. */
export type SearchAnswer = {
  /** Null for a result. */
  readonly error: string | null;
  readonly isResult: boolean;
  readonly missingFields: readonly string[];
  readonly invalidField: string | null;
  /** The code of the reason for which a value was refused. */
  readonly reason: string | null;
  readonly suggestions: readonly string[];
  /** Amenities by which the result can be narrowed. */
  readonly amenities: readonly string[];
  readonly options: readonly { readonly url: string }[];
};

export function readSearchAnswer(body: unknown): SearchAnswer {
  const refine = member(member(body, 'available_requests'), 'refine');
  return {
    error: textAt(body, 'error'),
    isResult: textAt(body, 'object') === 'search_result',
    missingFields: texts(member(body, 'missing_fields')),
    invalidField: textAt(body, 'invalid_field'),
    reason: textAt(member(body, 'reason'), 'code'),
    suggestions: texts(member(body, 'suggestions')),
    amenities: list(member(refine, 'options')).flatMap((offer) => textAt(offer, 'value') ?? []),
    options: list(member(body, 'results')).flatMap((option) => {
      const url = textAt(option, 'url');
      return url === null ? [] : [{ url }];
    }),
  };
}

export function textAt(value: unknown, name: string): string | null {
  const found = member(value, name);
  return typeof found === 'string' ? found : null;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function texts(value: unknown): readonly string[] {
  return list(value).filter((one) => typeof one === 'string');
}
