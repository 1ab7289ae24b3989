#!/usr/bin/env bash
# Installs missing Debian packages by name: programs that the tests and the lab use beside Node.
#   scripts/need.sh chromium simplesamlphp
set -euo pipefail

packages=()
for name in "$@"; do
  there=$name
  wanted=("$name")
  case $name in
    # With a web server that is not started, in place of Apache.
    simplesamlphp)
      there=/usr/share/simplesamlphp/www/index.php
      wanted+=(php-cgi php-cli php-xml mini-httpd)
      ;;
    # Its server too, which the tests of a restore use.
    pg_dump)
      there=/usr/lib/postgresql/15/bin/pg_ctl
      wanted=(postgresql-15)
      ;;
    python3-pysaml2)
      there=/usr/lib/python3/dist-packages/saml2
      wanted+=(xmlsec1)
      ;;
    python3-django-saml2)
      there=/usr/lib/python3/dist-packages/djangosaml2
      wanted+=(xmlsec1)
      ;;
    python3-passlib) there=/usr/lib/python3/dist-packages/passlib ;;
    python3-django) there=/usr/lib/python3/dist-packages/django ;;
    wordpress) there=/usr/share/wordpress/wp-includes/class-phpass.php ;;
    python3-jwt) there=/usr/lib/python3/dist-packages/jwt ;;
    ruby-jwt) there=/usr/share/rubygems-integration/all/specifications/jwt-2.5.0.gemspec ;;
    python3-cryptography) there=/usr/lib/python3/dist-packages/cryptography ;;
    ruby-omniauth-openid-connect) there=/usr/share/rubygems-integration/all/specifications/gitlab-omniauth-openid-connect-0.10.0.gemspec ;;
    java) there=javac wanted=(default-jdk-headless) ;;
    dovecot) wanted=(dovecot-imapd) ;;
    libapache2-mod-auth-mellon) there=/usr/lib/apache2/modules/mod_auth_mellon.so ;;
    ruby-saml)
      there=/usr/share/rubygems-integration/all/specifications/ruby-saml-1.13.0.gemspec
      wanted+=(ruby-webrick)
      ;;
    libapache2-mod-shib) there=/usr/lib/apache2/modules/mod_shib.so ;;
    go-oidc)
      there=/usr/share/gocode/src/github.com/coreos/go-oidc
      wanted=(golang-go golang-github-coreos-go-oidc-dev golang-golang-x-oauth2-dev)
      ;;
    python3-django-oauth-toolkit) there=/usr/lib/python3/dist-packages/oauth2_provider ;;
    python3-djangorestframework-simplejwt) there=/usr/lib/python3/dist-packages/rest_framework_simplejwt ;;
    python3-onelogin-saml2) there=/usr/lib/python3/dist-packages/onelogin/saml2 ;;
    ruby-omniauth-saml) there=/usr/share/rubygems-integration/all/specifications/omniauth-saml-2.1.0.gemspec ;;
    ruby-oauth2)
      there=/usr/share/rubygems-integration/all/specifications/oauth2-1.4.4.gemspec
      wanted+=(ruby-webrick)
      ;;
    libapache2-mod-oauth2) there=/usr/lib/apache2/modules/mod_oauth2.so ;;
    libcrypt-jwt-perl) there=/usr/share/perl5/Crypt/JWT.pm ;;
    liblwp-authen-oauth2-perl) there=/usr/share/perl5/LWP/Authen/OAuth2.pm ;;
    libmojolicious-plugin-oauth2-perl)
      there=/usr/share/perl5/Mojolicious/Plugin/OAuth2.pm
      wanted+=(libmojo-jwt-perl)
      ;;
    rabbitmq) there=/usr/lib/rabbitmq/bin wanted=(rabbitmq-server) ;;
    libgoogle-gson-java) there=/usr/share/java/gson.jar ;;
    nginx) wanted=(nginx-light) ;;
    php) wanted=(php-cli) ;;
    python3-authlib) there=/usr/lib/python3/dist-packages/authlib ;;
    python3-flask-dance) there=/usr/lib/python3/dist-packages/flask_dance ;;
    python3-jose) there=/usr/lib/python3/dist-packages/jose ;;
    python3-social-auth-core) there=/usr/lib/python3/dist-packages/social_core ;;
    roundcube)
      there=/usr/share/roundcube/index.php
      wanted=(roundcube-core roundcube-sqlite3)
      ;;
    sssd) there=/usr/libexec/sssd/oidc_child wanted=(sssd-idp) ;;
    ruby-openid-connect)
      there=/usr/share/rubygems-integration/all/specifications/openid_connect-1.2.0.gemspec
      wanted+=(ruby-webrick)
      ;;
    ip) wanted=(iproute2) ;;
    netavark) there=/usr/lib/podman/netavark ;;
    unshare) wanted=(util-linux) ;;
    pgbench) wanted=(postgresql-contrib) ;;
    fido2-assert) wanted=(fido2-tools) ;;
    zbarimg) wanted=(zbar-tools) ;;
    glewlwyd) wanted+=(dbconfig-sqlite3) ;;
    oidc-agent) wanted=(oidc-agent-cli) ;;
    libapache2-mod-auth-openidc) there=/usr/lib/apache2/modules/mod_auth_openidc.so ;;
    # Its tables are in the package of the server.
    zabbix)
      there=/usr/share/zabbix-server-pgsql/schema.sql.gz
      wanted=(zabbix-frontend-php zabbix-server-pgsql php-pgsql php-cli)
      ;;
    lemonldap-ng)
      there=/usr/share/lemonldap-ng/portal/htdocs/index.psgi
      wanted=(liblemonldap-ng-portal-perl liblasso-perl libio-string-perl libstring-random-perl libxml-simple-perl starman)
      ;;
  esac
  command -v "$there" >/dev/null || [ -e "$there" ] || packages+=("${wanted[@]}")
done
[ ${#packages[@]} = 0 ] && exit

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "This machine has not all of: ${packages[*]}. Install them, or run this as root on Debian." >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends "${packages[@]}"
