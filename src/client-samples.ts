/**
 * Statements of the API reference for operations that `@gatehouse/client` has a method for, by
 * operation id. test/architecture/code-samples.spec.ts compiles them.
 */
export const CLIENT_SAMPLES = {
  login: "await gatehouse.login({ email: 'ada@example.com', password: 'quiet-harbour-42' });",
  logout: 'await gatehouse.logout();',
  logoutAll: "await gatehouse.logout('all');",
  logoutOthers: "await gatehouse.logout('others');",
  refreshToken: `// The client refreshes by itself; this returns a token for another service.
const token = await gatehouse.accessToken();`,
  selectTenant: "await gatehouse.selectTenant('01K3V9D7Q8Z4X5N6M7P8R9S0T1');",
  stepUp: "await gatehouse.stepUp({ method: 'password', password: 'quiet-harbour-42' });",
  checkPermissions: `const subject = 'gatehouse:///iam/invitations/01K3V9D7Q8Z4X5N6M7P8R9S0T1';
const verdicts = await gatehouse.can(subject, ['iam:invitation:revoke']);
const allowed = verdicts['iam:invitation:revoke'].allowed;`,
  startExternalSignIn: `// In a browser; then call completeExternalSignIn() on the page of returnUri.
location.assign(await gatehouse.startExternalSignIn('google_oauth'));`,
  redeemExternalCode: 'await gatehouse.completeExternalSignIn();',
  linkIdentity: "location.assign(await gatehouse.startExternalLink('google_oauth'));",
  redeemLinkCode: 'const result = await gatehouse.completeExternalSignIn();',
  issueSatelliteCode: `// On the authorization page of the app.
location.assign(await gatehouse.authorizeSatellite(new URLSearchParams(location.search)));`,
} as const;
