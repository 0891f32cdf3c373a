/** Thumbprints of keys whose private half is printed in a public document: anybody can sign with them. */
export const PUBLISHED_TEST_KEYS: ReadonlySet<string> = new Set([
  // RFC 9421, B.1, and the Web Bot Auth drafts, which use the same ones: RSA, RSA-PSS, P-256, Ed25519.
  'BHj8s0GPnMEQtkaULIM-PLgEhLBbuGUQ1vMxmBWZzEo',
  'oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA',
  'ydQXMtvbsOsZyFir-Y7A8t7fKEM1gbKPvyFkdpu4fvI',
  'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  // RFC 8037, A.1, Ed25519.
  'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  // RFC 7515, A.3, and RFC 7517, A.2, P-256.
  'oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U',
  'cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s',
  // RFC 7517, A.2, and RFC 7638, 3.1, RSA.
  'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
]);
