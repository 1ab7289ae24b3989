<?php
$metadata['__DYNAMIC:1__'] = [
    'host' => '__DEFAULT__',
    'privatekey' => 'idp.key',
    'certificate' => 'idp.crt',
    'auth' => 'people',
    // Logout in both directions, signed.
    'sign.logout' => true,
    'validate.logout' => true,
    // This release encrypts by CBC alone, which Gatehouse refuses.
    'assertion.encryption' => getenv('LAB_ENCRYPTION') === 'on',
    // Accept signed requests only: ours are signed.
    'validate.authnrequest' => true,
    'NameIDFormat' => 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    'authproc' => [
        // A stable name that is never reassigned: here the uid.
        10 => [
            'class' => 'saml:AttributeNameID',
            'attribute' => 'uid',
            'Format' => 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
        ],
    ],
];
