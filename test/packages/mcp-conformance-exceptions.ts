/** Why a check of the conformance suite does not pass, and which checks those are: `scenario/check`. */
type Exception = {
  readonly reason: string;
  readonly checks: readonly string[];
  /** Only where the same check passes in another revision. */
  readonly revision?: string;
};

/** Exact: a check that is listed and passes fails the test, as does one that fails and is not listed. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    reason: 'calls a tool of the suite’s own example server, which is no tool of ours',
    checks: [
      'tools-call-simple-text/tools-call-simple-text',
      'tools-call-image/tools-call-image',
      'tools-call-audio/tools-call-audio',
      'tools-call-embedded-resource/tools-call-embedded-resource',
      'tools-call-mixed-content/tools-call-mixed-content',
      'tools-call-error/tools-call-error',
      'tools-call-with-progress/tools-call-with-progress',
      'tools-call-elicitation/tools-call-elicitation',
      'elicitation-sep1034-defaults/elicitation-sep1034-general',
      'elicitation-sep1330-enums/elicitation-sep1330-general',
      'json-schema-2020-12/json-schema-2020-12-tool-found',
      'input-required-result-basic-elicitation/sep-2322-elicitation-incomplete',
      'input-required-result-capability-check/sep-2322-respect-client-capabilities',
      'input-required-result-ignore-extra-params/sep-2322-ignore-unexpected-params',
      'input-required-result-missing-input-response/sep-2322-missing-response-rerequests',
      'input-required-result-multi-round/sep-2322-multi-round-r1',
      'input-required-result-multiple-input-requests/sep-2322-multiple-inputs-incomplete',
      'input-required-result-request-state/sep-2322-request-state-incomplete',
      'input-required-result-result-type/sep-2322-result-type-included',
      'input-required-result-tampered-state/sep-2322-reject-tampered-state',
      'server-stateless/sep-2575-server-rejects-undeclared-capability',
      'server-stateless/sep-2575-missing-capability-http-400',
      'server-stateless/sep-2575-http-server-no-independent-requests-on-stream',
      'server-stateless/sep-2575-server-no-log-without-loglevel',
    ],
  },
  {
    reason: 'reads a resource of the suite’s own example server; ours is the comparison card',
    checks: [
      'resources-read-text/resources-read-text',
      'resources-read-binary/resources-read-binary',
      'resources-templates-read/resources-templates-read',
    ],
  },
  {
    reason: 'there are no prompts: a guided search needs no text that a person starts from',
    checks: [
      'prompts-list/prompts-list',
      'prompts-get-simple/prompts-get-simple',
      'prompts-get-with-args/prompts-get-with-args',
      'prompts-get-embedded-resource/prompts-get-embedded-resource',
      'prompts-get-with-image/prompts-get-with-image',
      'caching/sep-2549-prompts-list-caching-hints',
      'completion-complete/completion-complete',
      'input-required-result-non-tool-request/sep-2322-non-tool-incomplete',
      'server-stateless/sep-2575-server-sends-prompts-list-changed-on-subscription',
    ],
  },
  {
    reason: 'logging, sampling and roots are deprecated, and nothing here needs them',
    checks: [
      'logging-set-level/logging-set-level',
      'tools-call-with-logging/tools-call-with-logging',
      'tools-call-sampling/tools-call-sampling',
      'input-required-result-basic-sampling/sep-2322-sampling-incomplete',
      'input-required-result-basic-list-roots/sep-2322-list-roots-incomplete',
    ],
  },
  {
    reason: 'the lists and the card change with a release only, so that there is nothing to be told of',
    checks: [
      'resources-subscribe/resources-subscribe',
      'resources-unsubscribe/resources-unsubscribe',
      'server-stateless/sep-2575-server-sends-tools-list-changed-on-subscription',
    ],
  },
  {
    reason: 'no argument is repeated in a header of its own',
    checks: [
      'http-custom-header-server-validation/sep-2243-server-no-xmcp-tool',
      'http-custom-header-server-validation/sep-2243-server-decode-base64',
      'http-custom-header-server-validation/sep-2243-server-validate-param-match',
      'http-custom-header-server-validation/sep-2243-server-reject-invalid-param-chars',
      'http-custom-header-server-validation/sep-2243-server-reject-param-mismatch',
    ],
  },
  {
    reason:
      'a request with an Origin comes from a page in a browser, and is refused even if the page is our own',
    checks: ['dns-rebinding-protection/localhost-host-valid-accepted'],
  },
  {
    reason: 'recommended for streams that can be resumed; ours belong to one exchange and keep nothing',
    revision: '2025-11-25',
    checks: [
      'server-sse-polling/server-sse-polling-session',
      'server-sse-polling/server-sse-priming-event',
      'server-sse-polling/server-sse-retry-field',
      'server-sse-multiple-streams/server-sse-multiple-streams-session',
    ],
  },
];
