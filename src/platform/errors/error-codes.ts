/**
 * Error codes that compile, each with its row. A module that declares errors merges them into this
 * interface: `declare module '…/platform/errors/index.js' { interface ErrorCodes extends … {} }`.
 * @public
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- modules add the members
export interface ErrorCodes {}

/** Last segment of the `type` of a problem. */
export type ErrorCode = Extract<keyof ErrorCodes, string>;
