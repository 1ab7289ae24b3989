/** What to register for a product, with paths below the address of the app (docs/apps). */
export interface Recipe {
  /** Name of its page in docs/apps. */
  readonly id: string;
  readonly name: string;
  readonly tokenEndpointAuthMethod: 'client_secret_basic' | 'client_secret_post';
  readonly redirectPaths: readonly string[];
  readonly postLogoutPaths: readonly string[];
  readonly backchannelPath: string | null;
}

export const RECIPES: readonly Recipe[] = [
  {
    id: 'apache',
    name: 'Apache (mod_auth_openidc)',
    tokenEndpointAuthMethod: 'client_secret_basic',
    redirectPaths: ['/oidc/callback'],
    postLogoutPaths: ['/'],
    backchannelPath: '/oidc/callback?logout=backchannel',
  },
  {
    id: 'discourse',
    name: 'Discourse',
    tokenEndpointAuthMethod: 'client_secret_basic',
    redirectPaths: ['/auth/oidc/callback'],
    postLogoutPaths: ['/'],
    backchannelPath: null,
  },
  {
    id: 'gitlab',
    name: 'GitLab',
    tokenEndpointAuthMethod: 'client_secret_basic',
    redirectPaths: ['/users/auth/openid_connect/callback'],
    postLogoutPaths: ['/users/sign_in'],
    backchannelPath: null,
  },
  {
    id: 'grafana',
    name: 'Grafana',
    tokenEndpointAuthMethod: 'client_secret_basic',
    redirectPaths: ['/login/generic_oauth'],
    postLogoutPaths: ['/login'],
    backchannelPath: null,
  },
  {
    id: 'jenkins',
    name: 'Jenkins',
    tokenEndpointAuthMethod: 'client_secret_post',
    redirectPaths: ['/securityRealm/finishLogin'],
    postLogoutPaths: ['/'],
    backchannelPath: null,
  },
  {
    id: 'nextcloud',
    name: 'Nextcloud',
    tokenEndpointAuthMethod: 'client_secret_post',
    redirectPaths: ['/apps/user_oidc/code', '/index.php/apps/user_oidc/code'],
    postLogoutPaths: ['/'],
    backchannelPath: '/index.php/apps/user_oidc/backchannel-logout/gatehouse',
  },
  {
    id: 'wordpress',
    name: 'WordPress',
    tokenEndpointAuthMethod: 'client_secret_post',
    redirectPaths: ['/wp-admin/admin-ajax.php?action=openid-connect-authorize'],
    postLogoutPaths: ['/'],
    backchannelPath: null,
  },
];

/** Returns the address of a path below the address of an app, which may end with a slash. */
export const addressOf = (site: string, path: string): string => site.trim().replace(/\/+$/, '') + path;
