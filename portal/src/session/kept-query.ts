/** Name of the parameter that holds what a list is searched for. */
const NAME = 'q';

/** What the list of the page is searched for: part of its address, for reload, Back and a link. */
export const keptQuery = {
  read: (): string => new URLSearchParams(location.search).get(NAME) ?? '',
  /** Replaces it in the address; an empty text removes it. */
  keep(text: string): void {
    const url = new URL(location.href);
    if (text === this.read()) return;
    if (text === '') url.searchParams.delete(NAME);
    else url.searchParams.set(NAME, text);
    history.replaceState(history.state, '', url);
  },
};
