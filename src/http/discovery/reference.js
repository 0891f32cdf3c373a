/** Runs in the browser. The page can send nothing, so each operation shows its call for a terminal instead. */

const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

/** The page has a head of its own, and calls name their server. Each operation shows its call above its parameters. */
const showCalls = (system) => {
  const { createElement: h, Fragment } = system.React;
  return {
    wrapComponents: {
      InfoContainer: () => () => null,
      ServersContainer: () => () => null,
      parameters: (Original) => (props) => {
        const command = system.specSelectors
          .specJson()
          .getIn(['paths', ...props.pathMethod, 'x-codeSamples', 0, 'source']);
        return h(
          Fragment,
          null,
          command &&
            h('section', { className: 'call' }, h('h4', null, 'Call'), h('pre', { tabIndex: 0 }, command)),
          h(Original, props),
        );
      },
    },
  };
};

const reference = document.getElementById('reference');
/** What the library leaves without a name, or out of reach of a keyboard. */
const mend = () => {
  for (const list of reference.querySelectorAll('select:not([aria-label])')) {
    list.setAttribute('aria-label', list.className.includes('examples') ? 'Example' : 'Media type');
  }
  for (const table of reference.querySelectorAll('table[role=region]')) table.removeAttribute('role');
  for (const code of reference.querySelectorAll('.microlight:not([tabindex])')) code.tabIndex = 0;
};
new MutationObserver(mend).observe(reference, { childList: true, subtree: true });

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  supportedSubmitMethods: [],
  defaultModelsExpandDepth: 0,
  syntaxHighlight: { theme: 'obsidian' },
  validatorUrl: null,
  plugins: [showCalls],
});
