/** What an answer says, for tests that read single members of it. */
export async function jsonOf(response: Response) {
  return JSON.parse(await response.text());
}
