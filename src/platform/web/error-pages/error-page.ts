import { hash } from 'node:crypto';
import { escapeHtml, type Locale, textIn } from '../../messages/index.js';
import './error-page.messages.js';
import { pagePolicy } from './page-policy.js';

/**
 * Colours of the pages that the service writes itself, in both themes: those of the portal
 * (portal/src/styles/tokens.css), which test/unit/error-page.spec.ts compares.
 */
export const PALETTE = `:root{color-scheme:light dark;--paper:light-dark(#f5f7f5,#10161a);--sheet:light-dark(#ffffff,#182127);--sunken:light-dark(#edf1ef,#131b20);--ink:light-dark(#17242a,#e8eef0);--soft:light-dark(#51626a,#a3b3ba);--line:light-dark(#dde4e1,#2b373e);--sea:light-dark(#0b6b6b,#5fcbc4);--sea-strong:light-dark(#085555,#7fdad4);--sea-tint:light-dark(#e2f1ef,#15302f);--edge:light-dark(#7d8d94,#74868e);--alarm:light-dark(#a8281f,#ff9b8f);--care:light-dark(#7a4d00,#f2c063);--care-tint:light-dark(#fdf1da,#33270f);--on-sea:light-dark(#ffffff,#06201f)}
[data-theme=light]{color-scheme:light}[data-theme=dark]{color-scheme:dark}`;

/**
 * Style of the pages: a part of the portal's (portal/src/styles), so that they look alike. It is
 * in the page, because a page about an outage must need no second request.
 */
const STYLE = `${PALETTE}
*{box-sizing:border-box}html{overflow-y:scroll;text-size-adjust:100%}
body{margin:0;min-height:100dvh;display:grid;grid-template-rows:auto 1fr auto;justify-items:center;gap:1.75rem;padding:2rem 1rem 1.25rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
h1,h2,p{margin:0;overflow-wrap:anywhere}h1,h2{line-height:1.25;letter-spacing:-.012em;text-wrap:balance}h1{font-size:1.6rem}h2{font-size:1.1rem}
a{color:var(--sea);text-underline-offset:.15em}a:hover{color:var(--sea-strong)}a:focus-visible{outline:3px solid var(--sea);outline-offset:2px}
code{font:.9em/1.5 ui-monospace,monospace}
.brand{display:inline-flex;align-items:center;gap:.6rem;color:var(--ink);font-size:1.15rem;font-weight:700;letter-spacing:-.01em;text-decoration:none}.brand:hover{color:var(--ink)}
main{width:min(27rem,100%);align-self:start}
.sheet{display:grid;gap:1.5rem;padding:1.75rem;border:1px solid var(--line);border-radius:1rem;background:var(--sheet)}
.sheet>div{display:grid;gap:.4rem}form{display:grid}.soft,footer{color:var(--soft)}.small,footer{font-size:.875rem}footer a{color:inherit}
.button{display:flex;border:0;font:inherit;cursor:pointer;align-items:center;justify-content:center;min-height:2.75rem;padding:.4rem 1.1rem;border-radius:.65rem;background:var(--sea);color:var(--on-sea);font-weight:600;text-decoration:none}.button:hover{background:var(--sea-strong);color:var(--on-sea)}
@media (width<48rem){body{gap:1.25rem;padding-top:1.25rem}.sheet{padding:1.25rem}}`;

/** Mark of the portal, for the head of a page. */
export const MARK =
  '<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0b6e6e"/><path d="M8 25V14a8 8 0 0 1 16 0v11M8 25h16M16 25v-6" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** Applies a theme that the person has chosen; a script of the portal. */
const THEME_SCRIPT = '/theme.js';

/** Source of the style for the policy. */
export const PAGE_STYLE = `'sha256-${hash('sha256', STYLE, 'base64')}'`;

/** What every page has. Texts are escaped by the page. */
export interface PageFrame {
  readonly locale: Locale;
  readonly title: string;
  readonly lead: string;
  /** Address of the portal's first page; null without the portal. */
  readonly home: string | null;
}

/** Content of an error page. */
export interface PageContent extends PageFrame {
  /** Further sections, with a heading where they need one. */
  readonly sections?: readonly { readonly heading?: string; readonly text: string }[];
  /** Small line at the end, for a report of the error. */
  readonly reference: string;
}

/** Returns the policy of a page: its style, and with the portal the script of the theme. */
export const errorPagePolicy = (home: string | null): string =>
  pagePolicy({
    scripts: [home === null ? "'none'" : "'self'"],
    styles: [PAGE_STYLE],
  });

/** Returns the page of an error, that needs no script and no other file. */
export function errorPage({ sections = [], reference, ...frame }: PageContent): string {
  const { locale, home } = frame;
  const below = sections.map(
    ({ heading, text: content }) =>
      `<div>${heading === undefined ? '' : `<h2>${escapeHtml(heading)}</h2>`}<p>${escapeHtml(content)}</p></div>\n`,
  );
  const goHome = escapeHtml(textIn(locale)('error-page.home'));
  return framedPage(
    frame,
    `${below.join('')}${home === null ? '' : `<a class="button" href="${escapeHtml(home)}">${goHome}</a>\n`}<p class="small soft"><code>${escapeHtml(reference)}</code></p>`,
  );
}

/**
 * Returns a page in the frame of the portal.
 * @param below markup under title and lead, whose texts are escaped
 */
export function framedPage({ locale, title, lead, home }: PageFrame, below: string): string {
  const text = textIn(locale);
  const script = home === null ? '' : `<script src="${THEME_SCRIPT}"></script>\n`;
  const brand = `${MARK}<span>Gatehouse</span>`;
  return `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Gatehouse</title><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">
${script}<style>${STYLE}</style></head>
<body><header>${home === null ? `<span class="brand">${brand}</span>` : `<a class="brand" href="${escapeHtml(home)}">${brand}</a>`}</header>
<main><div class="sheet"><div><h1>${escapeHtml(title)}</h1><p class="soft">${escapeHtml(lead)}</p></div>
${below}</div></main>
<footer><a href="/api/docs">${escapeHtml(text('error-page.documentation'))}</a></footer></body></html>
`;
}
