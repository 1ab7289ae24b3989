/** Code whose mutants say nothing about the tests. */
export const NOT_MUTATED = [
  { pattern: /^(?:this\.)?(?:logger|log)\.\w+\(/, why: 'Log lines.' },
  { pattern: /^(?:this\.)?metrics\.\w+\(/, why: 'Names and help texts of metrics.' },
];

/**
 * Mutants that no test can tell from the original: every one of the exact expression in the file.
 * @type {{ file: string, code: string, why: string }[]}
 */
export const EQUIVALENT = [
  {
    file: 'src/session/signing-keys/signing-key.service.ts',
    code: '[]',
    why: 'Before the first read there is no key; what else stands there has no time to sign from.',
  },
  {
    file: 'src/connection/setup/setup-link.service.ts',
    code: 'holds?.(scope)',
    why: 'The permission check has locked what the caller holds.',
  },
  {
    file: 'src/connection/changes/change-decision.service.ts',
    code: 'requester !== null',
    why: 'No account is active by no id.',
  },
];
