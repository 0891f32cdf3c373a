import type { TrafficClient } from './traffic-client.ts';

export type StayOutcome = 'looked_at' | 'booked' | 'cancelled';

const GUEST = { name: 'Demo Traveller', email: 'traveller@example.com' };

/** Follows a link to the website of its operator and books there, as a person would: with the form of the page. */
export async function bookStay(
  link: string,
  {
    isBooked,
    isCancelled,
    client,
  }: { readonly isBooked: boolean; readonly isCancelled: boolean; readonly client: TrafficClient },
): Promise<StayOutcome> {
  const page = await client.visit(link);
  const form = /<form action="([^"]+)" method="post" data-testid="booking-form"[\s\S]*?<\/form>/.exec(
    page.text,
  );
  if (!isBooked || !form) return 'looked_at';
  const hidden = form[0].matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  const fields = Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, value]));
  const confirmation = await client.visit(new URL(form[1] ?? '', link).href, { ...fields, ...GUEST });
  if (!confirmation.text.includes('data-testid="confirmation"')) return 'looked_at';
  if (!isCancelled) return 'booked';
  const cancelled = await client.visit(`${confirmation.url}/cancel`, {});
  return cancelled.text.includes('Your stay is cancelled') ? 'cancelled' : 'booked';
}
