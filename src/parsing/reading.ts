/** Outside input: a valid value, or everything that is wrong with it. */
export type Reading<Value, Fault = string> =
  | { readonly kind: 'valid'; readonly value: Value }
  | { readonly kind: 'invalid'; readonly faults: readonly Fault[] };

export function valid<Value>(value: Value): { readonly kind: 'valid'; readonly value: Value } {
  return { kind: 'valid', value };
}

export function invalid<Fault>(...faults: readonly Fault[]): {
  readonly kind: 'invalid';
  readonly faults: readonly Fault[];
} {
  return { kind: 'invalid', faults };
}
