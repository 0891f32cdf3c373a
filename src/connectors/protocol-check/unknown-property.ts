/** No operator has a home of that name. */
export const UNKNOWN_PROPERTY = 'staywire-check.no-such-home';
