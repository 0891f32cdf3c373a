/** How long counts are summed up before they go from a thread to the main one, and from there to the store. */
export const FLUSH_INTERVAL_MS = 1000;
