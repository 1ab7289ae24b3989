# Verifies one access token as the documents of Crypt::JWT show it, and prints what it says.
use strict;
use warnings;
use Crypt::JWT qw(decode_jwt);
use JSON::PP;

my $keys = `curl -s --cacert $ENV{SSL_CERT_FILE} $ENV{ISSUER}/.well-known/jwks.json`;
my $sub = eval {
  decode_jwt(
    token => $ENV{TOKEN},
    kid_keys => decode_json($keys),
    accepted_alg => $ENV{ALGORITHM},
    verify_iss => $ENV{ISSUER},
    verify_aud => $ENV{AUDIENCE},
  )->{sub};
} // "refused: $@";
print encode_json({ 'Crypt::JWT' => $sub });
