/** Where `npm start` serves unless it is told otherwise. */
export const DEFAULT_SERVICE = 'http://127.0.0.1:8080';
