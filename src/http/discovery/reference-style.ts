/** Around the library: the page's own head, and what its themes leave open. */
export const REFERENCE_STYLE = `
:root{color-scheme:light dark;--ink:#1f2a30;--soft:#5a676e;--paper:#faf7f2;--line:#e4ddd1;--accent:#0b6b62;--code:#10272b;--code-ink:#e6f2ef}
@media (prefers-color-scheme:dark){:root{--ink:#e8ecea;--soft:#a3b0b3;--paper:#12191c;--line:#2c383c;--accent:#6fd0c1;--code:#0b1315}}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
.page-head{max-width:1460px;margin:0 auto;padding:1.75rem 20px 0;box-sizing:border-box}
.page-head h1{margin:0;font:600 2rem/1.2 Georgia,"Times New Roman",serif}
.page-head p{max-width:46rem;margin:.6rem 0 0;color:var(--soft)}
.page-head nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin-top:.8rem}
.page-head a{color:var(--accent)}
.page-head code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.page-head h2{margin:1.75rem 0 0;font:600 1.3125rem/1.3 Georgia,"Times New Roman",serif}
html,html.dark-mode,html.dark-mode .swagger-ui{background:var(--paper)}
html:not(.dark-mode) .swagger-ui .opblock-post .opblock-summary-method{background:#0b7a4b}
html:not(.dark-mode) .swagger-ui .opblock-get .opblock-summary-method{background:#1c5fb0}
html:not(.dark-mode) .swagger-ui :is(.parameter__in,.json-schema-2020-12-expand-deep-button){color:#555}
html:not(.dark-mode) .swagger-ui .response-control-media-type__accept-message{color:#006b00}
html:not(.dark-mode) .swagger-ui .response-control-media-type__accept-message code{color:inherit}
html.dark-mode .swagger-ui :is(.header-col,.examples-select__section-label){color:#e4e6e6}
.swagger-ui :is(.scheme-container,.response-col_links,.parameters-col_description input:disabled){display:none}
.call{padding:10px 20px 14px}
.call h4{margin:0 0 .4rem;font-size:14px}
.call pre{margin:0;padding:.9rem 1.1rem;border-radius:.4rem;background:var(--code);color:var(--code-ink);overflow-x:auto;font:600 12px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`;
