/** The look of the entry page, in light and dark: paper, ink and one accent. Shared by all pages. */
export const CONSOLE_STYLE = `
:root{color-scheme:light dark;--paper:#faf7f2;--card:#fff;--ink:#1f2a30;--soft:#5a676e;--line:#e4ddd1;--accent:#0b6b62;--on-accent:#fff;--tint:#e3f1ee;--warn:#fff3d6;--warn-ink:#5d4300;--grave:#9b2c1f;--grave-tint:#fbe9e5;--code:#10272b;--code-ink:#e6f2ef;--bar:#bfe0d9;
--shade-1:#e3f1ee;--shade-2:#c2e2dc;--shade-3:#94cdc3;--shade-4:#1f7a70;--shade-5:#0b524b;--shade-ink:#1f2a30;--shade-deep-ink:#fff;
--series-1:#0b6b62;--series-2:#b4622a;--series-3:#3d5a9b;--series-4:#8a4a86;--grid:#ece6db;--shadow:rgb(31 42 48/.3);--thumb:#b8b0a3}
@media screen and (prefers-color-scheme:dark){:root{--paper:#12191c;--card:#1a2327;--ink:#e8ecea;--soft:#a3b0b3;--line:#2c383c;--accent:#6fd0c1;--on-accent:#0c1a1a;--tint:#17332f;--warn:#3a2f12;--warn-ink:#f6dfa4;--grave:#f2a294;--grave-tint:#3a201c;--code:#0b1315;--bar:#1f524b;
--shade-1:#17332f;--shade-2:#1b4740;--shade-3:#1f5c53;--shade-4:#6fd0c1;--shade-5:#b4efe4;--shade-ink:#e8ecea;--shade-deep-ink:#0c1a1a;
--series-1:#6fd0c1;--series-2:#e8a36f;--series-3:#93aef0;--series-4:#d09bcc;--grid:#263135;--shadow:rgb(0 0 0/.75);--thumb:#4a585d}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;display:grid;grid-template-columns:minmax(0,1fr);min-height:100vh;align-content:start}
main{min-width:0;width:100%;max-width:76rem;margin:0 auto;padding:1.5rem 1.25rem 3rem}
main:focus{outline:none}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.3rem}
a{color:var(--accent)}
h1,h2,h3{font-family:Georgia,"Times New Roman",serif;font-weight:600;line-height:1.25;letter-spacing:-.01em;text-wrap:balance;overflow-wrap:anywhere}
h1{margin:0;font-size:clamp(1.75rem,4vw,2.25rem)}
h2{margin:0;font-size:1.1875rem}
h3{margin:0;font-size:1.0625rem}
p{margin:0 0 .75rem}
code,pre{font:.875em/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{overflow-wrap:anywhere}
pre{margin:0;padding:.9rem 1.1rem;border-radius:.6rem;background:var(--code);color:var(--code-ink);overflow:auto}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-100vw}
.skip:focus{left:1rem;top:.5rem;z-index:2;padding:.4rem .8rem;background:var(--card);border-radius:.4rem}
.kicker{color:var(--accent);font-size:.75rem;font-weight:650;letter-spacing:.09em;text-transform:uppercase}
.bar{display:flex;flex-wrap:wrap;align-items:center;gap:.35rem 1.5rem;padding:.75rem 1.25rem;border-bottom:1px solid var(--line);background:var(--card)}
svg.bar{display:inline-block;width:5rem;height:.5rem;padding:0;margin-right:.6rem;border:0;border-radius:2px;background:none;fill:var(--series-1);vertical-align:middle}
.brand{margin:0;display:flex;flex-direction:column;line-height:1.25;min-width:0}
.brand strong{font:600 1.0625rem/1.25 Georgia,"Times New Roman",serif;overflow-wrap:anywhere}
nav{flex:1 1 auto;min-width:0}
nav ul{display:flex;flex-wrap:wrap;gap:.15rem;margin:0;padding:0;list-style:none}
nav a{display:block;padding:.4rem .7rem;border-radius:.45rem;color:var(--ink);text-decoration:none}
nav a:hover{background:var(--tint)}
nav a[aria-current]{background:var(--tint);color:var(--accent);font-weight:600}
.sign-out{margin:0}
.head{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:end;gap:.75rem 2rem;margin-bottom:1.25rem}
.head>div{min-width:0}
.about{margin:.35rem 0 0;color:var(--soft);max-width:44rem;text-wrap:pretty}
.notice{padding:.75rem 1rem;border-radius:.6rem;background:var(--tint);border-left:3px solid var(--accent)}
.fault{padding:.6rem .9rem;border-radius:.5rem;background:var(--warn);color:var(--warn-ink)}
.note{color:var(--soft);font-size:.9375rem;margin:.25rem 0 .75rem;max-width:52rem;text-wrap:pretty}
.empty{margin:.5rem 0 0;padding:1.1rem 1.2rem;border:1px dashed var(--line);border-radius:.6rem;color:var(--soft);text-wrap:pretty}
.card{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1.1rem 1.25rem;margin:0 0 1.25rem;min-width:0}
.alone main{max-width:30rem;padding-top:clamp(2rem,12vh,7rem)}
.sign-in p{text-wrap:pretty}
.sign-in label{display:block;font-weight:600;margin-bottom:.3rem}
.sign-in input:not([type=hidden]){width:100%;margin-bottom:1rem}
input,select,button,.button{font:inherit;color:inherit;border-radius:.45rem}
input,select{padding:.4rem .6rem;border:1px solid var(--soft);background:var(--card);max-width:100%}
button,.button{display:inline-block;padding:.45rem .95rem;border:1px solid var(--accent);background:var(--accent);color:var(--on-accent);font-weight:600;text-decoration:none;cursor:pointer;line-height:1.4}
button:hover,.button:hover{filter:brightness(1.08)}
button.quiet,.button.quiet{background:transparent;color:var(--accent);border-color:var(--line);font-weight:500}
button.quiet:hover,.button.quiet:hover{background:var(--tint);filter:none}
button.grave,.button.grave{background:var(--grave);border-color:var(--grave);color:var(--card)}
.confirm ul{margin:0 0 1.1rem;padding-left:1.2rem}
.confirm li+li{margin-top:.35rem}
.choices{display:flex;flex-wrap:wrap;gap:.6rem;margin:0}
.picker{display:flex;flex-wrap:wrap;align-items:center;gap:.6rem 1.25rem;margin-bottom:1.25rem}
.picker form{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;margin:0;color:var(--soft)}
.picker label{display:flex;align-items:center;gap:.4rem}
.picker input,.picker select{color:var(--ink);padding:.3rem .5rem}
.picker select{width:12rem}
.picker button{padding:.3rem .8rem}
.picker .fault{margin:0;flex-basis:100%}
.ranges{display:flex;margin:0;padding:.2rem;list-style:none;border:1px solid var(--line);border-radius:.6rem;background:var(--card)}
.ranges a{display:block;padding:.25rem .75rem;border-radius:.45rem;text-decoration:none;color:var(--ink)}
.ranges a:hover{background:var(--tint)}
.ranges a[aria-current]{background:var(--accent);color:var(--on-accent);font-weight:600}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,13rem),1fr));gap:.8rem;margin:0 0 1.25rem}
.tiles>div{padding:.9rem 1.1rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem;min-width:0}
.tiles dt{color:var(--soft);font-size:.9375rem}
.tiles dd{margin:0}
.tiles .figure{font:600 1.625rem/1.25 Georgia,"Times New Roman",serif;font-variant-numeric:tabular-nums lining-nums;overflow-wrap:anywhere}
.tiles .note{margin:.2rem 0 0;font-size:.8125rem;line-height:1.4}
.figures{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1.25rem;align-items:start}
.figures>.card{margin:0}
.figures>.wide{grid-column:1/-1}
.table-head{display:flex;justify-content:space-between;align-items:baseline;gap:1rem}
.csv{font-size:.875rem;white-space:nowrap}
.beyond{margin:0;white-space:nowrap}
.printed{display:none}
.chart{margin:.75rem 0 .25rem;min-width:0;overflow:hidden}
.scroll{overflow:auto;max-height:27rem;margin-top:.5rem;background:linear-gradient(var(--card) 30%,transparent) 0 0/100% 2.5rem local,linear-gradient(transparent,var(--card) 70%) 0 100%/100% 2.5rem local,linear-gradient(90deg,var(--card) 30%,transparent) 0 0/2.5rem 100% local,linear-gradient(90deg,transparent,var(--card) 70%) 100% 0/2.5rem 100% local,linear-gradient(var(--shadow),transparent) 0 0/100% .8rem scroll,linear-gradient(transparent,var(--shadow)) 0 100%/100% .8rem scroll,linear-gradient(90deg,var(--shadow),transparent) 0 0/.8rem 100% scroll,linear-gradient(90deg,transparent,var(--shadow)) 100% 0/.8rem 100% scroll;background-repeat:no-repeat}
.scroll::-webkit-scrollbar{width:.6rem;height:.6rem}
.scroll::-webkit-scrollbar-thumb{background:var(--thumb);border-radius:.3rem}
.scroll::-webkit-scrollbar-corner{background:transparent}
.scroll thead th{position:sticky;top:0;background:var(--card)}
table{border-collapse:collapse;min-width:min(100%,34rem);font-variant-numeric:tabular-nums lining-nums}
th,td{padding:.42rem .75rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
tbody tr:last-child>*{border-bottom:0}
thead th{color:var(--soft);font-size:.875rem;font-weight:600;vertical-align:bottom}
thead .number{white-space:normal}
tbody th{font-weight:500}
th:first-child,td:first-child{padding-left:0}
th:last-child,td:last-child{padding-right:0}
td,tbody th{overflow-wrap:break-word;min-width:4rem;max-width:28rem}
td.number{min-width:0}
.many{font-size:.875rem}
.many th,.many td{padding:.42rem .4rem;min-width:0}
.many thead th{font-size:.8125rem}
.many .instant{white-space:normal}
.number{text-align:right;white-space:nowrap}
td.number{overflow-wrap:normal}
.beside{display:inline-block;min-width:4.5ch}
.scroll tbody tr:hover>*{background:color-mix(in srgb,var(--tint) 45%,transparent)}
.heat{border-collapse:separate;border-spacing:3px;width:auto;min-width:min(100%,40rem)}
.heat th,.heat td,.heat th:first-child,.heat td:last-child{border:0;padding:.4rem .6rem}
.heat td{text-align:center;border-radius:.35rem;min-width:3.2rem;color:var(--shade-ink)}
.heat thead th{text-align:center}
.heat thead th:first-child{text-align:left}
.heat td.shade-0{color:var(--soft);background:transparent}
.heat td.shade-1,.scroll tbody tr:hover>td.shade-1{background:var(--shade-1)}
.heat td.shade-2,.scroll tbody tr:hover>td.shade-2{background:var(--shade-2)}
.heat td.shade-3,.scroll tbody tr:hover>td.shade-3{background:var(--shade-3)}
.heat td.shade-4,.scroll tbody tr:hover>td.shade-4{background:var(--shade-4);color:var(--shade-deep-ink)}
.heat td.shade-5,.scroll tbody tr:hover>td.shade-5{background:var(--shade-5);color:var(--shade-deep-ink)}
details{margin-top:.5rem}
summary{cursor:pointer;color:var(--accent);width:fit-content}
.things{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,21rem),1fr));gap:.8rem;margin:0 0 1.25rem;padding:0;list-style:none}
.things>li{display:flex;flex-direction:column;gap:.6rem;padding:1rem 1.15rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem;min-width:0}
.things h2,.things h3{display:flex;flex-wrap:wrap;align-items:center;gap:.3rem .6rem;font-size:1.125rem}
.things p{margin:0}
.things .choices{margin-top:auto;padding-top:.3rem}
.things .button,.things button{padding:.3rem .75rem;font-size:.9375rem}
.state{font:600 .75rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;letter-spacing:.02em;padding:.1rem .55rem;border-radius:1rem;background:var(--tint);color:var(--accent);white-space:nowrap}
.state.warn{background:var(--warn);color:var(--warn-ink)}
.state.grave{background:var(--grave-tint);color:var(--grave)}
dl.facts{display:grid;grid-template-columns:fit-content(40%) minmax(0,1fr);gap:.2rem .9rem;margin:0;font-size:.9375rem}
dl.facts dt{color:var(--soft)}
dl.facts dd{margin:0;overflow-wrap:anywhere}
.fields{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr));gap:.8rem 1.25rem;align-items:end;margin:0}
.fields label{display:block;font-weight:600}
.fields input,.fields select{display:block;width:100%;margin-top:.25rem;font-weight:400}
.fields button{justify-self:start}
.or{display:flex;align-items:center;gap:.8rem;color:var(--soft);margin:1rem 0}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
.quote .total{font:600 1.5rem/1.3 Georgia,"Times New Roman",serif}
.quote table{margin-top:.75rem}
.quote table,.quote .table-head{max-width:32rem}
.quote .sub{margin-top:1rem}
.trial{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:1.25rem;align-items:start}
.trial h2+.fault{margin:.6rem 0 0}
.values{display:flex;flex-wrap:wrap;gap:.4rem;margin:.5rem 0 1.25rem;padding:0;list-style:none;max-height:22rem;overflow:auto}
.values form{margin:0}
.values button{padding:.25rem .7rem;font-weight:500}
.received{display:flex;flex-wrap:wrap;gap:.35rem;margin:0 0 1rem;padding:0;list-style:none}
.received li{padding:.15rem .6rem;border-radius:1rem;background:var(--tint);font-size:.9375rem}
.free{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end;margin:1rem 0 0}
.back{margin:1rem 0 1.5rem}
.free label{flex:1 1 12rem}
.free input:not([type=hidden]),.free select{display:block;width:100%}
.raw{position:sticky;top:1rem;max-height:calc(100vh - 2rem);overflow:auto}
.raw details{border-top:1px solid var(--line);padding-top:.5rem}
.raw pre{max-height:24rem;margin-top:.5rem;font-size:.75rem}
.options{display:grid;gap:.8rem;margin:1rem 0;padding:0;list-style:none}
.options>li{display:grid;grid-template-columns:minmax(0,1fr);gap:.35rem;padding:.9rem 1.1rem;border:1px solid var(--line);border-radius:.6rem}
.options p{margin:0}
.options p,.options li{overflow-wrap:anywhere}
.option-head{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 1rem}
.option-head h3{flex:1 1 12rem}
.options .price{font:600 1.25rem/1.3 Georgia,"Times New Roman",serif;white-space:nowrap}
.options .lines{margin:0;padding-left:1.1rem}
.options .small{color:var(--soft);font-size:.9375rem}
footer{width:100%;max-width:76rem;margin:0 auto;padding:0 1.25rem 2rem;color:var(--soft);font-size:.875rem}
.uplot{font-family:inherit}
.u-legend{font-size:.875rem;text-align:left}
.u-legend th,.u-legend td{border:0;padding:.1rem .3rem;min-width:0}
.u-legend .u-marker{border-radius:2px}
@media (max-width:62rem){.figures{grid-template-columns:minmax(0,1fr)}}
@media (max-width:52rem){.trial{grid-template-columns:minmax(0,1fr)}.raw{position:static;max-height:none}}
@media (max-width:40rem){main{padding:1.1rem .9rem 2rem}.bar{padding:.6rem .9rem}.bar{flex-wrap:wrap}.brand{flex:1 1 8rem}nav{order:3;flex-basis:100%}.picker form{gap:.5rem}nav ul{gap:0}nav a{padding:.35rem .55rem}.sign-out{margin-left:auto}.card{padding:.9rem .95rem}.tiles{grid-template-columns:repeat(2,minmax(0,1fr));gap:.6rem}.tiles>div{padding:.7rem .8rem}.tiles .figure{font-size:1.375rem}}
@media (prefers-reduced-motion:no-preference){button,.button,nav a{transition:background-color .15s}}
@media print{:root{color-scheme:light;--paper:#fff;--card:#fff;--ink:#000;--soft:#333;--line:#bbb}.bar:not(svg),.picker,.beyond,.csv,.skip,.choices,.head-aside,footer,.notice{display:none!important}.printed{display:block;color:var(--soft);font-size:.875rem}main{max-width:none;padding:0}.figures{grid-template-columns:minmax(0,1fr)}.card,.tiles>div{break-inside:avoid;border-color:#bbb}details:not([open]){display:none}.scroll{overflow:visible;max-height:none;background:none}.scroll table{width:100%;min-width:0;font-size:.75rem}.scroll .many{font-size:.5625rem}.scroll .many thead th{font-size:inherit}.scroll .heat{font-size:.625rem}.scroll .broad{font-size:.4375rem;table-layout:fixed}.scroll th,.scroll td,.scroll .heat th,.scroll .heat td{padding:.2rem .12rem;min-width:0;max-width:none;font-size:inherit;overflow-wrap:anywhere;white-space:normal}.scroll td.number,.scroll .heat thead th{overflow-wrap:normal}.scroll .broad th,.scroll .broad td{padding:.2rem 0}.scroll .broad td.number,.scroll .broad thead th{overflow-wrap:anywhere}.scroll .broad th:first-child{width:14%}.scroll .heat{border-spacing:1px}.scroll thead th{position:static}.uplot{width:100%!important}.u-legend .u-series:first-child,.u-legend .u-value{display:none}.u-legend th::after{content:none!important}.u-wrap{width:100%!important;height:auto!important}.u-wrap canvas{height:auto!important}.u-over,.u-under{display:none}td[class*=shade]{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;
