/** What suits a demo and nobody has set: outcomes within seconds, and room for `npm run demo:traffic`, all of which comes from one address. */
const DEMO_DEFAULTS = { STAYWIRE_BOOKINGS_SECONDS: '15', STAYWIRE_RATE_LIMIT: '6000' };

export function demoServiceSettings(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(DEMO_DEFAULTS).filter(([name]) => !environment[name]?.trim()));
}
