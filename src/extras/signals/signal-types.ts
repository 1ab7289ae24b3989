const CAEP = 'https://schemas.openid.net/secevent/caep/event-type';
const RISC = 'https://schemas.openid.net/secevent/risc/event-type';

export const SESSION_REVOKED = `${CAEP}/session-revoked`;
export const CREDENTIAL_CHANGE = `${CAEP}/credential-change`;
export const ASSURANCE_LEVEL_CHANGE = `${CAEP}/assurance-level-change`;
export const ACCOUNT_DISABLED = `${RISC}/account-disabled`;
export const ACCOUNT_PURGED = `${RISC}/account-purged`;
/** Proves that a stream works (SSF 1.0 section 8.1.4). Its endpoint sends it, unrequested. */
export const VERIFICATION = 'https://schemas.openid.net/secevent/ssf/event-type/verification';

/** Events that a stream can have (CAEP 1.0, RISC 1.0). */
export const SIGNAL_TYPES: readonly string[] = [
  SESSION_REVOKED,
  CREDENTIAL_CHANGE,
  ASSURANCE_LEVEL_CHANGE,
  ACCOUNT_DISABLED,
  ACCOUNT_PURGED,
];

export const PUSH = 'urn:ietf:rfc:8935';
export const POLL = 'urn:ietf:rfc:8936';
export const STREAM_STATES = ['enabled', 'paused', 'disabled'] as const;
export type StreamState = (typeof STREAM_STATES)[number];

/** Channel by which replicas learn that an event waits in a stream. */
export const SIGNALS_CHANNEL = 'gatehouse_signals';
