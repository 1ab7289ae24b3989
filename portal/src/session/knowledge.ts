import type { ExternalKind } from '@gatehouse/client';

/** What the service has written into the page. */
interface Knowledge {
  /** The ways to sign in elsewhere that this deployment has. */
  readonly kinds: readonly ExternalKind[];
  /** The name of the cookie with the id of the session. */
  readonly sessionCookie: string;
  /** Whether the mails of this service can be read here: on a developer's machine. */
  readonly mailbox: boolean;
}

const written = document.querySelector<HTMLMetaElement>('meta[name="gatehouse"]')?.content ?? '{}';

export const knowledge: Knowledge = {
  kinds: [],
  sessionCookie: '',
  mailbox: false,
  ...(JSON.parse(written) as Partial<Knowledge>),
};
