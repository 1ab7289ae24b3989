<?php
$config = [
    // Who has an account there. A real deployment asks LDAP or a database.
    'people' => [
        'exampleauth:UserPass',
        'ada:quiet-harbour-42' => [
            'uid' => ['ada'],
            'mail' => ['ada@example.com'],
            'givenName' => ['Ada'],
        ],
    ],
];
