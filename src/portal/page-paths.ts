/**
 * Paths of the portal's pages, shared by the server and the portal. `:name` matches any path
 * segment.
 */
export const PAGE_PATHS = {
  home: '/',
  signIn: '/sign-in',
  signedIn: '/signed-in',
  register: '/register',
  verifyEmail: '/verify-email',
  refuseRegistration: '/refuse-registration',
  forgottenPassword: '/forgotten-password',
  resetPassword: '/reset-password',
  acceptInvitation: '/accept-invitation',
  authorize: '/authorize',
  organizations: '/organizations',
  newOrganization: '/organizations/new',
  organization: '/organizations/:tenantId',
  members: '/organizations/:tenantId/members',
  invitations: '/organizations/:tenantId/invitations',
  roles: '/organizations/:tenantId/roles',
  playground: '/organizations/:tenantId/playground',
  trail: '/organizations/:tenantId/audit-trail',
  organizationSettings: '/organizations/:tenantId/settings',
  profile: '/account',
  sessions: '/account/sessions',
  identities: '/account/identities',
  security: '/account/security',
  password: '/account/password',
  myTrail: '/account/audit-trail',
  erasure: '/account/erase',
  mailbox: '/mailbox',
} as const;
