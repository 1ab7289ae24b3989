/**
 * Purposes of subkeys. Each has a key of its own, so that a value of one is invalid for another.
 */
export type KeyPurpose =
  | 'refresh-token'
  | 'password-pepper'
  | 'password-salt'
  | 'signing-key-encryption'
  | 'job-payload'
  | 'mail-recipient'
  | 'login-throttle'
  | 'known-network'
  | 'totp-secret'
  | 'recovery-code'
  | 'email-code'
  | 'passkey-ceremony'
  | 'idempotency-key'
  | 'idempotent-response'
  | 'rate-limit'
  | 'external-state'
  | 'external-state-seal'
  | 'external-flow'
  | 'external-form'
  | 'external-form-network'
  | 'external-link-code'
  | 'saml-key-encryption'
  | 'webhook-secret'
  | 'webhook-signing'
  | 'api-key';
