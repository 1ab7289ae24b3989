import type { ExternalKind } from '@gatehouse/client';

/** An external identity provider of this deployment. */
interface Provider {
  readonly kind: ExternalKind;
  /** null for one without its own name. */
  readonly name: string | null;
}

/** Configuration that the service has written into the page. */
interface Configuration {
  readonly providers: readonly Provider[];
  /** Name of the cookie with the session id. */
  readonly sessionCookie: string;
  /** Whether the mailbox of local development is available. */
  readonly mailbox: boolean;
  /** Whether people can sign in by a mailed code. */
  readonly emailSignIn: boolean;
  /** What the service does with passwords that attackers try first. */
  readonly passwordBlocklist: 'warn' | 'refuse' | 'off';
}

const written = document.querySelector<HTMLMetaElement>('meta[name="gatehouse"]')?.content ?? '{}';

export const configuration: Configuration = {
  providers: [],
  sessionCookie: '',
  mailbox: false,
  emailSignIn: false,
  passwordBlocklist: 'off',
  ...(JSON.parse(written) as Partial<Configuration>),
};
