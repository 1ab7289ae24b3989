/** What the snippet of a preset is filled in with. */
interface Registered {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

/** A kind of app, with what to register for it and how its library is set up. */
export interface Preset {
  readonly id: string;
  readonly type: 'confidential' | 'public';
  readonly grantTypes: readonly string[];
  /** Redirect URI of an app in development; null for one without a browser. */
  readonly redirectUri: string | null;
  readonly snippet: (registered: Registered) => string;
}

export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

const CODE = ['authorization_code', 'refresh_token'] as const;
const WEB = { type: 'confidential', grantTypes: CODE } as const;
const NATIVE = { type: 'public', grantTypes: CODE } as const;

/** Kinds of apps, each by the library that is usual for it; names are texts `apps.preset.*`. */
export const PRESETS: readonly Preset[] = [
  {
    id: 'node',
    ...WEB,
    redirectUri: 'http://localhost:3000/callback',
    snippet: ({ issuer, clientId, redirectUri }) => `// npm install express-openid-connect
app.use(auth({
  issuerBaseURL: '${issuer}',
  baseURL: '${originOf(redirectUri)}',
  routes: { callback: '${pathOf(redirectUri)}' },
  clientID: '${clientId}',
  clientSecret: process.env.CLIENT_SECRET,
  authorizationParams: { response_type: 'code', scope: 'openid profile email' },
  secret: process.env.SESSION_SECRET,
}));`,
  },
  {
    id: 'next',
    ...WEB,
    redirectUri: 'http://localhost:3000/api/auth/callback/gatehouse',
    snippet: ({ issuer, clientId }) => `// npm install next-auth@beta
export const { handlers, auth } = NextAuth({
  providers: [{
    id: 'gatehouse',
    name: 'Gatehouse',
    type: 'oidc',
    issuer: '${issuer}',
    clientId: '${clientId}',
    clientSecret: process.env.CLIENT_SECRET,
  }],
});`,
  },
  {
    id: 'python',
    ...WEB,
    redirectUri: 'http://localhost:8000/callback',
    snippet: ({ issuer, clientId }) => `# pip install authlib
oauth.register(
    'gatehouse',
    server_metadata_url='${issuer}/.well-known/openid-configuration',
    client_id='${clientId}',
    client_secret=os.environ['CLIENT_SECRET'],
    client_kwargs={'scope': 'openid profile email', 'code_challenge_method': 'S256'},
)`,
  },
  {
    id: 'java',
    ...WEB,
    redirectUri: 'http://localhost:8080/login/oauth2/code/gatehouse',
    snippet: ({
      issuer,
      clientId,
    }) => `# application.yml of Spring Boot, with spring-boot-starter-oauth2-client
spring.security.oauth2.client:
  registration.gatehouse:
    client-id: ${clientId}
    client-secret: \${CLIENT_SECRET}
    scope: openid,profile,email
  provider.gatehouse:
    issuer-uri: ${issuer}`,
  },
  {
    id: 'dotnet',
    ...WEB,
    redirectUri: 'https://localhost:5001/signin-oidc',
    snippet: ({
      issuer,
      clientId,
    }) => `// dotnet add package Microsoft.AspNetCore.Authentication.OpenIdConnect
builder.Services.AddAuthentication(options => {
    options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;
    options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;
}).AddCookie().AddOpenIdConnect(options => {
    options.Authority = "${issuer}";
    options.ClientId = "${clientId}";
    options.ClientSecret = builder.Configuration["ClientSecret"];
    options.ResponseType = "code";
    options.Scope.Add("email");
});`,
  },
  {
    id: 'php',
    ...WEB,
    redirectUri: 'http://localhost:8000/callback',
    snippet: ({ issuer, clientId, redirectUri }) => `// composer require jumbojett/openid-connect-php
$oidc = new Jumbojett\\OpenIDConnectClient('${issuer}', '${clientId}', getenv('CLIENT_SECRET'));
$oidc->setRedirectURL('${redirectUri}');
$oidc->setCodeChallengeMethod('S256');
$oidc->addScope(['openid', 'profile', 'email']);
$oidc->authenticate();
$email = $oidc->getVerifiedClaims('email');`,
  },
  {
    id: 'ruby',
    ...WEB,
    redirectUri: 'http://localhost:3000/auth/openid_connect/callback',
    snippet: ({ issuer, clientId, redirectUri }) => `# gem 'omniauth_openid_connect'
provider :openid_connect,
  issuer: '${issuer}',
  discovery: true,
  pkce: true,
  scope: %i[openid profile email],
  client_options: {
    identifier: '${clientId}',
    secret: ENV.fetch('CLIENT_SECRET'),
    redirect_uri: '${redirectUri}',
  }`,
  },
  {
    id: 'browser',
    ...NATIVE,
    redirectUri: 'http://localhost:5173/callback',
    snippet: ({ issuer, clientId, redirectUri }) => `// npm install oidc-client-ts
const manager = new UserManager({
  authority: '${issuer}',
  client_id: '${clientId}',
  redirect_uri: '${redirectUri}',
  scope: 'openid profile email',
});
await manager.signinRedirect(); // at ${pathOf(redirectUri)}: await manager.signinCallback()`,
  },
  {
    id: 'mobile',
    ...NATIVE,
    redirectUri: 'com.example.app:/callback',
    snippet: ({ issuer, clientId, redirectUri }) => `// npm install react-native-app-auth
const tokens = await authorize({
  issuer: '${issuer}',
  clientId: '${clientId}',
  redirectUrl: '${redirectUri}',
  scopes: ['openid', 'profile', 'email'],
});`,
  },
  {
    id: 'device',
    type: 'public',
    grantTypes: [DEVICE_CODE, 'refresh_token'],
    redirectUri: null,
    snippet: ({ issuer, clientId }) => `curl ${issuer}/oauth2/device_authorization \\
  -d client_id=${clientId} -d scope=openid
# Show user_code and verification_uri, then ask every five seconds:
curl ${issuer}/oauth2/token -d client_id=${clientId} \\
  -d grant_type=${DEVICE_CODE} \\
  -d device_code=$DEVICE_CODE`,
  },
];

/** What decides which kinds suit an app. */
interface Traits {
  readonly type: Preset['type'];
  readonly grantTypes: readonly string[];
}

/** Returns the kinds of app whose set-up code suits a registration. */
export const presetsFor = ({ type, grantTypes }: Traits): readonly Preset[] =>
  PRESETS.filter((preset) => preset.type === type && grantTypes.includes(preset.grantTypes[0] ?? ''));

/** Both also for the scheme of an app, whose addresses have no origin. */
const originOf = (address: string): string => URL.parse(address)?.origin ?? address;
const pathOf = (address: string): string => URL.parse(address)?.pathname ?? address;
