#!/usr/bin/env bash
# github.com/coreos/go-oidc 2.1.0 (Debian 12): a provider that was made within a timeout fails when the keys change.
#
# Behaviour: NewProvider() keeps its context for all requests for keys to come. If that one has ended, by the
# timeout or the `defer cancel()` of the start, tokens pass by the keys that were read before, and the first token
# by a new key is refused: "context canceled", whatever context Verify() is given. Algorithms that the provider
# announces (id_token_signing_alg_values_supported) are not read: without SupportedSigningAlgs, it is RS256.
# Consequence: an API that gives its start ten seconds runs well for weeks, until the provider rotates its key, and
# then refuses each new token until it is started again. A provider with ES256 only is refused from the start.
# Output: by the context and algorithms, what Verify says of tokens by the first key and the next one
# Needs go, and apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root golang-github-coreos-go-oidc-dev=2.1.0-2 golang-golang-x-oauth2-dev=0.3.0-1 \
  golang-golang-x-net-dev=1:0.7.0+dfsg-1 golang-golang-x-crypto-dev=1:0.4.0-1 golang-gopkg-square-go-jose.v2-dev=2.6.0-2 \
  golang-github-pquerna-cachecontrol-dev=0.0~git20171018.0dec1b3-2
for package in *.deb; do dpkg -x "$package" .; done
cat >main.go <<'GO'
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	oidc "github.com/coreos/go-oidc"
	jose "gopkg.in/square/go-jose.v2"
	"gopkg.in/square/go-jose.v2/jwt"
)

type M = map[string]interface{}

var issuer string
var published []jose.JSONWebKey

// token publishes a new key, and returns a token by it.
func token(id string) string {
	key, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	published = append(published, jose.JSONWebKey{Key: key.Public(), KeyID: id, Algorithm: "ES256", Use: "sig"})
	signer, _ := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: key, KeyID: id}}, nil)
	claims := M{"iss": issuer, "aud": "app", "sub": "ada", "iat": time.Now().Unix(), "exp": time.Now().Unix() + 300}
	text, _ := jwt.Signed(signer).Claims(claims).CompactSerialize()
	return text
}

func verify(verifier *oidc.IDTokenVerifier, token string) string {
	_, err := verifier.Verify(context.Background(), token)
	if err == nil {
		return "accepted"
	}
	for _, reason := range []string{"context canceled", "unsupported algorithm"} {
		if strings.Contains(err.Error(), reason) {
			return reason
		}
	}
	return err.Error()
}

func outcome(ends bool, algorithms []string) string {
	published = nil
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	provider, err := oidc.NewProvider(ctx, issuer)
	if err != nil {
		return err.Error()
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: "app", SupportedSigningAlgs: algorithms})
	first := token("1")
	before := verify(verifier, first)
	if ends {
		cancel()
	}
	defer cancel()
	return fmt.Sprintf("%s, then %s, next key %s", before, verify(verifier, first), verify(verifier, token("2")))
}

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, r *http.Request) {
		document := M{"issuer": issuer, "jwks_uri": issuer + "/keys", "id_token_signing_alg_values_supported": []string{"ES256"}}
		document["authorization_endpoint"] = issuer + "/authorize"
		document["token_endpoint"] = issuer + "/token"
		json.NewEncoder(w).Encode(document)
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, r *http.Request) {
		json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: published})
	})
	server := httptest.NewServer(mux)
	issuer = server.URL
	es256 := []string{"ES256"}
	lines := []string{
		"context goes on: " + outcome(false, es256),
		"context ends: " + outcome(true, es256),
		"as announced: " + outcome(false, nil),
	}
	fmt.Println(strings.Join(lines, "\n"))
	wanted := []string{
		"context goes on: accepted, then accepted, next key accepted",
		"context ends: accepted, then accepted, next key context canceled",
		"as announced: unsupported algorithm, then unsupported algorithm, next key unsupported algorithm",
	}
	if strings.Join(lines, "") != strings.Join(wanted, "") {
		os.Exit(1)
	}
}
GO
GO111MODULE=off GOPATH="$folder/usr/share/gocode" GOCACHE="$folder/cache" GOFLAGS= timeout 240 go run main.go
