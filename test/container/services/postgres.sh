#!/bin/sh
# Creates the user and the database that the variables name, as the image "postgres" does, and serves them.
set -eu
data=/var/lib/postgresql/data
as_postgres() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }

install -d -o postgres -g postgres "$data" /run/postgresql
if [ ! -e "$data/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" >/tmp/password
  chown postgres /tmp/password
  as_postgres initdb -D "$data" --encoding=UTF8 --locale=C.UTF-8 -U "$POSTGRES_USER" --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256 >/dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  echo "CREATE DATABASE \"$POSTGRES_DB\"" | as_postgres postgres --single -D "$data" postgres >/dev/null
fi
exec setpriv --reuid=postgres --regid=postgres --init-groups postgres -D "$data" -c listen_addresses='*'
