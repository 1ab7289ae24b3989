import { Entity } from 'typeorm';
import { KeyPairColumns } from './key-pair-columns.js';

/** A key pair that signs ID tokens and access tokens by RS256. */
@Entity('id_token_keys')
export class RsaKeyEntity extends KeyPairColumns {}
