import { ExternalSignInError, ProblemError, UnreachableError } from '@gatehouse/client';
import { text, type MessageId } from '../messages/index.ts';

/** An error as the page explains it. */
export interface Explanation {
  readonly title: string;
  /** What happened, and what the user can do. */
  readonly text: string;
  /** Whether a repetition may succeed. */
  readonly transient: boolean;
}

/** Errors of the service whose title says less than the page can. */
const TITLES: Readonly<Partial<Record<string, MessageId>>> = {
  conflict: 'error.conflict.title',
  forbidden: 'error.forbidden.title',
};

/**
 * Explains an error to the user. Uses the service's own message where there is one; the form shows
 * violations at their fields.
 * @param titles titles that replace those of the error codes, where the page knows more
 */
export function explain(error: unknown, titles: typeof TITLES = {}): Explanation {
  if (error instanceof ExternalSignInError)
    return {
      title: text(error.code === 'access_denied' ? 'error.external.cancelled.title' : 'error.external.title'),
      text: text(`external.${error.code}`),
      transient: false,
    };
  if (error instanceof UnreachableError)
    return {
      title: text('error.unreachable.title'),
      text: text('error.unreachable.text', { wait: waitOf(error) }),
      transient: true,
    };
  if (!(error instanceof ProblemError))
    return { title: text('error.page.title'), text: text('error.page.text'), transient: true };
  switch (error.code) {
    case 'too-many-requests':
      return {
        title: text('error.too-many.title'),
        text: text('error.too-many.text', { wait: waitOf(error) }),
        transient: true,
      };
    case 'unavailable':
      return {
        title: text('error.unavailable.title'),
        text: text('error.unavailable.text', { wait: waitOf(error) }),
        transient: true,
      };
    case 'internal':
      return {
        title: text('error.internal.title'),
        text: text('error.internal.text', { request: error.requestId ?? '' }),
        transient: true,
      };
    case 'validation-error':
      return {
        title: text('error.fields.title'),
        text: error.violations.map(({ message }) => sentence(message)).join(' '),
        transient: false,
      };
    case 'insufficient-user-authentication':
      return {
        title: text('error.not-confirmed.title'),
        text: text('error.not-confirmed.text'),
        transient: false,
      };
    case 'not-found':
      return { title: text('error.not-found.title'), text: text('error.not-found.text'), transient: false };
    default: {
      const title = titles[error.code] ?? TITLES[error.code];
      return { title: title ? text(title) : error.title, text: error.message, transient: false };
    }
  }
}

function waitOf({ retryAfterSeconds: seconds }: ProblemError | UnreachableError): string {
  return seconds === null || seconds <= 1
    ? text('error.wait.moment')
    : text('error.wait.seconds', { seconds });
}

/**
 * Completes the service's messages about fields, such as "must be an email address", to sentences.
 */
export function sentence(message: string): string {
  const complete = /^(?:must|is|has|cannot) /.test(message) ? `This ${message}` : message;
  return /[.!?]$/.test(complete) ? complete : `${complete}.`;
}
