/** The same program in every runtime: a whole search with a question, a refusal and a filter, then the calls one by one. */
export async function wholeSearch({ createClient, StaywireError }, baseUrl, silentUrl) {
  const client = createClient({ baseUrl, view: 'compact', userAgent: 'runtime-test' });
  const asked = [];
  const outcome = await client.search({
    destination: 'Lisbon',
    check_in_day: '2027-04-10',
    check_out: '2027-04-09',
    amenities: ['pool'],
    choose: ({ field, refusal }) => {
      asked.push([field, refusal?.reason?.code ?? null]);
      return field === 'check_out' ? '2027-04-13' : 2;
    },
  });
  const wider = await client.refine(outcome, null);
  const read = await client.result(wider);
  const unknown = await client.open({ source: 'nobody' }).catch((error) => error);
  const late = await createClient({ baseUrl: silentUrl, timeoutMs: 50, maxRetries: 0 })
    .open()
    .catch((error) => error);
  const left = await client.open({ signal: AbortSignal.abort(new Error('left')) }).catch((error) => error);
  return {
    asked,
    filters: outcome.body.applied_filters.amenities,
    options: outcome.body.results.map(({ rank, name, quote }) => [rank, name, quote.amount]),
    wider: wider.body.results.length,
    same: JSON.stringify(read.body) === JSON.stringify(wider.body),
    errors: [unknown instanceof StaywireError, unknown.code, late.code, left.message],
  };
}
