/** What a subkey is for. One purpose, one key: no value made under one is valid under another. */
export type KeyPurpose =
  | 'refresh-token'
  | 'password-pepper'
  | 'password-salt'
  | 'signing-key-encryption'
  | 'job-payload'
  | 'mail-recipient'
  | 'login-throttle'
  | 'known-network'
  | 'rate-limit'
  | 'external-state'
  | 'external-state-seal'
  | 'external-flow'
  | 'external-form'
  | 'external-form-network'
  | 'external-link-code'
  | 'saml-key-encryption';
