/** The servers of a store that several nodes share. */
export type StoreServer = 'redis' | 'postgres';
