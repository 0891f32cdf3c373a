/** What the guest typed into the booking form, and what is wrong with it. */
export type GuestForm = {
  readonly name: string;
  readonly email: string;
  readonly faults: { readonly name?: string; readonly email?: string };
};

export const EMPTY_GUEST_FORM: GuestForm = { name: '', email: '', faults: {} };

export function readGuest(fields: URLSearchParams): GuestForm {
  const name = (fields.get('name') ?? '').trim().replaceAll(/\s+/g, ' ');
  const email = (fields.get('email') ?? '').trim();
  return {
    name,
    email,
    faults: {
      ...((name.length < 2 || name.length > 100) && { name: 'Please tell us your name.' }),
      ...(!isAddress(email) && { email: 'Please check the e-mail address, for example ana@example.com.' }),
    },
  };
}

function isAddress(text: string): boolean {
  return text.length <= 200 && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]{2,}$/.test(text);
}
