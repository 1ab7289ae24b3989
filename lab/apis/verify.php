<?php
require 'vendor/autoload.php'; // composer require firebase/php-jwt

use Firebase\JWT\{JWK, JWT};

[$issuer, $audience] = [getenv('ISSUER'), getenv('AUDIENCE')];

/** Returns the claims; throws UnexpectedValueException or DomainException. */
function verify(string $token, string $issuer, string $audience): object
{
    $keys = json_decode(file_get_contents("$issuer/.well-known/jwks.json"), true); // cache it for minutes
    $keys['keys'] = array_values(array_filter($keys['keys'], fn ($key) => $key['alg'] === 'ES256'));
    $header = new stdClass();
    $claims = JWT::decode($token, JWK::parseKeySet($keys), $header);
    $isOurs = $header->typ === 'at+jwt' && $claims->iss === $issuer && $claims->aud === $audience;
    if (!$isOurs || !isset($claims->exp)) throw new UnexpectedValueException('another token');
    return $claims;
}

echo verify(getenv('TOKEN'), $issuer, $audience)->sub;
