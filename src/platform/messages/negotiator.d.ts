/** What is used of `negotiator`, in the version of Express, which ships no declarations. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, unknown>> });
    /** @returns the language ranges of `Accept-Language`, preferred first */
    languages(): string[];
  }
}
