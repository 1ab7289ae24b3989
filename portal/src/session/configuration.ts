import type { ExternalKind } from '@gatehouse/client';

/** Configuration that the service has written into the page. */
interface Configuration {
  /** Kinds of external sign-in of this deployment. */
  readonly kinds: readonly ExternalKind[];
  /** Name of the cookie with the session id. */
  readonly sessionCookie: string;
  /** Whether the mailbox of local development is available. */
  readonly mailbox: boolean;
  /** What the service does with passwords that attackers try first. */
  readonly passwordBlocklist: 'warn' | 'refuse' | 'off';
}

const written = document.querySelector<HTMLMetaElement>('meta[name="gatehouse"]')?.content ?? '{}';

export const configuration: Configuration = {
  kinds: [],
  sessionCookie: '',
  mailbox: false,
  passwordBlocklist: 'off',
  ...(JSON.parse(written) as Partial<Configuration>),
};
