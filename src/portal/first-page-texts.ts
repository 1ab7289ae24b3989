/** Ids of the portal's texts on the sign-in page as the server writes it. */
export const FIRST_PAGE_TEXTS = [
  'frame.home',
  'frame.mailbox',
  'frame.docs',
  'frame.language-of',
  'frame.theme-of',
  'frame.theme.system',
  'sign-in',
  'email',
  'password',
  'password.show',
  'forgot-password',
  'email-code',
  'passkey.sign-in',
  'sign-in.or',
  'provider.continue',
  'provider.oidc',
  'provider.saml',
  'sign-in.new-here',
] as const;

/** What the build leaves for each language (portal/vite.config.ts). */
export interface FirstPageParts {
  /** In ICU MessageFormat. */
  readonly texts: Readonly<Record<(typeof FIRST_PAGE_TEXTS)[number], string>>;
  /** Path of the file with the texts that the script of the page loads. */
  readonly file: string;
}
