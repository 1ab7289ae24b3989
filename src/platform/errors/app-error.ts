import { ERROR_CATALOGUE, type ErrorCode } from './catalogue.js';

/** One field that is wrong: the JSON field name (`scopes[3]` for an item) and what would be right. */
export interface Violation {
  readonly propertyPath: string;
  readonly message: string;
}

/** What lifts the refusal of a sign-in that is too old (RFC 9470). */
export interface NeededProof {
  /** Maximum age of the sign-in, in seconds. */
  readonly maxAge: number;
  /** The person's own ways to confirm who they are; empty where only a new external sign-in does. */
  readonly methods: readonly string[];
}

interface AppErrorOptions {
  /** Public explanation; the catalogue's own sentence where it is missing. */
  readonly detail?: string;
  readonly violations?: readonly Violation[];
  /** Seconds after which to try again; becomes Retry-After. */
  readonly retryAfterSeconds?: number;
  /** Why an ability was denied (contract section 5); becomes `code`. */
  readonly denialCode?: string;
  /** With `insufficient-user-authentication`; becomes `maxAge`, `methods` and the challenge. */
  readonly neededProof?: NeededProof;
  /** Further response headers, such as Allow. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Goes to the log and never to the caller. */
  readonly cause?: unknown;
}

/** The one error class that services throw. What is public is public by construction: `cause` never leaves. */
export class AppError extends Error {
  readonly detail: string;
  readonly violations: readonly Violation[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly denialCode: string | undefined;
  readonly neededProof: NeededProof | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ErrorCode,
    options: AppErrorOptions = {},
  ) {
    super(code, { cause: options.cause });
    this.detail = options.detail ?? ERROR_CATALOGUE[code].detail;
    this.violations = options.violations;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.denialCode = options.denialCode;
    this.neededProof = options.neededProof;
    this.headers = options.headers ?? {};
  }

  /** A 400 with a single violation. */
  static violation(propertyPath: string, message: string): AppError {
    return new AppError('validation-error', { violations: [{ propertyPath, message }] });
  }
}
