import { hash } from 'node:crypto';
import { REFERENCE_SCRIPT } from './script.js';
import { REFERENCE_STYLE } from './style.js';

interface Asset {
  readonly type: string;
  readonly content: string;
}

/** Files of the pages, by name. Answered without the document, which takes 15 MB (measured). */
export const REFERENCE_ASSETS: ReadonlyMap<string, Asset> = new Map([
  ['reference.css', { type: 'text/css', content: REFERENCE_STYLE }],
  ['reference.js', { type: 'text/javascript', content: REFERENCE_SCRIPT }],
]);

/** Part of the files' addresses that changes with them. */
export const ASSETS_VERSION = hash('sha256', REFERENCE_STYLE + REFERENCE_SCRIPT, 'base64url').slice(0, 12);
