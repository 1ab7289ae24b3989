import { errorRow } from './catalogue.js';
import { DEFAULT_LOCALE, formatMessage, type Message, type MessageId } from '../messages/index.js';
import type { ErrorCode } from './error-codes.js';

/** Invalid field: its JSON name (`scopes[3]` for an item) and what a valid value must be. */
export interface Violation {
  readonly propertyPath: string;
  /** Text, or a message that is sent in the language of the caller. */
  readonly message: string | Message;
}

/** What happened, and what the person can do, as ids of messages. */
export interface PageTexts {
  readonly title: MessageId;
  readonly lead: MessageId;
}

interface AppErrorOptions {
  /** Public explanation; default: the sentence of the catalogue. */
  readonly detail?: string;
  /** Message that is the detail, in the language of the caller. */
  readonly reason?: Message;
  readonly violations?: readonly Violation[];
  /** Seconds after which to try again; sent as Retry-After. */
  readonly retryAfterSeconds?: number;
  /** Further members of the problem (RFC 9457 section 3.2). */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Parameters of the Bearer challenge of a 401 (RFC 6750 section 3). */
  readonly challenge?: string;
  /** Scheme of that challenge. Default: Bearer. */
  readonly scheme?: 'DPoP';
  /** Texts of the page for a person whose browser sent the request. */
  readonly page?: PageTexts;
  /** Further response headers, such as Allow. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Logged, never sent to the caller. */
  readonly cause?: unknown;
}

/**
 * Error with a code of the catalogue: the only class that services throw. `cause` is never sent.
 */
export class AppError extends Error {
  /** Detail in English. */
  readonly detail: string;
  readonly reason: Message | undefined;
  readonly violations: readonly Violation[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly members: Readonly<Record<string, unknown>>;
  readonly challenge: string | undefined;
  readonly scheme: 'Bearer' | 'DPoP';
  readonly page: PageTexts | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ErrorCode,
    options: AppErrorOptions = {},
  ) {
    super(code, { cause: options.cause });
    const row = errorRow(code);
    this.reason =
      options.reason ??
      (options.detail === undefined && row.message !== undefined ? { id: row.message } : undefined);
    this.detail =
      options.detail ?? (options.reason ? formatMessage(options.reason, DEFAULT_LOCALE) : row.detail);
    this.violations = options.violations;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.members = options.members ?? {};
    this.challenge = options.challenge;
    this.scheme = options.scheme ?? 'Bearer';
    this.page = options.page;
    this.headers = options.headers ?? {};
  }

  /** Whether a part of it is a message, to be sent in the language of the caller. */
  get isTranslated(): boolean {
    return (
      this.reason !== undefined || (this.violations ?? []).some(({ message }) => typeof message !== 'string')
    );
  }

  /** Creates a `validation-error` with one violation. */
  static violation(propertyPath: string, message: Violation['message']): AppError {
    return new AppError('validation-error', { violations: [{ propertyPath, message }] });
  }

  /** For what a look-up did not find: `(await find(id)) ?? AppError.notFound()`. */
  static notFound(): never {
    throw new AppError('not-found');
  }
}
