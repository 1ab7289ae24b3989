/** Modules of this service: what administers an organization is for its members. */
const OF_MEMBERS = ['access:', 'iam:', 'platform:', 'webhooks:'];
/** What a person of a partner may use of these: {@link isForPartners}. */
const OF_PARTNERS: ReadonlySet<string> = new Set(['iam:tenant:read', 'iam:member:read']);

/**
 * Returns whether a role gives a scope to people of a partner too. They use the applications of the
 * host, and administer nothing in it: they could pass on what they were given.
 */
export const isForPartners = (scope: string): boolean =>
  OF_PARTNERS.has(scope) || !OF_MEMBERS.some((module) => scope.startsWith(module));
