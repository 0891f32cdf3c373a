/** For how long counts are summed up before they go on, from a thread to the main one and from there to the store. */
export const GATHERED_MS = 1000;
