import assert from 'node:assert/strict';

/** What a traveller says in a conversation, and the home at its end, as the REST interface has it. */
export type ExpectedStay = {
  readonly lines: readonly string[];
  readonly name: string;
  readonly url: string;
  readonly amount: number;
};

/** Around the service's own example of a stay, so that it can be had on whatever day the test runs. */
export async function expectedStay(service: string): Promise<ExpectedStay> {
  const { session, hint } = await read(`${service}/ai/v1/auth`);
  const example = new URLSearchParams(/for example with (\S+)\. /.exec(hint)?.[1]);
  const [place, arrival, departure, guests] = ['destination', 'check_in_day', 'check_out', 'guests'].map(
    (field) => example.get(field),
  );
  const search = (query: string) => read(`${service}/ai/v1/search?session=${session}&${query}`);
  const { places } = await search('');
  const { available_requests } = await search(`${example}`);
  const options: readonly { value: string; match_count: number; of: number }[] =
    available_requests.refine.options;
  const rarest = options.toSorted((one, other) => one.match_count - other.match_count)[0];
  assert.ok(rarest && rarest.match_count < rarest.of, 'an amenity that only some homes have');
  const { results } = await search(`amenities=${rarest.value}`);
  const [{ name, url, quote }] = results;
  return {
    lines: [
      `We would like to stay in ${places[place ?? ''].name} from ${arrival}.`,
      `Until ${departure}, and there are ${guests} of us.`,
      `It should have ${rarest.value}.`,
    ],
    name,
    url,
    amount: quote.amount,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: bodies as a client without types gets them.
async function read(url: string): Promise<any> {
  return (await fetch(url)).json();
}
