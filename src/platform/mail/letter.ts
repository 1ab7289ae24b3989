import { type Locale, localeOf, textIn } from '../messages/index.js';
import type { MailContent, MailLook } from './mail-template.js';

/** Whom a mail is for, and how it looks. */
export interface Addressee {
  readonly email: string;
  /** Language of the person (BCP 47); null if it is not known. */
  readonly locale: string | null;
  /** Of the organization that the mail is from. Default: the service's. */
  readonly look?: MailLook | null | undefined;
}

/** Texts in the language of the recipient. */
export type MailText = ReturnType<typeof textIn>;

/** What a mail says. */
export interface Letter {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Default: opens the app. Null for none. */
  readonly action?: AppLink | null;
  /** Second link, shown below the action and not as a button. */
  readonly alternative?: AppLink;
}

/** Link to a page of the app, never built from a request header. */
interface AppLink {
  readonly label: string;
  /** Path of the page, with its parameters. */
  readonly path: string;
}

/** Returns the path of a page for the token of a mailed link. */
export const pathWithToken = (page: string, plainToken: string): string => `/${page}?token=${plainToken}`;

/** Writes a mail in the language of its recipient. */
export type Write = (text: MailText, language: Locale) => Letter;

export interface OutgoingMail extends MailContent {
  readonly to: string;
}

/** @param appUrl address of the app */
export function composeMail({ email, locale, look }: Addressee, write: Write, appUrl: string): OutgoingMail {
  const language = localeOf(locale);
  const text = textIn(language);
  const letter = write(text, language);
  const { subject, paragraphs, action = { label: text('mail.go-to-app'), path: '' }, alternative } = letter;
  const linkOf = ({ label, path }: AppLink) => ({ label, url: `${appUrl}${path}` });
  return {
    to: email,
    locale: language,
    ...(look && { look }),
    subject,
    paragraphs,
    ...(action && { action: linkOf(action) }),
    ...(alternative && { alternative: linkOf(alternative) }),
  };
}
