/** Methods that change nothing (RFC 9110 section 9.2.1), of those that routes take. */
export const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
