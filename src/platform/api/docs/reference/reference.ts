import type { OpenAPIObject } from '@nestjs/swagger';
import { ASSETS_VERSION } from './assets.js';
import { ReferencePages } from './reference-pages.js';

/** The API documentation, built on the first request for it. */
export interface Reference {
  /** The OpenAPI document, serialized once: it is 4 MB, and public. */
  readonly document: string;
  readonly pages: ReferencePages;
}

/** @param home address of the portal's first page; null without the portal */
export async function createReference(document: OpenAPIObject, home: string | null): Promise<Reference> {
  return {
    document: JSON.stringify(document),
    pages: await ReferencePages.create(document, { home, version: ASSETS_VERSION }),
  };
}
