import { ERROR_CATALOGUE, type ErrorCode } from './catalogue.js';

/** Invalid field: its JSON name (`scopes[3]` for an item) and what a valid value must be. */
export interface Violation {
  readonly propertyPath: string;
  readonly message: string;
}

/** What the user needs to do if the sign-in is too old (RFC 9470). */
export interface NeededProof {
  /** Maximum age of the sign-in, in seconds. */
  readonly maxAge: number;
  /** Methods by which this user can confirm; empty if only a new external sign-in can. */
  readonly methods: readonly string[];
}

interface AppErrorOptions {
  /** Public explanation; default: the sentence of the catalogue. */
  readonly detail?: string;
  readonly violations?: readonly Violation[];
  /** Seconds after which to try again; sent as Retry-After. */
  readonly retryAfterSeconds?: number;
  /** Why an ability was denied (API-9); sent as `code`. */
  readonly denialCode?: string;
  /** For `insufficient-user-authentication`; sent as `maxAge`, `methods` and the challenge. */
  readonly neededProof?: NeededProof;
  /** Further response headers, such as Allow. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Logged, never sent to the caller. */
  readonly cause?: unknown;
}

/**
 * Error with a code of the catalogue: the only class that services throw. `cause` is never sent.
 */
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

  /** Creates a `validation-error` with one violation. */
  static violation(propertyPath: string, message: string): AppError {
    return new AppError('validation-error', { violations: [{ propertyPath, message }] });
  }
}
