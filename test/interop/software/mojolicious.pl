use Mojolicious::Lite -signatures;
use Mojo::Util 'md5_sum';

my ($issuer, $site) = @ENV{qw(ISSUER SITE)};
my %tokens;
plugin OAuth2 => {
  providers => {
    gatehouse => {
      key            => $ENV{CLIENT_ID},
      secret         => $ENV{CLIENT_SECRET},
      well_known_url => "$issuer/.well-known/openid-configuration",
    },
  },
};

get '/login' => sub ($c) {
  $c->render_later;
  my %args = (
    redirect_uri    => "$site/login",
    scope           => 'openid profile email',
    authorize_query => {response_type => 'code', nonce => md5_sum(rand)},
  );
  $c->oauth2->get_token_p(gatehouse => \%args)->then(sub ($answer) {
    return unless $answer;
    %tokens = %$answer;
    $c->redirect_to('/me');
  })->catch(sub ($error) { $c->render(text => $error, status => 500) });
};

get '/me' => sub ($c) {
  $c->render(json => $c->oauth2->jwt_decode(gatehouse => data => $tokens{id_token}));
};

get '/refresh' => sub ($c) {
  $c->render_later;
  my %args = (refresh_token => $tokens{refresh_token});
  $c->oauth2->get_refresh_token_p(gatehouse => \%args)->then(sub ($answer) {
    $c->render(json => {refreshed => $answer->{access_token} ne $tokens{access_token} ? Mojo::JSON->true : Mojo::JSON->false});
  })->catch(sub ($error) { $c->render(text => $error, status => 500) });
};

get '/logout' => sub ($c) {
  my %args = (id_token_hint => $tokens{id_token}, post_logout_redirect_uri => "$site/");
  $c->redirect_to($c->oauth2->logout_url(gatehouse => \%args));
};

get '/' => sub ($c) { $c->render(json => {page => 'home'}) };

app->start('daemon', '-l', "http://127.0.0.1:$ENV{PORT}");
