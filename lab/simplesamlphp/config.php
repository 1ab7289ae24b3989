<?php
// What differs from Debian's /etc/simplesamlphp/config.php for an identity provider on this machine.
$folder = getenv('LAB_FOLDER');
$config = [
    'baseurlpath' => getenv('LAB_URL') . '/',
    'certdir' => $folder,
    'datadir' => $folder,
    'tempdir' => $folder,
    'loggingdir' => $folder,
    'logging.handler' => 'file',
    'metadatadir' => __DIR__ . '/metadata',
    'secretsalt' => getenv('LAB_SALT'),
    'auth.adminpassword' => getenv('LAB_SALT'),
    'enable.saml20-idp' => true,
    'module.enable' => ['core' => true, 'saml' => true, 'exampleauth' => true],
    'metadata.sources' => [['type' => 'flatfile'], ['type' => 'xml', 'file' => $folder . '/gatehouse.xml']],
    'store.type' => 'phpsession',
    'session.phpsession.savepath' => $folder,
    'session.cookie.secure' => false,
    'session.cookie.samesite' => 'Lax',
    'language.default' => 'en',
];
