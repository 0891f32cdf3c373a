/** Whether an address may become a link or a picture: never a script, a file or anything but the web. */
export function isWebLink(address: string): boolean {
  return URL.canParse(address) && ['https:', 'http:'].includes(new URL(address).protocol);
}
