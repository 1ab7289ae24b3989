#!/usr/bin/env bash
# golang.org/x/oauth2 0.3.0 (Debian 12): a code is sent a second time after any failure, with the secret in the form.
#
# Behaviour: unless Endpoint.AuthStyle is set, Exchange() tries HTTP Basic, then the secret in the form,
# and remembers the first way that gave a token. Not only 401 is a failure: so are 400 invalid_grant,
# 429, 503 and an answer that is cut off, after each of which the same code goes out again.
# Consequence: if the provider took the code and only the answer was lost, the second request is a
# reuse, for which it revokes the tokens of the first (RFC 6749, section 4.1.2). Logs count each
# refusal twice, and limits are met twice as soon. Set AuthStyleInHeader or AuthStyleInParams.
# Output: for each answer, how the requests authenticate, and whether they have the same code
# Needs go, and apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root golang-golang-x-oauth2-dev=0.3.0-1 golang-golang-x-net-dev=1:0.7.0+dfsg-1
for package in *.deb; do dpkg -x "$package" .; done
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"golang.org/x/oauth2"
)

func main() {
	statuses := []int{400, 429, 503, 0}
	lines := []string{}
	for _, style := range []oauth2.AuthStyle{oauth2.AuthStyleAutoDetect, oauth2.AuthStyleInHeader} {
		for _, status := range statuses {
			seen := []string{}
			provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				way := "form"
				if _, _, isBasic := r.BasicAuth(); isBasic {
					way = "basic"
				}
				seen = append(seen, way+" "+r.FormValue("code"))
				if status == 0 {
					panic(http.ErrAbortHandler) // the answer is lost
				}
				w.WriteHeader(status)
			}))
			config := oauth2.Config{ClientID: "app", ClientSecret: "secret"}
			config.Endpoint = oauth2.Endpoint{TokenURL: provider.URL, AuthStyle: style}
			config.Exchange(context.Background(), "code-1")
			provider.Close()
			lines = append(lines, fmt.Sprintf("%d: %s", status, strings.Join(seen, ", ")))
		}
	}
	fmt.Println(strings.Join(lines, "\n"))
	wanted := []string{}
	for _, ways := range []string{"basic code-1, form code-1", "basic code-1"} {
		for _, status := range statuses {
			wanted = append(wanted, fmt.Sprintf("%d: %s", status, ways))
		}
	}
	if strings.Join(lines, "") != strings.Join(wanted, "") {
		os.Exit(1)
	}
}
GO
GO111MODULE=off GOPATH="$folder/usr/share/gocode" GOCACHE="$folder/cache" GOFLAGS= timeout 180 go run main.go
