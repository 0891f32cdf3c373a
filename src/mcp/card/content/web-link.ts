/** Whether an address may become a link or a picture: only http and https, never a script or a file. */
export function isWebLink(address: string): boolean {
  return URL.canParse(address) && ['https:', 'http:'].includes(new URL(address).protocol);
}
