/** What a model has been told so far: by the traveller, and by tools. */
export type Heard = { readonly from: 'traveller' | 'tool'; readonly text: string };

export type Move =
  | { readonly say: string }
  | { readonly call: string; readonly args: Readonly<Record<string, unknown>> };

/** What a model without any mind of its own does next. It fails where it hears something that its script does not know. */
export type Script = (heard: readonly Heard[]) => Move;

const DAY = /\d{4}-\d\d-\d\d/;

/** What the last line of the traveller asks for, as fields of a stay. */
export function wishesIn(line: string): Readonly<Record<string, unknown>> {
  const day = DAY.exec(line)?.[0];
  const place = /stay in (.+) from /.exec(line)?.[1];
  const people = /(\d+) of us/.exec(line)?.[1];
  const amenity = /should have (\S+)\./.exec(line)?.[1];
  return {
    ...(place === undefined ? {} : { destination: place, check_in_day: day }),
    ...(people === undefined ? {} : { check_out: day, guests: Number(people) }),
    ...(amenity === undefined ? {} : { amenities: amenity }),
  };
}

export function found(text: string, pattern: RegExp): string {
  const value = pattern.exec(text)?.[1];
  if (value === undefined) throw new Error(`The script knows no answer to: ${text}`);
  return value;
}
