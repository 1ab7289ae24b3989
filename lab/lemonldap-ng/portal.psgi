# The portal and its static files in one small web server. A real deployment has nginx or Apache before it.
use Plack::Builder;
use Lemonldap::NG::Portal::Main;

sub files {
  my ($root) = @_;
  return builder {
    enable 'Static', path => sub { 1 }, root => $root;
    sub { [404, [], []] };
  };
}

builder {
  mount '/static' => files('/usr/share/lemonldap-ng/portal/htdocs/static');
  mount '/javascript' => files('/usr/share/javascript');
  mount '/' => Lemonldap::NG::Portal::Main->run({});
};
