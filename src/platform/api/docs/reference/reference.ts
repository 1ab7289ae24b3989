import { hash } from 'node:crypto';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ReferencePages } from './reference-pages.js';
import { REFERENCE_SCRIPT } from './script.js';
import { REFERENCE_STYLE } from './style.js';

/** The API documentation, built on the first request for it. */
export interface Reference {
  /** The OpenAPI document, serialized once: it is 600 KB, and public. */
  readonly document: string;
  readonly pages: ReferencePages;
  readonly assets: ReadonlyMap<string, { readonly type: string; readonly content: string }>;
}

/** @param home address of the portal's first page; null without the portal */
export async function createReference(document: OpenAPIObject, home: string | null): Promise<Reference> {
  const version = hash('sha256', REFERENCE_STYLE + REFERENCE_SCRIPT, 'base64url').slice(0, 12);
  return {
    document: JSON.stringify(document),
    pages: await ReferencePages.create(document, { home, version }),
    assets: new Map([
      ['reference.css', { type: 'text/css', content: REFERENCE_STYLE }],
      ['reference.js', { type: 'text/javascript', content: REFERENCE_SCRIPT }],
    ]),
  };
}
