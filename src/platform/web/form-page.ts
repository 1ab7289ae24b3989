import { hash } from 'node:crypto';
import { escapeHtml } from '../messages/index.js';
import { framedPage, PAGE_STYLE, type PageFrame } from './error-pages/error-page.js';
import { pagePolicy } from './error-pages/page-policy.js';

/** Schema of a response that is an HTML page. */
export const HTML_PAGE = { type: 'string', pattern: '^<!doctype html>', maxLength: 10_000 };

/** A form that the browser brings to another server. */
export interface PostedForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

const SCRIPT = 'document.forms[0].submit()';
const SCRIPT_SOURCE = `'sha256-${hash('sha256', SCRIPT, 'base64')}'`;

/**
 * Returns a page that posts a form: by its script, or by a button without scripts.
 * @param button text of the button
 */
export function formPage({ action, fields }: PostedForm, frame: PageFrame, button: string): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const form = `<form method="post" action="${escapeHtml(action)}">${inputs.join('')}<button class="button">${escapeHtml(button)}</button></form>`;
  // The policy has the hash of the script.
  return framedPage(frame, `${form}<script>${SCRIPT}</script>`);
}

/**
 * Returns the content security policy of the page. `https:`, because browsers apply `form-action`
 * to the redirects of the receiver too, which often lead to another host.
 * @param home address of the portal's first page; null without the portal
 */
export const formPagePolicy = (action: string, home: string | null): string =>
  pagePolicy({
    scripts: [SCRIPT_SOURCE, ...(home === null ? [] : ["'self'"])],
    styles: [PAGE_STYLE],
    forms: [new URL(action).origin, 'https:'],
  });
