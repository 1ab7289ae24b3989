/** Detail error types of RFC 7644 section 3.12. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidCursor';

/** An error that is answered as a SCIM error body. */
export class ScimError extends Error {
  constructor(
    readonly status: number,
    readonly scimType: ScimType | null,
    detail: string,
  ) {
    super(detail);
  }

  /** Answer of RFC 7644 section 3.12. The status is a text in the body. */
  toAnswer(): { readonly status: number; readonly body: object } {
    const body = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(this.status),
      ...(this.scimType !== null && { scimType: this.scimType }),
      detail: this.message,
    };
    return { status: this.status, body };
  }
}
