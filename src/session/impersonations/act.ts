/** Scope of operators who act as a person. */
export const ACT = { scope: 'platform:impersonation:start', operators: 'admin' } as const;
