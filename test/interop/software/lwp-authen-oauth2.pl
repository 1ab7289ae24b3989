use Mojolicious::Lite -signatures;
use LWP::Authen::OAuth2;
use LWP::UserAgent;
use Mojo::JSON qw(decode_json false true);
use Mojo::Util qw(md5_sum);

my ($issuer, $site) = @ENV{qw(ISSUER SITE)};
my $oauth2 = LWP::Authen::OAuth2->new(
  authorization_endpoint => "$issuer/oauth2/authorize",
  token_endpoint         => "$issuer/oauth2/token",
  client_id              => $ENV{CLIENT_ID},
  client_secret          => $ENV{CLIENT_SECRET},
  redirect_uri           => "$site/callback",
  scope                  => 'openid profile email',
  is_strict              => 0,
  user_agent             => LWP::UserAgent->new(ssl_opts => {SSL_ca_file => $ENV{SSL_CERT_FILE}}),
);
my $state;

get '/login' => sub ($c) {
  $state = md5_sum(rand);
  $c->redirect_to($oauth2->authorization_url(state => $state, nonce => md5_sum(rand)));
};

get '/callback' => sub ($c) {
  die 'another state' unless $c->param('state') eq $state;
  $oauth2->request_tokens(code => $c->param('code'));
  $c->redirect_to('/me');
};

get '/me' => sub ($c) {
  $c->render(json => decode_json($oauth2->get("$issuer/oauth2/userinfo")->content));
};

get '/refresh' => sub ($c) {
  my $before = decode_json($oauth2->token_string)->{access_token};
  $oauth2->refresh_access_token;
  my $after = decode_json($oauth2->token_string)->{access_token};
  $c->render(json => {refreshed => $after ne $before ? true : false});
};

app->start('daemon', '-l', "http://127.0.0.1:$ENV{PORT}");
