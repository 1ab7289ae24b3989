import { PALETTE } from '../../../web/index.js';

/** Style of the API reference, in the colours of the portal. */
export const REFERENCE_STYLE = `${PALETTE}
*,*::before,*::after{box-sizing:border-box}
html{overflow-y:scroll;text-size-adjust:100%;scroll-padding-top:4.5rem}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
h1,h2,h3,p,ul,fieldset,pre{margin:0;padding:0}
h1,h2,h3{line-height:1.25;letter-spacing:-.012em;text-wrap:balance}
h1{font-size:1.6rem}h2{font-size:1.1rem}h3{font-size:1rem}
ul{list-style:none}fieldset{border:0;min-width:0}
a{color:var(--sea);text-underline-offset:.15em}a:hover{color:var(--sea-strong)}
:focus-visible{outline:3px solid var(--sea);outline-offset:2px}
code,pre{font:.9em/1.5 ui-monospace,monospace}
code{overflow-wrap:anywhere}
.soft{color:var(--soft)}.small{font-size:.875rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-100vw}.skip:focus{left:1rem;top:.5rem;z-index:2;padding:.5rem 1rem;background:var(--sheet)}
[hidden]{display:none!important}
header{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.25rem;padding:.65rem 1.5rem;border-bottom:1px solid var(--line);background:var(--sheet)}
header a,header button{min-height:1.75rem;display:inline-flex;align-items:center}
.brand{gap:.6rem;color:var(--ink);font-weight:700;text-decoration:none}
header .end{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin-left:auto;font-size:.875rem}
button{padding:0;border:0;background:none;color:var(--sea);font:inherit;text-decoration:underline;text-underline-offset:.15em;cursor:pointer}
.floor{display:grid;grid-template-columns:17rem minmax(0,1fr)}
nav{position:sticky;top:3.25rem;align-self:start;height:calc(100dvh - 3.25rem);overflow-y:auto;padding:1rem .75rem 2rem 1.5rem;border-right:1px solid var(--line)}
nav h2{margin:1.1rem 0 .25rem;font-size:.875rem}
nav ul a{display:flex;gap:.5rem;align-items:baseline;padding:.22rem .5rem;border-radius:.4rem;color:var(--ink);font-size:.875rem;text-decoration:none}
nav ul a:hover{background:var(--sunken)}nav a[aria-current]{background:var(--sea-tint);color:var(--sea-strong);font-weight:600}
nav .search{position:sticky;top:-1rem;margin:-1rem -.25rem 0;padding:1rem .25rem .5rem;background:var(--paper)}
nav label{display:block;font-size:.875rem;font-weight:600}
input[type=search]{width:100%;min-height:2.5rem;margin-top:.3rem;padding:.3rem .7rem;border:1px solid var(--edge);border-radius:.65rem;background:var(--sheet);color:var(--ink);font:inherit}
.method{flex:none;width:3.2em;font:700 .68rem/1.6 ui-monospace,monospace;color:var(--soft)}
.route .method{width:auto;padding:.15rem .45rem;border-radius:.4rem;background:var(--sunken);font-size:.8rem}
.method.get{color:var(--sea)}.method.delete{color:var(--alarm)}.method.post,.method.put,.method.patch{color:var(--care)}
main{padding:1.5rem;outline:none}
.operation{display:grid;gap:1.5rem 2rem;grid-template-columns:minmax(0,1fr)}
.words{display:grid;gap:1rem;align-content:start;min-width:0}
.words section{display:grid;gap:.4rem}
.route{display:flex;gap:.6rem;align-items:baseline}
.required{font-size:.75rem;font-weight:600;color:var(--alarm)}
.fields{display:grid;border-top:1px solid var(--line)}
.fields>li{display:grid;gap:.1rem;padding:.45rem 0;border-bottom:1px solid var(--line);min-width:0}
.fields .fields{margin:.3rem 0 .3rem .2rem;padding-left:.8rem;border-left:2px solid var(--line)}
.field{display:flex;flex-wrap:wrap;gap:0 .6rem;align-items:baseline}.name{font-weight:600}
.facts{display:flex;flex-wrap:wrap;gap:0 1rem}
summary{cursor:pointer;padding:.2rem 0}
.response{border-bottom:1px solid var(--line);padding:.2rem 0}
.response>summary{font-size:.9375rem}.response .fields{border:0}.response .fields>li:last-child{border:0}
.status{font-weight:700;color:var(--sea);margin-right:.4rem}.status.failed{color:var(--alarm)}
.care{padding:.5rem .8rem;border-radius:.65rem;background:var(--care-tint);color:var(--care)}
.prose{display:grid;gap:.75rem;min-width:0;max-width:46rem}.prose h2{margin-top:1rem}
.scrolls{overflow-x:auto}
table{border-collapse:collapse;font-size:.875rem}th,td{padding:.4rem .7rem .4rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
.samples{display:grid;gap:1rem;align-content:start;min-width:0}
.tabs{display:flex;flex-wrap:wrap;gap:.25rem .5rem}
.tabs label{cursor:pointer}
.tabs input{position:absolute;opacity:0}
.tabs span{display:block;padding:.25rem .7rem;border-radius:.5rem;font-size:.875rem;color:var(--soft)}
.tabs input:checked+span{background:var(--sea-tint);color:var(--sea-strong);font-weight:600}
.tabs input:focus-visible+span{outline:3px solid var(--sea);outline-offset:2px}
.tabs pre{flex:1 0 100%;min-width:0;max-width:100%}
.tabs:has(label:nth-of-type(1) input:checked) pre:nth-of-type(2),.tabs:has(label:nth-of-type(2) input:checked) pre:nth-of-type(1){display:none}
pre{overflow:auto;max-height:26rem;padding:.9rem 1rem;border:1px solid var(--line);border-radius:.65rem;background:var(--sunken);font-size:.8125rem}
pre code{font-size:inherit;overflow-wrap:normal}
@media (width>=80rem){.operation{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}.samples{position:sticky;top:4.75rem;max-height:calc(100dvh - 6rem);overflow-y:auto}}
@media (width<60rem){.floor{grid-template-columns:minmax(0,1fr)}nav{position:static;height:auto;padding:1rem 1rem 0;border:0}.one nav{display:none}header{padding:.5rem 1rem}main{padding:1rem}.floor:not(.one) nav ul a{padding:.45rem .5rem}}
`;
