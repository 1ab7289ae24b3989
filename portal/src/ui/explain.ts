import { ExternalSignInError, ProblemError, UnreachableError } from '@gatehouse/client';

/** An error in the words of the page. */
export interface Explanation {
  readonly title: string;
  /** What has happened and what can be done. */
  readonly text: string;
  /** Whether the same may well succeed in a moment. */
  readonly transient: boolean;
}

const secondsOf = ({ retryAfterSeconds }: ProblemError | UnreachableError): string =>
  retryAfterSeconds === null || retryAfterSeconds <= 1 ? 'a moment' : `${retryAfterSeconds} seconds`;

/** What an error means to the person before the screen. What the service says of it is said on; its fields are named by the form itself. */
export function explain(error: unknown): Explanation {
  if (error instanceof ExternalSignInError)
    return { title: 'That sign-in did not work', text: error.message, transient: false };
  if (error instanceof UnreachableError)
    return {
      title: 'The service cannot be reached',
      text: `Check your connection, then try again in ${secondsOf(error)}. Nothing has been lost.`,
      transient: true,
    };
  if (!(error instanceof ProblemError))
    return { title: 'Something went wrong on this page', text: 'Load it again.', transient: true };
  switch (error.code) {
    case 'too-many-requests':
      return {
        title: 'That was a little too often',
        text: `Wait ${secondsOf(error)}, then try again.`,
        transient: true,
      };
    case 'unavailable':
      return {
        title: 'The service is catching its breath',
        text: `Try again in ${secondsOf(error)}. Nobody has been signed out.`,
        transient: true,
      };
    case 'internal':
      return {
        title: 'Something went wrong on our side',
        text: `Try again. If it goes on, report it with the number ${error.requestId}.`,
        transient: true,
      };
    case 'validation-error':
      return {
        title: 'Something does not fit',
        text: error.violations.map(({ message }) => sentence(message)).join(' '),
        transient: false,
      };
    case 'insufficient-user-authentication':
      return {
        title: 'You have not confirmed that it is you',
        text: 'Nothing was changed. Try again, and confirm when you are asked.',
        transient: false,
      };
    case 'not-found':
      return {
        title: 'It is not here any more',
        text: 'Somebody may have removed it. Load the page again.',
        transient: false,
      };
    default:
      return { title: error.title, text: error.message, transient: false };
  }
}

/** The service's messages about a field go on from its name: "must be an e-mail address". */
export function sentence(message: string): string {
  const text = /^(?:must|is|cannot) /.test(message) ? `This ${message}` : message;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
