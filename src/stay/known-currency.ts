/** What `Intl` leaves out of those in use: codes of funds, and the digital bolívar. */
const OTHERS = 'BOV CHE CHW CLF COU MXV USN UYI UYW VED'.split(' ');
const KNOWN_CURRENCIES: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('currency'), ...OTHERS]);

/** Whether there is a currency with that code. */
export function isKnownCurrency(code: string): boolean {
  return KNOWN_CURRENCIES.has(code);
}
