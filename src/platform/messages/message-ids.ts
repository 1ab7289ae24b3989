/**
 * Message ids that compile. A module that declares messages merges its ids into this interface:
 * `declare module '…/platform/messages/index.js' { interface MessageIds extends … {} }`.
 * @public
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- modules add the members
export interface MessageIds {}

export type MessageId = Extract<keyof MessageIds, string>;
