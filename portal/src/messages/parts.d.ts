/** A part of the texts of a language. */
declare module '*?first' {
  const texts: unknown;
  export default texts;
}

declare module '*?others' {
  const texts: unknown;
  export default texts;
}
