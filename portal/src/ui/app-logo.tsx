interface Props {
  /** Path of the copy on this service; null or undefined without one. */
  readonly url: string | null | undefined;
}

/** Shows the logo of an app next to its name, which says the same to screen readers. */
export const AppLogo = ({ url }: Props) => (url ? <img className="app-logo" src={url} alt="" /> : null);
