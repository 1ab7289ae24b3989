/** What is used of `cookie`, in the version of Express, which ships no declarations. */
declare module 'cookie' {
  export function parse(
    header: string,
    options: { readonly decode: (value: string) => string },
  ): Partial<Record<string, string>>;
}
