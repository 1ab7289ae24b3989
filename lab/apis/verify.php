<?php
// With PHP's OpenSSL extension only.
[$issuer, $audience, $tenant] = [getenv('ISSUER'), getenv('AUDIENCE'), getenv('TENANT')];
$keys = file_get_contents((getenv('GATEHOUSE') ?: $issuer) . '/.well-known/jwks.json'); // cache it for minutes

/** Public key of P-256 in PEM (RFC 5480): the curve, and the point of the JWK. */
function pemOf(array $jwk): string
{
    $curve = hex2bin('3059301306072a8648ce3d020106082a8648ce3d030107034200');
    $der = $curve . "\x04" . bytesOf($jwk['x']) . bytesOf($jwk['y']);
    return "-----BEGIN PUBLIC KEY-----\n" . chunk_split(base64_encode($der), 64) . "-----END PUBLIC KEY-----\n";
}

/** Signature of a JWT (RFC 7518, 3.4) as OpenSSL reads it: two integers in DER. */
function derOf(string $signature): string
{
    $integer = function (string $bytes): string {
        $bytes = ltrim($bytes, "\0");
        if ($bytes === '' || ord($bytes[0]) > 127) $bytes = "\0" . $bytes;
        return "\x02" . chr(strlen($bytes)) . $bytes;
    };
    $both = $integer(substr($signature, 0, 32)) . $integer(substr($signature, 32));
    return "\x30" . chr(strlen($both)) . $both;
}

function bytesOf(string $base64url): string
{
    return (string) base64_decode(strtr($base64url, '-_', '+/'), true);
}

/** Returns the claims; null for a token to refuse. */
function verify(string $token, array $keys, string $issuer, string $audience, string $tenant): ?array
{
    if (!preg_match('/^([\w-]+)\.([\w-]+)\.([\w-]{86})$/D', $token, $parts)) return null;
    [, $head, $body, $signature] = $parts;
    $header = json_decode(bytesOf($head), true);
    if (($header['typ'] ?? '') !== 'at+jwt' || ($header['alg'] ?? '') !== 'ES256') return null;
    $isNamed = fn ($key) => $key['kid'] === $header['kid'] && $key['alg'] === 'ES256';
    $key = array_values(array_filter($keys, $isNamed))[0] ?? null;
    if (!$key || openssl_verify("$head.$body", derOf(bytesOf($signature)), pemOf($key), 'sha256') !== 1) return null;
    $claims = json_decode(bytesOf($body), true);
    $isForUs = $claims['iss'] === $issuer && $claims['aud'] === $audience && ($claims['tid'] ?? null) === $tenant;
    return $isForUs && $claims['exp'] > time() && isset($claims['sub'], $claims['client_id']) ? $claims : null;
}

$claims = verify(getenv('TOKEN'), json_decode($keys, true)['keys'], $issuer, $audience, $tenant);
echo $claims ? "$claims[sub] $claims[scope]\n" : "refused\n";
