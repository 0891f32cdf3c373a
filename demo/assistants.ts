/** The assistants of the demo: those that `npm run demo:traffic` plays, and how the service tells them apart. None of them exists. */
export type DemoAssistant = {
  readonly id: string;
  readonly name: string;
  /** The product name in its User-Agent. */
  readonly token: string;
  /** Requests in a window; null when there is no such limit. */
  readonly maxRequests: number | null;
};

export const DEMO_ASSISTANTS = {
  juniper: { id: 'juniper', name: 'Juniper', token: 'Juniper-Demo', maxRequests: null },
  marlow: { id: 'marlow', name: 'Marlow', token: 'Marlow-Demo', maxRequests: null },
  pepper: { id: 'pepper', name: 'Pepper', token: 'Pepper-Demo', maxRequests: null },
  quill: { id: 'quill', name: 'Quill', token: 'Quill-Demo', maxRequests: null },
  dash: { id: 'dash', name: 'Dash', token: 'Dash-Demo', maxRequests: 300 },
} as const satisfies Record<string, DemoAssistant>;

/** The registry in which they are approved, when they call from this machine: nobody else can be taken for one of them. */
export function demoRegistry(): object {
  return {
    assistants: Object.values(DEMO_ASSISTANTS).map(({ id, name, token, maxRequests }) => ({
      id,
      name: `${name} (demo)`,
      status: 'approved',
      recognised_by: [{ user_agent: token, ranges: ['127.0.0.1'] }],
      ...(maxRequests !== null && { limits: { requests: maxRequests } }),
    })),
  };
}
